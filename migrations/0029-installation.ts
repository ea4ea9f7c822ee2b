// One row: which storage the database belongs to.
import { table } from './table.ts';

export const { up } = table('installation', (t) => {
  t.tinyint('row').notNullable().defaultTo(1);
  t.specificType('id', 'char(36) character set ascii collate ascii_bin').notNullable();
  t.primary(['row']);
});
