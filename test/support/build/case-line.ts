// Lines of an order for the tests of pure rules, as if they were read from the database.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { type CaseLine, decoded, type LineRow } from '../../../src/core/trade/order-case/line.ts';

/** A line of one piece at € 100 without VAT on its amounts, unless `more` says otherwise. */
export const lineOf = (more: Partial<LineRow> = {}): CaseLine =>
  decoded({
    id: 1,
    order_id: 1,
    line_kind: LISTS.linekinds.ARTICLE,
    vat_code: LISTS.vatcodes.HIGH,
    vehicle_id: null,
    credited_line_id: null,
    quantity: '1.0000',
    price: '100.0000',
    discount_percentage: null,
    vat_percentage: '21.0000',
    purchase_price: null,
    line_net: '100.00',
    line_vat: '21.00',
    line_gross: '121.00',
    margin_vat: null,
    ...more,
  });
