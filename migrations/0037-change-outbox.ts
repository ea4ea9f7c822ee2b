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
  // The last step has been done.
  if (await isSplit(knex)) return;
  // An attempt that was cut off may have moved changes already.
  const isFilled = (await knex.schema.hasTable('change_outbox')) && (await knex('change_outbox').first());
  if (!isFilled) await outbox.up(knex);
  const ids = await knex.max({ logged: 'id' }).from('changes').first<{ logged: number | null }>();
  const remembered = await knex
    .max({ since: 'since_change' })
    .from('webhooksubscriptions')
    .first<{ since: number | null }>();
  const last = Math.max(Number(ids.logged ?? 0), Number(remembered.since ?? 0));
  await knex.raw('alter table `change_outbox` auto_increment = ?', [last + 1]);
  for (let behind: number | undefined = 0; behind !== undefined; )
    behind = await knex.transaction((trx) => moveUnplaced(trx, Number(behind)));
  // One statement: a table without a primary key is refused by some servers.
  await knex.raw(
    'alter table `changes` drop primary key, drop index `changes__seq`, drop column `id`, ' +
      'modify `seq` bigint not null, add primary key (`owner_id`, `seq`)',
  );
}

const isSplit = async (knex: Knex): Promise<boolean> =>
  (await knex.schema.hasTable('change_outbox')) && !(await knex.schema.hasColumn('changes', 'id'));

/** Moves the changes after an ID, and answers the ID of the last one. Undefined: no change is left. */
async function moveUnplaced(knex: Knex, behind: number): Promise<number | undefined> {
  const rows: Record<string, unknown>[] = await knex('changes')
    .whereNull('seq')
    .where('id', '>', behind)
    .orderBy('id')
    .limit(PORTION);
  if (rows.length === 0) return undefined;
  await knex('change_outbox').insert(rows.map(entryOf));
  const ids = rows.map(({ id }) => Number(id));
  await knex('changes').delete().whereIn('id', ids);
  return ids.at(-1);
}

function entryOf({ id, owner_id, seq, ...change }: Record<string, unknown>) {
  return { owner_id, id, changes: JSON.stringify([change]) };
}
