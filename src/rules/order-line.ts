// The amounts of a line and of its order are computed in the transaction that changes the line.
import { type Violation, violation } from '../errors.ts';
import { keepOrderTotals, keepTotalsOf } from '../invoicing/order-totals.ts';
import { refuse } from '../model/check.ts';
import { type Change, type RowIn, rulesOf } from '../model/record.ts';
import { largeAmount } from '../model/value.ts';
import { OrderLine } from '../resources/order-line.ts';
import { roundTo } from '../trade/decimal.ts';
import { LISTS } from '../trade/lists.ts';
import { lineTotals } from '../trade/totals.ts';

const { BPM, INTERNAL_REVERSAL } = LISTS.ordertypes;
const ON_BPM_ORDER: readonly number[] = [LISTS.linekinds.BPM, LISTS.linekinds.FEE];

type OrderLineRow = RowIn<typeof OrderLine>;

rulesOf(OrderLine, {
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
});

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
