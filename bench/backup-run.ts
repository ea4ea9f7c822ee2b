// A process that makes one backup in a worker thread, as the service's jobs do, at the compression level that
// the caller gives.
import { join } from 'node:path';
import { readArchive } from '../src/work/archive/read.ts';
import type { Task } from '../src/work/jobs/kind.ts';
import { Pool } from '../src/work/jobs/pool.ts';
import { memory, readInput } from './process.ts';

export type BackupRun = Task<'owner-backup'>;

export interface BackupMade {
  readonly seconds: number;
  readonly rows: number;
  /** Bytes before and after compression. */
  readonly bytes: number;
  readonly size: number;
  /** Megabytes. */
  readonly peak: number;
}

const task = await readInput<BackupRun>();
const pool = new Pool(1);
const started = performance.now();
const result = await pool.run({
  kind: 'owner-backup',
  task,
  signal: new AbortController().signal,
  onProgress: () => {},
});
const seconds = (performance.now() - started) / 1000;
const peak = memory(process.pid, 'VmHWM');
await pool.close();
if (!result.ok) throw new Error(result.message);
const archive = await readArchive(join(task.storage.storageDir, 'archives', task.archive));
const { files } = archive.manifest;
archive.close();
const made: BackupMade = {
  seconds,
  rows: files.reduce((sum, { rows = 0 }) => sum + rows, 0),
  bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
  size: result.size,
  peak,
};
process.stdout.write(JSON.stringify(made));
