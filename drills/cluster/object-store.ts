// A backup of about 1 GB into a bucket: the peak memory of the service, and a download that is broken off and resumed.
// Another script calls it, or `node dist/drills/cluster/object-store.js` alone.
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, readFileSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { LISTS } from '../../src/core/trade/lists.ts';
import { processEnvironment, startProcess } from '../../test/support/process/process.ts';
import { openTenant } from '../../test/support/process/process-garage.ts';
import { openS3 } from '../../test/support/process/s3-server.ts';
import { until } from '../../test/support/service/until.ts';
import { Report } from '../chaos/report.ts';

/** Small enough for POST /document. */
const DOCUMENT_BYTES = 9_500_000;
/** Parts of 8 MiB that wait or are sent, the thread of the job, and the SDK. */
const MOST_GROWTH_MB = 250;
const PATIENCE_MS = 30 * 60 * 1000;

/** `bucket: false` measures the same backup on the local disk, for comparison. */
export async function objectStore(
  report: Report,
  folder: string,
  { documents = 110, bucket = true } = {},
): Promise<void> {
  const s3 = bucket ? await openS3() : undefined;
  const settings = { ...s3?.env, JOB_THREADS: '1' };
  const env = processEnvironment(join(folder, 'storage'), settings);
  let service = await startProcess(env);
  try {
    const tenant = await openTenant(env, { orders: 100 });
    for (let made = 0; made < documents; made += 1) {
      const answer = await tenant.ask(service.url, 'POST', '/document', {
        document_kind: LISTS.documentkinds.OTHER,
        name: `Scan ${made}`,
        file_name: 'scan.jpg',
        mime_type: 'image/jpeg',
        // No compression makes it smaller.
        content: randomBytes(DOCUMENT_BYTES).toString('base64'),
      });
      if (answer.status !== 201) throw new Error(`no document: ${answer.text}`);
    }
    // A fresh process: the requests above took memory too.
    await service.kill('SIGTERM');
    service = await startProcess(env);
    const pid = service.child.pid ?? 0;
    const token = await tenant.ask(service.url, 'GET', '/job');
    if (token.status !== 200) throw new Error(`no jobs: ${token.text}`);
    const before = memory(pid, 'VmRSS');
    const began = performance.now();
    const id = await tenant.backup(service.url, 'https://127.0.0.1:1/');
    const job = await until(async () => {
      const { data } = await tenant.ask(service.url, 'GET', `/job/${id}`);
      return ['done', 'failed'].includes(data.status) && data;
    }, PATIENCE_MS);
    const seconds = (performance.now() - began) / 1000;
    const afterBackup = memory(pid, 'VmHWM');
    report.demand(job.status === 'done', `the backup is ${job.status} ${job.error ?? ''}`);
    const megabytes = job.size / 1e6;
    report.say(
      `backup of ${megabytes.toFixed(0)} MB to ${bucket ? 'a bucket' : 'the disk'}: ${seconds.toFixed(1)} s, ` +
        `${(megabytes / seconds).toFixed(0)} MB/s; memory ${before.toFixed(0)} MB before, ${afterBackup.toFixed(0)} MB at most`,
    );
    report.demand(afterBackup - before < MOST_GROWTH_MB, `memory grows by less than ${MOST_GROWTH_MB} MB`);
    const file = join(folder, 'download.zip');
    const [first, all] = [await download(job.url, file, job.size / 2), await download(job.url, file)];
    report.say(`downloaded ${first} bytes, broken off, resumed to ${all} bytes`);
    report.demand(first > 0 && first < job.size && all === job.size, 'curl resumed the download');
    report.demand((await digestOf(file)) === job.sha256, 'the file has the SHA-256 of the job');
    report.say(`memory at most ${memory(pid, 'VmHWM').toFixed(0)} MB after the download`);
    const open = (await s3?.objects.uploads('')) ?? [];
    report.demand(open.length === 0, 'no upload is open');
  } finally {
    await service.kill('SIGTERM');
    await s3?.close();
  }
}

/** Continues the download at the end of the file, and stops after about so many bytes. Returns the size of the file. */
async function download(url: string, file: string, stopAt = Number.POSITIVE_INFINITY): Promise<number> {
  const sizeOf = () =>
    stat(file).then(
      ({ size }) => size,
      () => 0,
    );
  const slow = stopAt === Number.POSITIVE_INFINITY ? [] : ['--limit-rate', '200M'];
  const curl = spawn('curl', ['-sS', '-C', '-', '-o', file, ...slow, url], { stdio: 'inherit' });
  const ended = once(curl, 'exit');
  if (stopAt !== Number.POSITIVE_INFINITY) {
    await until(async () => curl.exitCode !== null || (await sizeOf()) >= stopAt, PATIENCE_MS);
    curl.kill('SIGKILL');
  }
  await ended;
  return sizeOf();
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest('hex');
}

/** Megabytes: now (VmRSS) or at most (VmHWM). */
function memory(pid: number, which: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return (Number(new RegExp(`${which}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) * 1024) / 1e6;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const report = new Report();
  for (const bucket of [true, false]) {
    const folder = await mkdtemp(join(tmpdir(), 'forecourt-object-store-'));
    await objectStore(report, folder, { bucket, documents: Number(process.argv[2] ?? 110) });
    await rm(folder, { recursive: true, force: true });
  }
  process.exitCode = report.wrong.length === 0 ? 0 : 1;
}
