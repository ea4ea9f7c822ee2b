// The thread of the attacker, at an address of its own. It says at the end what it did.
import { request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { Attack } from './attack.ts';

const ATTACKER = '127.0.0.2';
const AGAIN_MS = 1_000;
const SENDERS = 4;
const BODY_BYTES = 15 * 1024 * 1024;

const { name, url, token, milliseconds, sockets } = workerData as Attack;
const until = performance.now() + milliseconds;

const ATTACKS: Record<Attack['name'], () => Promise<string>> = {
  'sockets without a token': () => holdOn('/v2/contact'),
  'sockets with an open endpoint': () => holdOn('/v2/authenticate'),
  'wide JSON': () => sendBodies(wide('[]')),
  'deep JSON': () => sendBodies(wide(`${'['.repeat(30)}${']'.repeat(30)}`)),
  'many names': () => sendBodies(manyNames()),
};

/** Keeps so many sockets open; one that is closed comes back. */
async function holdOn(path: string): Promise<string> {
  const { port } = new URL(url);
  const bytes = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{`;
  let opened = 0;
  const hold = async () => {
    while (performance.now() < until) {
      const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress: ATTACKER });
      opened += 1;
      socket.on('error', () => {}).resume();
      socket.write(bytes);
      await Promise.race([
        new Promise((resolve) => socket.once('close', resolve)),
        pause(Math.max(0, until - performance.now())),
      ]);
      socket.destroy();
      await pause(2 * AGAIN_MS * Math.random());
    }
  };
  await Promise.all(Array.from({ length: sockets }, hold));
  return `${opened} sockets`;
}

async function sendBodies(body: Buffer): Promise<string> {
  const statuses: number[] = [];
  const send = () =>
    new Promise<number>((resolve) => {
      const headers = { token, 'content-type': 'application/json', 'content-length': body.length };
      const options = { method: 'POST', agent: false as const, headers, localAddress: ATTACKER };
      const sent = request(`${url}/v2/document`, options, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
      });
      sent.on('error', () => resolve(0));
      sent.end(body);
    });
  const again = async () => {
    while (performance.now() < until) {
      statuses.push(await send());
      await pause(AGAIN_MS);
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, again));
  return `${statuses.length} bodies, answered ${[...new Set(statuses)].join(', ')}`;
}

const wide = (item: string) => {
  const count = Math.floor((BODY_BYTES - 100) / (item.length + 1));
  return Buffer.from(`{"notes":[${Array.from({ length: count }, () => item).join()}]}`);
};

const manyNames = () => {
  const names = Array.from({ length: 1_000_000 }, (_, number) => `"a${number}":1`);
  return Buffer.from(`{${names.join()}}`);
};

parentPort?.postMessage(await ATTACKS[name]());
