// The clock: the signs of life of the service, the times of numbered invoices, and the failed days of subscriptions.
import type { Knex } from 'knex';
import { changes, table, together } from './table.ts';

const ROW = 1;

const columns = together(
  changes('counters', (t, has) => {
    if (!has('last_at')) t.datetime('last_at', { precision: 3 });
    if (!has('dated_value')) t.integer('dated_value');
  }),
  changes('webhooksubscriptions', (t, has) => {
    if (!has('failed_days')) t.integer('failed_days');
    if (!has('failed_on')) t.datetime('failed_on', { precision: 3 });
  }),
);

const clock = table('clock', (t) => {
  t.tinyint('row').notNullable();
  t.integer('beat').notNullable().defaultTo(0);
  t.datetime('seen_at', { precision: 3 });
  t.integer('wait_ms').notNullable().defaultTo(0);
  t.string('reason', 200);
  t.primary(['row']);
});

export async function up(knex: Knex): Promise<void> {
  await columns.up(knex);
  // The row is written last: a table that has it is complete.
  if ((await knex.schema.hasTable('clock')) && (await knex('clock').first())) return;
  await clock.up(knex);
  await knex('clock').insert({ row: ROW, seen_at: await newestInstant(knex) });
}

/** The last sign of life of an installation that noted none. Null: the database is new. */
async function newestInstant(knex: Knex): Promise<string | null> {
  const found: (string | null)[] = [];
  // By owner, on the index.
  const changed: { at: string }[] = await knex('changes')
    .select({ at: text(knex, 'at') })
    .groupBy('owner_id');
  found.push(...changed.map(({ at }) => at));
  for (const [name, column] of [
    ['tokens', 'issued_at'],
    ['jobs', 'created_at'],
  ] as const) {
    const [row] = await knex(name).select({ at: text(knex, column) });
    found.push(row?.at ?? null);
  }
  return found.reduce((latest, at) => (at !== null && (latest === null || at > latest) ? at : latest), null);
}

const text = (knex: Knex, column: string) => knex.raw('CAST(MAX(??) AS CHAR)', [column]);
