// Tidies as the service does every few minutes, and waits until no unused file is left. A job of an earlier test may
// still be running: it keeps all files until it ends. No request is storing a file, so no note waits for one.
import { checkClock } from '../../../src/platform/database/clock.ts';
import { tidy } from '../../../src/work/housekeeping.ts';
import { tidyFiles } from '../../../src/work/jobs/tidier.ts';
import { execute, select } from '../database/sql.ts';
import { database, theService } from './service.ts';
import { until } from './until.ts';

export async function tidyAll(): Promise<Record<string, number>> {
  const { storage, config } = theService().base;
  const removed = await tidy(database(), storage, config, await checkClock(database()));
  await removeUnusedFiles();
  return removed;
}

export const removeUnusedFiles = (): Promise<boolean> =>
  until(async () => {
    await execute(database(), 'UPDATE unused_files SET noted_at = noted_at - INTERVAL 11 MINUTE');
    await tidyFiles(database());
    return (await select(database(), 'SELECT sha256 FROM unused_files')).length === 0;
  });
