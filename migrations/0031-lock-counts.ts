// Columns that a transaction writes where it decides under a lock: a Galera cluster compares written rows only.
import { changes, together } from './table.ts';

const OWNED = [
  'contacts',
  'turnovergroups',
  'articles',
  'contactcommunications',
  'vehicles',
  'employees',
  'orders',
  'documents',
  'flatrates',
  'flatratelines',
  'invoiceparties',
  'licenseplatehistory',
  'orderlines',
  'vehicleadvertisementsites',
  'vehiclerolelines',
];

const counted = (table: string, column: string) =>
  changes(table, (t, has) => {
    if (!has(column)) t.integer(column).notNullable().defaultTo(0);
  });

export const { up } = together(
  ...OWNED.map((table) => counted(table, 'lock_count')),
  counted('job_turns', 'turns'),
  changes('unused_files', (t, has) => {
    if (!has('noted_at'))
      t.datetime('noted_at', { precision: 3 }).notNullable().defaultTo('2000-01-01 00:00:00');
  }),
);
