// Uploads that come in crowds, stop half-way, or hold nothing but rows to refuse.
import { setTimeout as pause } from 'node:timers/promises';
import { readReport } from '../../../test/support/client/import.ts';
import type { Deed, Part, Target } from './part.ts';
import { ask, begin, repeat, runJob, Tally } from './request.ts';

const CSV = 'text/csv';
const IMPORT = '/import?resource=contact';
const HEADER = 'external_id,contact_kind,last_name,country_id\n';

const CROWD = 200;
/** How many uploads an owner may have at once. */
const MOST_AT_ONCE = 2;
/** How long the crowd waits in the middle of its bodies. The service calls a body slow after 5 s. */
const HOLD_MS = 3_000;
const HALF_ROWS = 200;
const CALM_MS = 180_000;
const OPEN = ['queued', 'running'];

const PAUSING = 8;
/** Each body sends so much before it pauses. */
const PAUSING_BYTES = 50 * 1024 * 1024;
const PIECE = Buffer.alloc(2 ** 20, '1,1,Jansen,1\n');
/** Longer than the service waits for a body that pauses. */
const PAUSE_MS = 15_000;
/** An upload that is refused at once comes back after this time. */
const AGAIN_MS = 1_000;
const LEAVES_AFTER_MS = 2_000;

const REFUSED_ROWS = 200_000;
const MOST_REFUSED = 10_000;
/** The import ends after the batch with too many refused rows. */
const BATCH = 200;
const TOO_MANY = 'Too many refused rows';
const JOB_MS = 300_000;

export const uploads: Part = {
  attacks: {
    'uploads at once': comeInCrowds,
    'uploads that pause': stopHalfWay,
    'rows to refuse': sendRefusedRows,
  },
  mostMemory: 400,
};

async function comeInCrowds(target: Target): Promise<Deed> {
  const answers = new Tally();
  let answered = 0;
  const crowd = Array.from({ length: CROWD }, (_, number) => {
    const { sent, answer } = begin(target, 'POST', IMPORT, CSV);
    sent.write(`${HEADER}${rows(`${number}-a`)}`);
    return { number, sent, answer: answer.finally(() => (answered += 1)) };
  });
  await pause(HOLD_MS);
  const held = CROWD - answered;
  for (const { number, sent } of crowd) sent.end(rows(`${number}-b`));
  for (const { answer } of crowd) answers.add(await answer);
  await calm(target);
  return {
    did: `${held} of ${CROWD} uploads at once were taken, then answered: ${answers}`,
    wrong: held > MOST_AT_ONCE ? [`${held} uploads of one owner at once were taken`] : [],
  };
}

const rows = (prefix: string) =>
  Array.from({ length: HALF_ROWS }, (_, n) => `${prefix}-${n},1,Jansen ${n},1\n`).join('');

/** Returns once the garage has no open job. */
async function calm(target: Target): Promise<void> {
  const end = performance.now() + CALM_MS;
  for (;;) {
    const { status, body } = await ask(target, 'GET', '/job?page_size=1000');
    const open = (body?.data ?? []).filter((job: { status: string }) => OPEN.includes(job.status)).length;
    if (status === 200 && open === 0) return;
    if (performance.now() > end) throw new Error(`${open} jobs are still open, GET /job answered ${status}`);
    await pause(1_000);
  }
}

/** Every second caller leaves; the others wait for the answer. */
async function stopHalfWay(target: Target): Promise<Deed> {
  const answers = new Tally();
  let left = 0;
  await repeat(target, PAUSING, async (turn) => {
    const { sent, answer } = begin(target, 'POST', IMPORT, CSV);
    const gone = answer.then(() => true);
    sent.write(HEADER);
    const isAnswered = async (milliseconds: number) => Promise.race([gone, pause(milliseconds, false)]);
    for (let bytes = 0; bytes < PAUSING_BYTES && !sent.destroyed; bytes += PIECE.length) {
      const isFree = sent.write(PIECE) || new Promise((resolve) => sent.once('drain', resolve));
      await Promise.race([isFree, gone]);
      if (await isAnswered(0)) break;
    }
    const leaves = turn % 2 === 1;
    if (!(await isAnswered(leaves ? LEAVES_AFTER_MS : PAUSE_MS)) && leaves) left += 1;
    sent.destroy();
    const ended = await answer;
    if (ended.status !== 0) answers.add(ended);
    await pause(AGAIN_MS);
  });
  return { did: `${left} left half-way, the others were answered: ${answers}` };
}

async function sendRefusedRows(target: Target): Promise<Deed> {
  const body = `last_name\n${'x\n'.repeat(REFUSED_ROWS)}`;
  const began = performance.now();
  const job = await runJob(target, IMPORT, { body, type: CSV }, JOB_MS);
  const took = ((performance.now() - began) / 1000).toFixed(1);
  const reported = job.url === undefined ? 0 : (await readReport(job.url)).rows.length;
  const wrong: string[] = [];
  if (job.status !== 'failed' || job.error !== TOO_MANY)
    wrong.push(`the import is ${job.status}: ${job.error}`);
  if (reported === 0) wrong.push('the import has no report');
  if (reported > MOST_REFUSED + BATCH) wrong.push(`the report tells of ${reported} rows`);
  return {
    did:
      `a file of ${(body.length / 1000).toFixed(0)} KB with ${REFUSED_ROWS} rows to refuse: ${job.status} in ${took} s, ` +
      `${reported} rows in a report of ${((job.size ?? 0) / 1000).toFixed(0)} KB`,
    wrong,
  };
}
