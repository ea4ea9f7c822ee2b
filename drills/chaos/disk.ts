// The disk is full: a job fails with a clear cause, storing a document is refused clearly, and all other requests work.
// Once there is space, everything works again. The storage is a small tmpfs; the database is elsewhere.

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LISTS } from '../../src/core/trade/lists.ts';
import { verifyArchive } from '../../src/work/archive/verify.ts';
import { select } from '../../test/support/database/sql.ts';
import { fillDisk, mountSmallDisk } from '../../test/support/process/full-disk.ts';
import type { Report } from './report.ts';
import { Scene } from './scene.ts';

const { jobstatuses, documentkinds, contactkinds, documenttypes } = LISTS;
const SIZE_MB = 8;
const LEFT_BYTES = 200_000;
const CAUSE = 'No space left on the disk for the archive';

export async function disk(report: Report, folder: string, { orders }: { orders: number }): Promise<void> {
  const storage = join(folder, 'small');
  const unmount = await mountSmallDisk(storage, SIZE_MB);
  if (!unmount) {
    report.say(`skipped: a tmpfs can't be mounted here (it needs root)`);
    return;
  }
  try {
    await play(report, await Scene.open(folder, { orders, storage }));
  } finally {
    unmount();
  }
}

async function play(report: Report, scene: Scene): Promise<void> {
  const ask = (method: string, path: string, body?: Record<string, unknown>) =>
    scene.tenant.ask(scene.url, method, path, body);
  const upload = () =>
    ask('POST', '/document', {
      document_kind: documentkinds.PHOTO,
      name: 'A photo',
      file_name: 'photo.jpg',
      mime_type: 'image/jpeg',
      content: Buffer.alloc(100_000, crypto.randomUUID()).toString('base64'),
    });
  const contact = () =>
    ask('POST', '/contact', { contact_kind: contactkinds.PERSON, last_name: 'de Boer', country_id: 1 });
  const order = Number((await select(scene.server.database, 'SELECT MIN(id) AS id FROM orders', []))[0]?.id);
  const documents = { document_type: documenttypes.WORK_ORDER, order_ids: [order] };
  const total = async () => Number((await ask('GET', '/document?count=1&page_size=1')).body.total);
  try {
    await scene.start();
    const before = await total();
    const filler = join(scene.storage, 'filler');
    // The backup begins and comes to the end of the disk; for the documents there is nothing at all.
    await fillDisk(filler, LEFT_BYTES);
    const backup = await scene.request('/backup/owner');
    await scene.over(backup);
    await fillDisk(filler);
    const ids = [backup, await scene.request('/document/generate', documents)];
    const others = await Promise.all([
      ...Array.from({ length: 20 }, () => ask('GET', '/order?page_size=10')),
      ...Array.from({ length: 20 }, contact),
    ]);
    for (const id of ids) {
      const { job, calls } = await scene.called(id);
      report.say(`full: ${job.kind} has status ${job.status}, "${job.error}", calls ${calls}`);
      report.demand(job.status === jobstatuses.FAILED && job.error === CAUSE, `${job.kind}: ${job.error}`);
      report.demand(calls === 1, `${job.kind}: ${calls} calls`);
    }
    const refused = await upload();
    const ready = await fetch(`${scene.url}/health/ready`);
    report.say(`full: POST /document answers ${refused.status} ${refused.body?.message}`);
    report.say(
      `full: of 40 other requests ${others.filter(({ status }) => status < 300).length} were answered`,
    );
    report.say(`full: /health/ready answers ${ready.status} ${await ready.text()}`);
    report.demand(refused.status === 507, `POST /document: ${refused.text}`);
    report.demand(
      others.every(({ status }) => status < 300),
      'another request was not answered',
    );
    report.demand((await total()) === before, 'a document was recorded without its bytes');
    await leftOvers(report, scene);

    await rm(filler);
    for (const path of ['/backup/owner', '/document/generate']) {
      const { job, calls } = await scene.called(
        await scene.request(path, path === '/backup/owner' ? {} : documents),
      );
      report.say(`free again: ${job.kind} has status ${job.status}, calls ${calls}`);
      report.demand(job.status === jobstatuses.DONE && calls === 1, `${job.kind}: ${job.error}`);
      if (path === '/backup/owner') await verifyArchive(scene.archive(job));
    }
    const taken = await upload();
    report.say(`free again: POST /document answers ${taken.status}`);
    report.demand(taken.status === 201, `POST /document: ${taken.text}`);
    await leftOvers(report, scene);
  } finally {
    await scene.close();
  }
}

async function leftOvers(report: Report, scene: Scene): Promise<void> {
  const jobs = await select(scene.server.database, 'SELECT file_name FROM jobs', []);
  const left = await scene.leftOvers(jobs);
  report.demand(left.length === 0, `left over: ${left.join(', ')}`);
}
