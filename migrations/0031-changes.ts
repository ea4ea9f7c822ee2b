// The log of all changes of records. Rows are added at the end only, so the primary key is the ID alone.
import { table } from './table.ts';

export const { up } = table('changes', (t) => {
  t.bigIncrements('id');
  t.integer('owner_id').notNullable();
  t.bigInteger('seq');
  t.specificType('resource', 'varchar(40) character set ascii collate ascii_bin').notNullable();
  t.integer('record_id').notNullable();
  t.string('external_id', 64);
  t.tinyint('action').notNullable();
  t.integer('version').notNullable();
  t.datetime('at', { precision: 3 }).notNullable();
  t.integer('employee_id');
  t.integer('api_key_id');
  t.string('request_id', 200);
  t.integer('contact_id');
  t.specificType('changes', 'mediumtext');
  t.unique(['owner_id', 'seq'], { indexName: 'changes__seq' });
  for (const columns of [['resource', 'record_id'], ['employee_id'], ['api_key_id'], ['at']])
    t.index(['owner_id', ...columns, 'seq'], `changes__${columns.join('__')}__seq`);
  t.index(['owner_id', 'contact_id'], 'changes__contact_id');
});
