// The traces of an attack: memory of the process, files in the storage, rows in the database.
import { readFileSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { select } from '../../../test/support/database/sql.ts';
import { until } from '../../../test/support/service/until.ts';
import type { Report } from '../report.ts';
import type { Scene } from '../scene.ts';

const { QUEUED, RUNNING } = LISTS.jobstatuses;
/** A body that has paused for too long is given up within this time. */
const TIDY_MS = 30_000;
const LARGEST_TABLES = 5;
/** The report names so many files that are left over. */
const NAMED = 3;

/** MiB of resident memory, now and at most so far; undefined: the process is gone. */
export function memory(pid: number): { now: number; peak: number } | undefined {
  let status: string;
  try {
    status = readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return undefined;
  }
  const read = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 2 ** 10;
  return { now: read('VmRSS'), peak: read('VmHWM') };
}

/** Reports the traces that are left once all is calm, and demands that nothing superfluous is left. */
export async function demandNoTraces(report: Report, scene: Scene, name: string): Promise<void> {
  const left = await until(async () => (await strays(scene)).length === 0, TIDY_MS).then(
    () => [],
    () => strays(scene),
  );
  const { files, bytes } = await sizeOf(scene.storage);
  const progress = await one(
    scene,
    'SELECT COUNT(*) AS n, COALESCE(SUM(LENGTH(report) + LENGTH(refused)), 0) AS bytes FROM import_batches',
  );
  report.say(`  at the end: ${mib(bytes)} in ${files} files of the storage; rows: ${await rowsOf(scene)}`);
  report.say(
    `  of imports that are over: ${progress.n} batches with ${mib(Number(progress.bytes))} of reports`,
  );
  report.demand(
    left.length === 0,
    `${name}: ${left.length} files are left over, such as ${left.slice(0, NAMED).join(', ')}`,
  );
  report.demand(Number(progress.n) === 0, `${name}: ${progress.n} batches of imports that are over`);
}

/** Part files, and uploads without an open job. */
async function strays(scene: Scene): Promise<string[]> {
  const jobs = await select(scene.server.database, 'SELECT id, file_name, status FROM jobs', []);
  const open = jobs
    .filter(({ status }) => status === QUEUED || status === RUNNING)
    .map(({ id }) => String(id));
  const uploads = await readdir(join(scene.storage, 'uploads'));
  const unneeded = uploads.filter((file) => !open.some((id) => file.startsWith(id)));
  return [...new Set([...(await scene.leftOvers(jobs)), ...unneeded.map((file) => `uploads/${file}`)])];
}

async function sizeOf(folder: string): Promise<{ files: number; bytes: number }> {
  let [files, bytes] = [0, 0];
  for (const name of await readdir(folder, { recursive: true })) {
    // A file may go between the two calls.
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (!found?.isFile()) continue;
    files += 1;
    bytes += found.size;
  }
  return { files, bytes };
}

/** The rows of the tables that have the most. */
async function rowsOf(scene: Scene): Promise<string> {
  const tables = await select(
    scene.server.database,
    'SELECT TABLE_NAME AS name FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()',
    [],
  );
  const counts = await Promise.all(
    tables.map(async ({ name }) => ({
      name,
      n: Number((await one(scene, `SELECT COUNT(*) AS n FROM ${name}`)).n),
    })),
  );
  counts.sort((a, b) => b.n - a.n);
  return counts
    .slice(0, LARGEST_TABLES)
    .map(({ name, n }) => `${name} ${n}`)
    .join(', ');
}

const one = async (scene: Scene, sql: string) => (await select(scene.server.database, sql, []))[0] ?? {};

const mib = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
