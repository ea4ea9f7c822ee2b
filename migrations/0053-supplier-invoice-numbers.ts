// A purchase that was cancelled or credited gives the number of the seller's invoice free, so no key can keep the numbers apart.
import { changes } from './table.ts';

export const { up } = changes('orders', (t, has) => {
  for (const name of ['orders__supplier_invoice_number', 'orders__supplier_invoice_number__order'])
    if (has(name)) t.dropIndex([], name);
  if (!has('orders__supplier_invoice_number__contact_id'))
    t.index(
      ['owner_id', 'supplier_invoice_number', 'contact_id'],
      'orders__supplier_invoice_number__contact_id',
    );
});
