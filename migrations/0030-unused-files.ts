// The stored files that may be unused, and the lock between those who use files and the one who removes them.
import { table, together } from './table.ts';

const files = table('unused_files', (t) => {
  t.specificType('sha256', 'char(64) character set ascii collate ascii_bin').notNullable();
  t.datetime('noted_at', { precision: 3 }).notNullable().defaultTo('2000-01-01 00:00:00');
  t.primary(['sha256']);
});

const lock = table('file_locks', (t) => {
  t.integer('id').notNullable();
  t.primary(['id']);
});

export const { up } = together(files, lock, {
  up: async (knex) => {
    await knex('file_locks').insert({ id: 1 });
  },
});
