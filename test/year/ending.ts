// What is looked at once, when stories are over: the doctor, and backups that restore to the same records.
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { loadResources } from '../../src/core/model/records/registry.ts';
import type { Json } from '../support/client/client.ts';
import { comparableRecords } from '../support/files/backup.ts';
import type { ClockedService } from '../support/process/clocked-service.ts';
import { cli, processEnvironment } from '../support/process/process.ts';
import type { Desk } from './desk.ts';

/** Throws if the doctor has a finding. `others`: the folder and the settings of a service to restore into. */
export async function endFaults(
  { environment, storage }: ClockedService,
  desks: readonly Desk[],
  others?: { readonly folder: string; readonly settings: NodeJS.ProcessEnv },
): Promise<string[]> {
  await loadResources();
  await cli(environment, 'doctor', '--offline');
  const elsewhere = others ? processEnvironment(others.folder, others.settings) : environment;
  const faults: string[] = [];
  for (const desk of desks) {
    const owner = String(desk.all('owner')[0]);
    const [first, second] = [join(storage, `${owner}.zip`), join(storage, `${owner}-again.zip`)];
    await cli(environment, 'backup', '--owner', owner, '--out', first);
    const { owner_id } = await cli(elsewhere, 'restore', first);
    await cli(elsewhere, 'backup', '--owner', String(owner_id), '--out', second);
    const [before, after] = [await comparableRecords(first), await comparableRecords(second)];
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)]))
      if (!isDeepStrictEqual(before[name], after[name]))
        faults.push(
          `owner ${owner}: ${name} differs after a backup, a restore and a backup: ${firstDifference(before[name], after[name])}`,
        );
  }
  return faults;
}

/** The first record that differs, before and after. */
function firstDifference(before: readonly Json[] = [], after: readonly Json[] = []): string {
  const at = before.findIndex((record, index) => !isDeepStrictEqual(record, after[index]));
  return [before.length, after.length, before[at], after[at]].map((one) => JSON.stringify(one)).join(' ');
}
