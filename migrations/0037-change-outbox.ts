// The log of changes becomes two tables. Writers append to `change_outbox`; `changes` has the changes with a place, in the
// order of the places. A change without a place moves to the outbox and keeps its ID, because subscriptions remember IDs.
import type { Knex } from 'knex';
import { table } from './table.ts';

const PORTION = 1_000;

const outbox = table(
  'change_outbox',
  (t) => {
    t.integer('owner_id').notNullable();
    t.bigInteger('id').notNullable();
    t.specificType('changes', 'mediumtext').notNullable();
    t.primary(['owner_id', 'id']);
    t.index(['id'], 'change_outbox__id');
  },
  ['modify `id` bigint not null auto_increment'],
);

export async function up(knex: Knex): Promise<void> {
  // An attempt that was cut off may have moved changes already.
  const isFilled = (await knex.schema.hasTable('change_outbox')) && (await knex('change_outbox').first());
  if (!isFilled) await outbox.up(knex);
  if (!(await knex.schema.hasColumn('changes', 'id'))) return;
  const newest = await knex('changes').max<{ id: number | null }>('id as id').first();
  await knex.raw('alter table `change_outbox` auto_increment = ?', [Number(newest?.id ?? 0) + 1]);
  for (let moved = -1; moved !== 0; ) moved = await knex.transaction(moveUnplaced);
  // One statement: a table without a primary key is refused by some servers.
  await knex.raw(
    'alter table `changes` drop primary key, drop index `changes__seq`, drop column `id`, ' +
      'modify `seq` bigint not null, add primary key (`owner_id`, `seq`)',
  );
}

/** Answers how many. */
async function moveUnplaced(knex: Knex): Promise<number> {
  const rows: Record<string, unknown>[] = await knex('changes').whereNull('seq').orderBy('id').limit(PORTION);
  if (rows.length === 0) return 0;
  await knex('change_outbox').insert(rows.map(entryOf));
  const ids = rows.map(({ id }) => Number(id));
  return knex('changes').delete().whereIn('id', ids);
}

function entryOf({ id, owner_id, seq, ...change }: Record<string, unknown>) {
  return { owner_id, id, changes: JSON.stringify([change]) };
}
