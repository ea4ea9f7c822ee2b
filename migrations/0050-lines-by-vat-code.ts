import { changes } from './table.ts';

export const { up } = changes('orderlines', (t, has) => {
  if (!has('orderlines__vat_code__order_id'))
    t.index(['owner_id', 'vat_code', 'order_id'], 'orderlines__vat_code__order_id');
});
