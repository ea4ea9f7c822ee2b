// A backup that is asked for while nodes are killed: it is called back once, downloaded, and restored into a new
// garage.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { verifyArchive } from '../../src/work/archive/verify.ts';
import type { Json } from '../../test/support/client/client.ts';
import { openReceiver } from '../../test/support/process/https-receiver.ts';
import { cli } from '../../test/support/process/process.ts';
import { until } from '../../test/support/service/until.ts';
import { type Report, seconds } from '../chaos/report.ts';
import type { PersistentClient } from './client.ts';
import { checkNumbers } from './kill-check.ts';
import type { Scene } from './scene.ts';

const PATIENCE_MS = 180_000;

/** Asks for a backup; resolves with the work for the end of the scene. */
export async function askForBackup(scene: Scene, client: PersistentClient) {
  const receiver = await openReceiver();
  const began = performance.now();
  const { answer } = await client.send('POST', '/backup/owner', { webhook_url: receiver.url('/done') });
  const id = String(answer.data?.job_id);

  /** Waits for the callback, and restores the backup. */
  const restore = async (report: Report): Promise<void> => {
    try {
      const call = await until(async () => receiver.requests[0], PATIENCE_MS).catch(() => undefined);
      report.demand(call !== undefined, `the backup ${id} was never called back`);
      if (!call) return;
      const secret = new URL(call.url, 'https://localhost').searchParams.get('id');
      const result = await client.send('GET', `/webhook?id=${secret}`);
      const job = await client.send('GET', `/job/${id}`);
      const file = join(scene.folder, 'backup.zip');
      const took = Date.parse(job.answer.data.finished_at) - Date.parse(job.answer.data.created_at);
      report.say(`  the backup is ${job.answer.data.status}, ${seconds(took)} after it was asked for`);
      const download = await fetch(result.answer.data.url);
      await writeFile(file, Buffer.from(await download.arrayBuffer()));
      const { rows } = await verifyArchive(file);
      const restored = await cli(scene.process(0).env, 'restore', file);
      const missing = Object.entries(rows).filter(
        ([resource, number]) => (restored.rows as Record<string, number>)[resource] !== number,
      );
      const sum = Object.values(rows).reduce((one, other) => one + other, 0);
      report.say(`  restored into a new garage: ${sum} records, ${missing.length} resources incomplete`);
      report.demand(missing.length === 0, `the restored garage lacks records: ${JSON.stringify(missing)}`);
      await scene.settle();
      checkNumbers(report, await restoredOrders(scene, Number(restored.owner_id)));
    } finally {
      report.demand(
        receiver.requests.length === 1,
        `the backup was called back ${receiver.requests.length} times`,
      );
      await receiver.close();
    }
  };
  return { restore, asked: performance.now() - began };
}

/** By SQL: nobody can log in to the new garage. */
const restoredOrders = (scene: Scene, owner: number): Promise<Json[]> =>
  scene.cluster.first.query('SELECT is_invoiced, invoice_number FROM forecourt.orders WHERE owner_id = ?', [
    owner,
  ]);
