// The database stops and starts during a backup and during 200 requests. The requests get 503 and recover without a
// restart of the service, each record that was answered with 201 is there once, and the job finishes.

import { LISTS } from '../../src/core/trade/lists.ts';
import { verifyArchive } from '../../src/work/archive/verify.ts';
import type { Answer } from '../../test/support/client/client.ts';
import { select } from '../../test/support/database/sql.ts';
import { until } from '../../test/support/service/until.ts';
import { type Report, seconds } from './report.ts';
import { Scene } from './scene.ts';

const { jobstatuses, contactkinds } = LISTS;
const REQUESTS = 200;
const AT_ONCE = 10;
const STOP_AFTER = 50;
const START_AFTER = 150;
const UNAVAILABLE = 'Service temporarily unavailable';

interface Outcome {
  readonly key: string;
  readonly answer: Answer;
  readonly milliseconds: number;
}

export async function database(
  report: Report,
  folder: string,
  { orders }: { orders: number },
): Promise<void> {
  const scene = await Scene.open(folder, { orders });
  try {
    await scene.start();
    await scene.called(await scene.request('/backup/owner'));
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) await outage(report, scene, signal);
    const left = await scene.leftOvers(await select(scene.server.database, 'SELECT file_name FROM jobs', []));
    report.demand(left.length === 0, `left over: ${left.join(', ')}`);
  } finally {
    await scene.close();
  }
}

async function outage(report: Report, scene: Scene, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  const { pid } = scene;
  const id = await scene.request('/backup/owner');
  await until(async () => (await scene.job(id)).status === jobstatuses.RUNNING);
  const outcomes = await requestsDuring(scene, signal);
  const began = performance.now();
  await until(async () => (await read(scene)).status === 200, 60_000);
  const recovered = performance.now() - began;
  const { job, calls, noted } = await scene.called(id);

  const counts = new Map<string, number>();
  for (const { answer } of outcomes) {
    const what = `${answer.status} ${answer.status >= 400 ? answer.body?.message : ''}`.trim();
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  const slowest = Math.max(...outcomes.map(({ milliseconds }) => milliseconds));
  report.say(`${signal} to the database server:`);
  report.say(
    `  ${REQUESTS} requests: ${[...counts].map(([what, count]) => `${count} × ${what}`).join(', ')}`,
  );
  report.say(
    `  slowest answer ${seconds(slowest)}; after the start the first 200 came within ${seconds(recovered)}`,
  );
  report.say(`  the backup: attempts ${job.attempts}, status ${job.status}, calls ${calls}`);

  const allowed = new Set([200, 201, 503]);
  const odd = outcomes.filter(({ answer }) => !allowed.has(answer.status));
  report.demand(
    odd.length === 0,
    `${odd.length} answers were neither a success nor 503: ${odd[0]?.answer.text}`,
  );
  const refused = outcomes.filter(({ answer }) => answer.status === 503);
  report.demand(refused.length > 0, 'no request met the outage');
  report.demand(
    refused.every(({ answer }) => answer.body?.message === UNAVAILABLE),
    'a 503 had another text',
  );
  await countContacts(report, scene, outcomes);
  report.demand(scene.pid === pid, 'the service was restarted');
  report.demand(job.status === jobstatuses.DONE, `the backup has status ${job.status}: ${job.error}`);
  report.demand(calls === 1 && noted === 1, `the backup: ${calls} calls, ${noted} noted`);
  await verifyArchive(scene.archive(job)).catch((error: Error) => report.demand(false, error.message));
}

/** Requests, half of them writing, some at once; the server goes away among them and comes back. */
async function requestsDuring(scene: Scene, signal: 'SIGTERM' | 'SIGKILL'): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  let next = 0;
  let away: Promise<void> | undefined;
  let back: Promise<void> | undefined;
  const run = async () => {
    for (let index = next++; index < REQUESTS; index = next++) {
      if (index === STOP_AFTER) away = scene.server.stop(signal);
      if (index === START_AFTER) back = (away ?? Promise.resolve()).then(() => scene.server.start());
      // The requests in between must meet a stopped server, not one that is still stopping.
      if (index > STOP_AFTER + AT_ONCE) await away;
      const began = performance.now();
      const key = `${signal}-${index}`;
      const answer = index % 2 === 0 ? await read(scene) : await write(scene, key);
      outcomes.push({ key, answer, milliseconds: performance.now() - began });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, run));
  await back;
  return outcomes;
}

const read = (scene: Scene) => scene.tenant.ask(scene.url, 'GET', '/order?page_size=10');

const write = (scene: Scene, external_id: string) =>
  scene.tenant.ask(scene.url, 'POST', '/contact', {
    contact_kind: contactkinds.PERSON,
    last_name: 'de Boer',
    country_id: 1,
    external_id,
  });

/** A 503 may have come after the commit; a 201 may not have come without one. */
async function countContacts(report: Report, scene: Scene, outcomes: readonly Outcome[]): Promise<void> {
  const rows = await select(
    scene.server.database,
    'SELECT external_id FROM contacts WHERE external_id IS NOT NULL',
    [],
  );
  const there = new Set(rows.map(({ external_id }) => external_id));
  const lost = outcomes.filter(({ key, answer }) => answer.status === 201 && !there.has(key));
  report.demand(lost.length === 0, `${lost.length} records that were answered 201 are not there`);
}
