// JSON that is costly to read.
import { setTimeout as pause } from 'node:timers/promises';
import type { Deed, Part, Target } from './part.ts';
import { ask, repeat, Tally } from './request.ts';

const SENDERS = 4;
const AGAIN_MS = 1_000;
const BODY_BYTES = 15 * 1024 * 1024;
const NAMES = 1_000_000;
const DEPTH = 30;

export const json: Part = {
  attacks: {
    'wide JSON': (target) => sendBodies(target, wide('[]')),
    'deep JSON': (target) => sendBodies(target, wide(`${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`)),
    'many names': (target) => sendBodies(target, manyNames()),
  },
  // The service holds the bodies of all senders at once, as bytes and as text.
  mostMemory: 600,
};

async function sendBodies(target: Target, body: Buffer): Promise<Deed> {
  const answers = new Tally();
  await repeat(target, SENDERS, async () => {
    answers.add(await ask(target, 'POST', '/document', { body }));
    await pause(AGAIN_MS);
  });
  return { did: `bodies of ${(body.length / 2 ** 20).toFixed(0)} MiB: ${answers}` };
}

const wide = (item: string) => {
  const count = Math.floor((BODY_BYTES - 100) / (item.length + 1));
  return Buffer.from(`{"notes":[${Array.from({ length: count }, () => item).join()}]}`);
};

const manyNames = () => {
  const names = Array.from({ length: NAMES }, (_, number) => `"a${number}":1`);
  return Buffer.from(`{${names.join()}}`);
};
