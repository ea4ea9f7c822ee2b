// Moves a garage between the database servers: from MariaDB to MySQL and back, by backups. Every record and every
// stored file must be the same after each move. Needs both servers: DATABASE=mysql sh scripts/with-database.sh.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { loadResources } from '../../src/core/model/records/registry.ts';
import type { Json } from '../../test/support/client/client.ts';
import { canonical, readBackup } from '../../test/support/files/backup.ts';
import { cli, processEnvironment } from '../../test/support/process/process.ts';
import { type Report, seconds } from './report.ts';

const WAY = ['mariadb', 'mysql', 'mariadb'] as const;

export async function move(report: Report, folder: string, { orders }: { orders: number }): Promise<void> {
  await loadResources();
  let expected: Record<string, Json[]> | undefined;
  let last = '';
  for (const [index, server] of WAY.entries()) {
    const env = processEnvironment(join(folder, String(index)), { DATABASE_SERVER: server });
    const began = performance.now();
    const owner = String(
      last === '' ? await seeded(env, orders) : (await cli(env, 'restore', last)).owner_id,
    );
    const made = performance.now();
    last = join(folder, `${index}.zip`);
    await cli(env, 'backup', '--owner', owner, '--out', last);
    const size = `${(statSync(last).size / 2 ** 20).toFixed(1)} MiB`;
    report.say(
      `  ${server}: ${index === 0 ? 'seeded' : 'restored'} in ${seconds(made - began)}, ` +
        `backed up in ${seconds(performance.now() - made)}, ${size}`,
    );
    const backup = await readBackup(last);
    const records = canonical(backup);
    const count = Object.values(records).reduce((sum, some) => sum + some.length, 0);
    expected ??= records;
    for (const name of new Set([...Object.keys(expected), ...Object.keys(records)]))
      report.demand(isDeepStrictEqual(records[name], expected[name]), `${name} differs on ${server}`);
    const files = [...backup.content.keys()].filter((name) => name.startsWith('documents/')).length;
    report.say(
      `  ${count} records and ${files} stored files compared with the records and files of the start`,
    );
  }
}

async function seeded(env: NodeJS.ProcessEnv, orders: number): Promise<number> {
  const { owner_id } = await cli(env, 'owner', 'create', '--name', 'Garage', '--demo');
  await cli(env, 'seed', '--owner', String(owner_id), '--orders', String(orders));
  return Number(owner_id);
}
