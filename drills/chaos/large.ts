// Measures time and memory of the backup of a million order lines, and compares with ten thousand. Memory must not grow
// with the garage. Both backups are verified.
import { statSync } from 'node:fs';
import { verifyArchive } from '../../src/work/archive/verify.ts';
import { run } from '../../test/support/process/process.ts';
import { type Report, seconds } from './report.ts';
import { Scene } from './scene.ts';
import { peakMemoryOf } from './usage.ts';

/** The moment of a garbage collection is chance. A leak would be hundreds of MB. */
const MOST_MORE_MB = 64;
/** The backups of each garage: even the small one must run long enough for the garbage collector to find its pace. */
const BACKUPS = [8, 1];

interface LargeOptions {
  /** Orders of the small garage and of the large one, with three lines each on average. */
  readonly orders: readonly [number, number];
}

export async function large(report: Report, folder: string, { orders }: LargeOptions): Promise<void> {
  const peaks: number[] = [];
  for (const [index, count] of orders.entries()) {
    const began = performance.now();
    const scene = await Scene.open(`${folder}/${index}`, { orders: count });
    report.say(`${count} orders: made in ${seconds(performance.now() - began)}`);
    try {
      await scene.start();
      // The first request and the log-in have their own needs.
      await scene.tenant.ask(scene.url, 'GET', '/order?page_size=1');
      const idle = peakMemoryOf(scene.pid);
      for (let more = 1; more < (BACKUPS[index] ?? 1); more += 1)
        await scene.called(await scene.request('/backup/owner'));
      const { job, calls } = await scene.called(await scene.request('/backup/owner'));
      const peak = peakMemoryOf(scene.pid);
      peaks.push(peak);
      const took = Date.parse(`${job.finished_at}Z`) - Date.parse(`${job.started_at}Z`);
      const { size } = statSync(scene.archive(job));
      const { rows } = await verifyArchive(scene.archive(job));
      const { code, out } = await run('cli/main.js', ['verify', scene.archive(job), '--json'], scene.env);
      report.say(
        `  ${rows.orderline} lines: backed up in ${seconds(took)}, ${(size / 2 ** 20).toFixed(1)} MiB, ` +
          `peak memory ${peak.toFixed(0)} MiB (${idle.toFixed(0)} before), calls ${calls}`,
      );
      report.demand(code === 0, `forecourt verify ended with ${code}: ${out}`);
    } finally {
      await scene.close();
    }
  }
  const [small = 0, big = 0] = peaks;
  report.say(`  the large one took ${(big - small).toFixed(0)} MiB more at its peak`);
  report.demand(big - small <= MOST_MORE_MB, `memory grows with the garage: ${small} to ${big} MiB`);
}
