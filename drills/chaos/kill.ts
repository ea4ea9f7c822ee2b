// kill -9 at random moments of backups and document generations: each job ends once, with one whole file and one
// callback, and leaves nothing else.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Row } from '../../src/core/model/fields/field.ts';
import { LISTS } from '../../src/core/trade/lists.ts';
import { verifyArchive } from '../../src/work/archive/verify.ts';
import { select } from '../../test/support/database/sql.ts';
import { type Report, seconds } from './report.ts';
import { Scene } from './scene.ts';

const run = promisify(execFile);
const { jobstatuses, documenttypes, documentkinds } = LISTS;

interface KillOptions {
  readonly rounds: number;
  readonly orders: number;
  readonly documents: number;
  /** Does not wait for the leases of the dead. */
  readonly hurry?: boolean;
}

interface Kind {
  readonly name: string;
  readonly request: (scene: Scene) => Promise<string>;
  /** The fault of a finished job, if it has one. */
  readonly inspect: (scene: Scene, job: Row) => Promise<string | undefined>;
}

export async function kill(report: Report, folder: string, options: KillOptions): Promise<void> {
  const scene = await Scene.open(folder, options);
  try {
    await scene.start();
    const orders = await select(scene.server.database, 'SELECT id FROM orders ORDER BY id LIMIT ?', [
      options.documents,
    ]);
    const ids = orders.map(({ id }) => Number(id));
    for (const kind of [BACKUP, generation(ids)]) await killRounds(report, scene, kind, options);
  } finally {
    await scene.close();
  }
}

async function killRounds(
  report: Report,
  scene: Scene,
  kind: Kind,
  { rounds, hurry = false }: KillOptions,
): Promise<void> {
  // The first job also loads code that the others find loaded.
  let undisturbed = 0;
  for (let run = 1; run <= 2; run += 1) {
    const { job } = await scene.called(await kind.request(scene));
    undisturbed = Date.parse(`${job.finished_at}Z`) - Date.parse(`${job.started_at}Z`);
  }
  report.say(`${kind.name}: ${seconds(undisturbed)} undisturbed`);
  for (let round = 1; round <= rounds; round += 1) {
    const id = await kind.request(scene);
    // Less than all of it: after the end there is nothing left to interrupt.
    const moment = Math.random() * 0.8 * undisturbed;
    await new Promise((resolve) => setTimeout(resolve, moment));
    await scene.end('SIGKILL');
    const { status, progress } = await scene.job(id);
    if (hurry) await scene.endLease(id);
    await scene.start();
    const { job, calls, noted } = await scene.called(id);
    const found =
      job.status === jobstatuses.DONE ? await kind.inspect(scene, job) : `it has status ${job.status}`;
    report.say(
      `  ${round}. killed after ${moment.toFixed(0)} ms (status ${status}, ${progress} %): ` +
        `attempts ${job.attempts}, calls ${calls}${found ? '' : ', whole'}`,
    );
    report.demand(found === undefined, `${kind.name} ${id}: ${found}`);
    report.demand(calls === 1 && noted === 1, `${kind.name} ${id}: ${calls} calls, ${noted} noted`);
  }
  const jobs = await select(scene.server.database, 'SELECT file_name FROM jobs', []);
  const left = await scene.leftOvers(jobs);
  report.say(`  left over: ${left.length === 0 ? 'nothing' : left.join(', ')}`);
  report.demand(left.length === 0, `left over: ${left.join(', ')}`);
}

const BACKUP: Kind = {
  name: 'backup',
  request: (scene) => scene.request('/backup/owner'),
  inspect: (scene, job) =>
    verifyArchive(scene.archive(job)).then(
      () => undefined,
      (error: Error) => error.message,
    ),
};

const generation = (order_ids: readonly number[]): Kind => ({
  name: `documents of ${order_ids.length} orders`,
  request: (scene) =>
    scene.request('/document/generate', { document_type: documenttypes.WORK_ORDER, order_ids }),
  inspect: async (scene, job) => {
    const file = scene.archive(job);
    await run('unzip', ['-tq', file]);
    const names = (await run('unzip', ['-Z1', file])).stdout.trim().split('\n');
    if (names.length !== order_ids.length + 1) return `${names.length} files`;
    const records = await select(
      scene.server.database,
      'SELECT order_id, COUNT(*) AS documents FROM documents WHERE document_kind = ? GROUP BY order_id',
      [documentkinds.WORK_ORDER],
    );
    const doubles = records.filter(({ documents }) => Number(documents) !== 1).length;
    if (records.length === order_ids.length && doubles === 0) return undefined;
    return `records of ${records.length} orders, ${doubles} of them double`;
  },
});
