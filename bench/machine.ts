// Describes the machine, the versions and the data. Figures mean little without them.
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, release, totalmem } from 'node:os';
import manifest from '../package.json' with { type: 'json' };
import type { Dataset } from './dataset.ts';

export async function describeMachine({ base, garage }: Dataset): Promise<string> {
  const { knex } = base.database;
  const count = async (table: string) => {
    const [row] = await knex(table).where('owner_id', garage.owner).count({ rows: '*' });
    return row?.rows;
  };
  const server = await knex
    .select({ version: knex.raw('VERSION()'), pool: knex.raw('@@innodb_buffer_pool_size') })
    .first();
  const lines = [
    `Date: ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    `Machine: ${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GiB, ` +
      `Linux ${release()}, load at start ${loadavg()[0]?.toFixed(1)}`,
    `Node ${process.version}, ${server?.version}, koa ${versionOf('koa')}, mysql2 ${versionOf('mysql2')}, Forecourt ${manifest.version}`,
    `Data: ${await count('orders')} orders, ${await count('orderlines')} order lines; buffer pool ${Number(server?.pool) / 2 ** 20} MiB`,
  ];
  return lines.map((line) => `- ${line}`).join('\n');
}

function versionOf(name: string): string {
  const file = new URL(`../../node_modules/${name}/package.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
