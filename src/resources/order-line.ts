// One line of an order. The amounts of the line and of its order are computed in the transaction that changes the line.
import { type Violation, violation } from '../errors.ts';
import { keepOrderTotals, keepTotalsOf } from '../invoicing/order-totals.ts';
import { refuse } from '../model/check.ts';
import { choice, int4, money, quantity, reference, varchar } from '../model/field.ts';
import { type Change, record } from '../model/record.ts';
import { largeAmount } from '../model/value.ts';
import { roundTo } from '../trade/decimal.ts';
import { LISTS } from '../trade/lists.ts';
import { type Line, lineTotals } from '../trade/totals.ts';

const { BPM, INTERNAL_REVERSAL } = LISTS.ordertypes;
const ON_BPM_ORDER: readonly number[] = [LISTS.linekinds.BPM, LISTS.linekinds.FEE];

interface OrderLineRow extends Line {
  line_kind: number;
}

export class OrderLine extends record(
  'orderline',
  {
    order_id: reference('order', { required: true, fixed: true }),
    sort_order: int4({ unique: 'order_id' }),
    line_kind: choice('linekinds', { required: true, indexed: true }),
    article_id: reference('article'),
    article_number: varchar(40, { indexed: true }),
    description: varchar(255, { required: true }),
    quantity: quantity({ required: true }),
    unit_type: choice('unittypes'),
    price: quantity({
      required: true,
      description: 'Net, a piece; of a margin line what the buyer pays, all in',
    }),
    discount_percentage: quantity({ min: 0, max: 100 }),
    vat_code: choice('vatcodes', { required: true }),
    vat_percentage: quantity({ readonly: true }),
    turnover_group_id: reference('turnovergroup'),
    vehicle_id: reference('vehicle'),
    employee_id: reference('employee'),
    purchase_price: quantity({ min: 0, internal: true, description: 'A piece' }),
    line_net: money({ readonly: true }),
    line_vat: money({ readonly: true }),
    margin_vat: money({
      readonly: true,
      internal: true,
      description: 'VAT within the margin, for the books of the dealer only',
    }),
  },
  {
    description: 'A line of an order',
    parent: 'order_id',
    rules: [fitsItsOrder],
    before: ({ next, parent }) => {
      const totals = lineTotals(next, parent?.order_type === INTERNAL_REVERSAL);
      refuse([largeAmount('line_net', totals.line_net) ?? []].flat());
      // In the form of its column, so that another change does not write the value again.
      Object.assign(next, totals, { vat_percentage: roundTo(totals.vat_percentage, 4) });
    },
    after: keepOrderTotals,
    afterAll: keepTotalsOf,
    afterDelete: ({ next, ...change }) => keepOrderTotals({ ...change, next: undefined }),
  },
) {}

function fitsItsOrder({ next, parent }: Change<OrderLineRow>): Violation[] {
  const found: Violation[] = [];
  const refuse = (field: keyof OrderLineRow, value: unknown, validation: string) =>
    found.push(violation('value_invalid', { field, value, validation }));
  if (parent?.order_type === BPM) {
    if (!ON_BPM_ORDER.includes(next.line_kind)) refuse('line_kind', next.line_kind, 'BPM order');
    if (next.vat_code !== LISTS.vatcodes.OUTSIDE) refuse('vat_code', next.vat_code, 'BPM order');
  }
  if (parent?.order_type === INTERNAL_REVERSAL && !(Number(next.quantity) < 0)) {
    refuse('quantity', Number(next.quantity), '<0');
  }
  return found;
}
