import { changes } from './table.ts';

const COLUMNS = ['line_kind', 'vat_code', 'order_id', 'vehicle_id', 'line_net'];
const NAME = ['orderlines', ...COLUMNS].join('__');

export const { up } = changes('orderlines', (t, has) => {
  if (!has(NAME)) t.index(['owner_id', ...COLUMNS], NAME);
});
