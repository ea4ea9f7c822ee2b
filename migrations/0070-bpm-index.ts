import { changes } from './table.ts';

export const { up } = changes('orderlines', (t, has) => {
  if (!has('orderlines__bpm_paid')) t.index(['owner_id', 'bpm_paid'], 'orderlines__bpm_paid');
});
