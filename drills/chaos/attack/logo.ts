// Logos that are costly to decode: small progressive JPEGs whose scans each visit every block and change nothing.
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import type { Deed, Part, Target } from './part.ts';
import { ask, type Outcome, repeat, runJob, Tally } from './request.ts';

/** Each sends one logo at a time: requests of one garage wait for each other. */
const GARAGES = 4;
/** The logos are the attack, not the number of requests. */
const AGAIN_MS = 250;
/** The longest side of a logo that the service accepts. */
const PIXELS = 3_000;
const COLOUR = { r: 200, g: 30, b: 40 };
/** The largest is a logo of almost 1 MiB. */
const HOSTILE_BYTES = [60_000, 300_000, 1_000_000];
/** As many as a logo may have. */
const ALLOWED_SCANS = 50;
const DOCUMENTS = 50;
const WORK_ORDER = 5;
const JOB_MS = 60_000;
const START_OF_SCAN = Buffer.of(0xff, 0xda);
const HUFFMAN_TABLE = Buffer.of(0xff, 0xc4);
const END_OF_IMAGE = Buffer.of(0xff, 0xd9);

export const logo: Part = {
  attacks: {
    'logos of thousands of scans': async (target) =>
      sendLogos(target, await Promise.all(HOSTILE_BYTES.map(jpegOfBytes)), 'refuses'),
    'logos of the most scans': async (target) =>
      sendLogos(target, [await jpegOfScans(ALLOWED_SCANS)], 'takes'),
    'documents with such a logo': makeDocuments,
  },
  garages: GARAGES,
  mostMemory: 300,
};

/** `should`: the right answer to such logos; a limit of requests (429) is always right too. */
async function sendLogos(
  target: Target,
  logos: readonly Buffer[],
  should: 'takes' | 'refuses',
): Promise<Deed> {
  const garages = await Promise.all(target.tokens.map(async (token) => garageOf({ ...target, token })));
  const bodies = logos.map((bytes) => JSON.stringify({ logo: bytes.toString('base64') }));
  const answers = new Tally();
  const send = ({ asked, id }: Garage) =>
    repeat(target, 1, async (turn) => {
      answers.add(await ask(asked, 'PUT', `/owner/${id}`, { body: bodies[turn % bodies.length] }));
      await pause(AGAIN_MS);
    });
  await Promise.all(garages.map(send));
  const isRight = ({ status, message }: Outcome) =>
    status === 429 || (should === 'takes' ? status === 200 : status === 403 && message.includes('[logo]'));
  const wrong = answers.count((outcome) => !isRight(outcome));
  const sizes = logos.map(({ length }) => `${(length / 1000).toFixed(0)} KB`).join(', ');
  return {
    did: `logos of ${sizes}: ${answers}`,
    wrong: wrong > 0 ? [`the service ${should} such logos, but not ${wrong} of them`] : [],
  };
}

interface Garage {
  readonly asked: Target;
  readonly id: number;
}

const garageOf = async (asked: Target): Promise<Garage> => ({
  asked,
  id: (await ask(asked, 'GET', '/owner')).body.data[0].id,
});

async function makeDocuments(target: Target): Promise<Deed> {
  const { body } = await ask(target, 'GET', `/order?page_size=${DOCUMENTS}`);
  const order_ids: number[] = body.data.map(({ id }: { id: number }) => id);
  const ended: string[] = [];
  await repeat(target, 1, async () => {
    const asked = JSON.stringify({ document_type: WORK_ORDER, order_ids });
    ended.push((await runJob(target, '/document/generate', { body: asked }, JOB_MS)).status);
  });
  return {
    did: `${ended.length} times ${order_ids.length} documents`,
    wrong: ended.some((status) => status !== 'done') ? [`jobs ended as ${ended.join(', ')}`] : [],
  };
}

async function jpegOfBytes(bytes: number): Promise<Buffer> {
  const { begin, scan } = await parts();
  return jpegOf(begin, scan, Math.floor((bytes - begin.length) / scan.length));
}

async function jpegOfScans(scans: number): Promise<Buffer> {
  const { begin, scan, count } = await parts();
  return jpegOf(begin, scan, scans - count);
}

const jpegOf = (begin: Buffer, scan: Buffer, more: number) =>
  Buffer.concat([begin, ...Array.from({ length: more }, () => scan), END_OF_IMAGE]);

/**
 * A progressive JPEG of one colour without its end, and how many scans it has. `scan`: the second one, which gives all
 * blocks of the brightness their details; it may come again, since it does not build on another scan.
 */
async function parts(): Promise<{ begin: Buffer; scan: Buffer; count: number }> {
  const create = { width: PIXELS, height: PIXELS, channels: 3, background: COLOUR } as const;
  const whole = await sharp({ create }).jpeg({ mozjpeg: true }).toBuffer();
  const starts: number[] = [];
  for (let at = whole.indexOf(START_OF_SCAN); at >= 0; at = whole.indexOf(START_OF_SCAN, at + 1))
    starts.push(at);
  return {
    begin: whole.subarray(0, -END_OF_IMAGE.length),
    scan: whole.subarray(starts[1], whole.indexOf(HUFFMAN_TABLE, starts[1])),
    count: starts.length,
  };
}
