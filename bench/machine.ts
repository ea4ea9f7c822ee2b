// On what was measured: figures say little without it.
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, release, totalmem } from 'node:os';
import manifest from '../package.json' with { type: 'json' };
import type { Ground } from './ground.ts';

export async function describeMachine({ base, garage }: Ground): Promise<string> {
  const [row] = await base.database.rows(
    'SELECT VERSION() AS version, @@innodb_buffer_pool_size AS pool, (SELECT COUNT(*) FROM orders WHERE owner_id = ?) AS orders, ' +
      '(SELECT COUNT(*) FROM orderlines WHERE owner_id = ?) AS rows_of_lines',
    [garage.owner, garage.owner],
  );
  const lines = [
    `Date: ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    `Machine: ${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GiB, ` +
      `Linux ${release()}, load at start ${loadavg()[0]?.toFixed(1)}`,
    `Node ${process.version}, ${row?.version}, koa ${versionOf('koa')}, mysql2 ${versionOf('mysql2')}, Forecourt ${manifest.version}`,
    `Data: ${row?.orders} orders, ${row?.rows_of_lines} order lines; buffer pool ${Number(row?.pool) / 2 ** 20} MiB`,
  ];
  return lines.map((line) => `- ${line}`).join('\n');
}

function versionOf(name: string): string {
  const file = new URL(`../../node_modules/${name}/package.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
