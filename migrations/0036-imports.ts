// What imports have done so far, in the transactions of their rows.
import { table, together } from './table.ts';

export const { up } = together(
  table('import_batches', (t) => {
    t.specificType('import_id', 'varchar(64) character set ascii collate ascii_bin').notNullable();
    t.integer('batch').notNullable();
    t.integer('rows_done').notNullable();
    t.integer('rows_total').notNullable();
    t.specificType('counts', 'varchar(200) character set ascii collate ascii_bin').notNullable();
    t.specificType('report', 'longtext').notNullable();
    t.specificType('refused', 'longtext').notNullable();
    t.datetime('created_at', { precision: 3 }).notNullable();
    t.primary(['import_id', 'batch']);
    t.index(['created_at'], 'import_batches__created_at');
  }),
  table('import_keys', (t) => {
    t.specificType('import_id', 'varchar(64) character set ascii collate ascii_bin').notNullable();
    t.specificType('digest', 'char(64) character set ascii collate ascii_bin').notNullable();
    t.primary(['import_id', 'digest']);
  }),
);
