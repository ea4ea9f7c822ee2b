// The times of numbered invoices: no invoice is dated before the one with the number before it.
import { changes } from './table.ts';

export const { up } = changes('counters', (t, has) => {
  if (!has('last_at')) t.datetime('last_at', { precision: 3 });
  if (!has('dated_value')) t.integer('dated_value');
});
