// The limits of an owner's jobs: 100 open ones, one for identical requests, two that run.

import { LISTS } from '../../src/core/trade/lists.ts';
import { until } from '../../test/support/service/until.ts';
import type { Report } from '../chaos/report.ts';
import type { Rule } from './pair.ts';
import { addBuyer, addOrder } from './record.ts';
import type { Scene } from './scene.ts';

const { QUEUED, RUNNING, DONE } = LISTS.jobstatuses;
const MOST_OPEN = 100;
const MOST_RUNNING = 2;
export const OPEN_JOBS = `an owner has ${MOST_OPEN} open jobs at most`;
/** Each request names other orders: identical requests share a job. With n orders there are 2ⁿ − 1 requests. */
const ORDERS = 8;
const PATIENCE_MS = 300_000;
const THREADS = '2';

/** The rules of open jobs. No process of the scene may run jobs meanwhile. */
export async function jobRules(scene: Scene): Promise<Rule[]> {
  const contact = await addBuyer(scene);
  const orders: number[] = [];
  for (let count = 0; count < ORDERS; count += 1) orders.push(await addOrder(scene, contact));
  const request = (number: number) => ({
    method: 'POST',
    path: '/document/generate',
    body: {
      document_type: LISTS.documenttypes.WORK_ORDER,
      order_ids: orders.filter((_, bit) => (number >> bit) & 1),
    },
  });
  const fill = async (to: number) => {
    const open = await openJobs(scene);
    for (const { id } of open.slice(to)) await scene.ask(0, 'DELETE', `/job/${id}`);
    for (let number = 1; (await openJobs(scene)).length < to; number += 1) {
      const { path, body } = request(number);
      await scene.ask(0, 'POST', path, { body });
    }
  };
  // The last orders, which `fill` never asks for. No two rules share one of them.
  const [same, one, other] = [request(2 ** ORDERS - 1), request(2 ** ORDERS - 2), request(2 ** ORDERS - 3)];
  return [
    {
      name: 'identical requests share a job',
      prepare: async () => {
        await fill(0);
        return { requests: [same, same], isBroken: async () => (await openJobs(scene)).length !== 1 };
      },
    },
    {
      name: OPEN_JOBS,
      prepare: async () => {
        await fill(MOST_OPEN - 1);
        return {
          requests: [one, other],
          isBroken: async () => (await openJobs(scene)).length > MOST_OPEN,
        };
      },
    },
  ];
}

/** The oldest first. */
const openJobs = (scene: Scene) =>
  scene.cluster.first.query(
    'SELECT id FROM forecourt.jobs WHERE owner_id = ? AND status IN (?, ?) ORDER BY created_at',
    [scene.tenant.owner, QUEUED, RUNNING],
  );

/** Starts all processes again, with threads for jobs. */
export async function launchThreads(scene: Scene): Promise<void> {
  for (const process of scene.processes) {
    await process.end('SIGTERM');
    process.launch({ JOB_THREADS: THREADS });
  }
}

/** All processes start again, with threads, and work off the open jobs, two of an owner at a time. */
export async function runJobs(report: Report, scene: Scene): Promise<void> {
  await launchThreads(scene);
  let [most, times] = [0, 0];
  await until(async () => {
    const rows = await scene.cluster.first.query(
      'SELECT status, COUNT(*) AS jobs FROM forecourt.jobs WHERE owner_id = ? GROUP BY status',
      [scene.tenant.owner],
    );
    const count = new Map(rows.map(({ status, jobs }) => [Number(status), Number(jobs)]));
    const running = count.get(RUNNING) ?? 0;
    most = Math.max(most, running);
    if (running > MOST_RUNNING) times += 1;
    return running === 0 && !count.has(QUEUED);
  }, PATIENCE_MS);
  const jobs = await scene.cluster.first.query(
    'SELECT attempts, error FROM forecourt.jobs WHERE owner_id = ? AND finished_at IS NOT NULL AND status = ?',
    [scene.tenant.owner, DONE],
  );
  const again = jobs.filter(({ attempts }) => Number(attempts) !== 1).length;
  report.say(
    `  an owner has ${MOST_RUNNING} running jobs at most: ${jobs.length} jobs, ${most} at once, ${again} tried again`,
  );
  report.demand(most <= MOST_RUNNING, `${most} jobs of an owner ran at once, seen ${times} times`);
  report.demand(jobs.length >= MOST_OPEN, `only ${jobs.length} of ${MOST_OPEN} jobs are done`);
  report.demand(again === 0, `${again} jobs ran more than once`);
}
