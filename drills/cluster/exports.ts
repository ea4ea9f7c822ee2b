// Exports while three processes write, and all of them give places: a copy that loads an export and follows the feed
// behind its cursor equals the list, and got nothing twice.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Json } from '../../test/support/client/client.ts';
import { until } from '../../test/support/service/until.ts';
import { type Report, seconds } from '../chaos/report.ts';
import { openGalera } from './cluster.ts';
import { Scene } from './scene.ts';

const program = promisify(execFile);
const RESOURCE = 'turnovergroup';

interface Copy {
  readonly records: Map<number, Json>;
  readonly after: string;
}

export async function exports(report: Report, folder: string, { times }: { times: number }): Promise<void> {
  const scene = await Scene.open(folder, openGalera, { JOB_THREADS: '1' });
  try {
    await scene.start();
    let going = true;
    const workers = scene.processes.flatMap((_, index) => [
      write(scene, index, () => going),
      read(scene, index, () => going),
    ]);
    const copies: Copy[] = [];
    const began = performance.now();
    try {
      for (let time = 0; time < times; time += 1) copies.push(await load(scene, folder, time));
    } finally {
      going = false;
      await Promise.allSettled(workers);
    }
    const took = performance.now() - began;
    const written = (await Promise.all(workers)).reduce((sum, count) => sum + count, 0);
    await scene.settle();
    await compare(report, scene, copies);
    report.say(`  ${times} exports in ${seconds(took)}, ${written} changes by three processes`);
    report.demand(written > 10 * times, `only ${written} changes were made meanwhile`);
    // Requests that met too many others are asked to come again, and jobs do so by themselves.
    report.say(`  all answers: ${scene.tally.text()}`);
    for (const line of scene.errors()) report.say(`  logged by ${line}`);
  } finally {
    await scene.close();
  }
}

/** Adds, changes and deletes records at one process. Answers how many changes it made. */
async function write(scene: Scene, index: number, going: () => boolean): Promise<number> {
  let changes = 0;
  for (let turn = 0; going(); turn += 1) {
    const body = { code: `${index}-${turn}`, name: 'Onderdelen', vat_code: 1 };
    const { data } = await scene.ask(index, 'POST', `/${RESOURCE}`, { body });
    await scene.ask(index, 'PUT', `/${RESOURCE}/${data.id}`, { body: { name: `Groep ${turn}` } });
    if (turn % 3 === 0) await scene.ask(index, 'DELETE', `/${RESOURCE}/${data.id}`);
    changes += turn % 3 === 0 ? 3 : 2;
  }
  return changes;
}

/** Follows the feed at one process, so that each process gives places. */
async function read(scene: Scene, index: number, going: () => boolean): Promise<number> {
  for (let after = 'now'; going(); )
    after = (await scene.ask(index, 'GET', `/changes?after=${after}&wait=1`)).body.next ?? after;
  return 0;
}

async function load(scene: Scene, folder: string, time: number): Promise<Copy> {
  const body = { resource: RESOURCE };
  const { data } = await scene.ask(time, 'POST', '/export', { body });
  const url = await until(async () => {
    const job = await scene.ask(time, 'GET', `/job/${data.job_id}`);
    if (job.data?.status === 'failed') throw new Error(job.data.error);
    return job.data?.status === 'done' ? String(job.data.url) : undefined;
  }, 60_000);
  const zip = join(folder, 'storage', 'archives', /\/files\/([^?]+)/.exec(url)?.[1] ?? '');
  const part = async (name: string) =>
    (await program('unzip', ['-p', zip, name], { maxBuffer: 2 ** 28 })).stdout;
  const lines = (await part(`${RESOURCE}.ndjson`)).split('\n').slice(0, -1);
  const records = lines.map((line) => JSON.parse(line) as Json);
  return {
    records: new Map(records.map((record) => [Number(record.id), record])),
    after: JSON.parse(await part('summary.json')).after,
  };
}

/** Follows the feed behind each copy, and compares the copy with the list. */
async function compare(report: Report, scene: Scene, copies: readonly Copy[]): Promise<void> {
  const list = text((await scene.listAll(RESOURCE)).map((record) => [Number(record.id), record]));
  let [different, twice, followed] = [0, 0, 0];
  for (const { records, after } of copies) {
    for (let next = after, more = true; more; ) {
      const path = `/changes?after=${next}&resource=${RESOURCE}&expand=record&page_size=1000`;
      const { data, body } = await scene.ask(0, 'GET', path);
      for (const { id, action, record } of data) {
        followed += 1;
        // A change that came twice would add an existing record, or change a missing one.
        if (records.has(id) === (action === 'created')) twice += 1;
        if (action === 'deleted') records.delete(id);
        else records.set(id, record ?? {});
      }
      next = body.next;
      more = body.has_more;
    }
    if (text([...records]) !== list) different += 1;
  }
  report.say(`  ${copies.length} copies, ${followed} changes behind their cursors`);
  report.demand(different === 0, `${different} of ${copies.length} copies differ from the list`);
  report.demand(twice === 0, `${twice} changes came twice or never`);
  report.demand(followed > 0, 'no change was behind a cursor');
}

const text = (records: readonly (readonly [number, Json])[]): string =>
  JSON.stringify([...records].sort(([one], [other]) => one - other));
