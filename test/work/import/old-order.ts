// An invoice of another system, as an import with history=1 brings it.
import { LISTS } from '../../../src/core/trade/lists.ts';
import type { Json } from '../../support/client/client.ts';

export const LINE = { line_kind: 2, description: 'Beurt', quantity: 1, price: 100, vat_code: 1 };

/** `contact_external_id` is K. */
export const old = (changes: Json = {}): Json => ({
  external_id: 'O-1',
  order_number: 700,
  order_type: LISTS.ordertypes.WORKSHOP,
  order_date: '2019-03-01',
  invoice_number: '201900042',
  invoice_date: '2019-03-04T10:00:00Z',
  created_at: '2019-02-28',
  contact_external_id: 'K',
  orderline: [LINE],
  ...changes,
});
