// The amounts of a line and of its order are computed in the transaction that changes the line.
import { type Violation, violation } from '../../core/errors.ts';
import { refuse } from '../../core/model/bodies/check.ts';
import { largeAmount } from '../../core/model/fields/value.ts';
import { findRecord } from '../../core/model/lists/find.ts';
import { rulesOf } from '../../core/model/records/record.ts';
import { OrderLine, type OrderLineChange, type OrderLineRow } from '../../core/resources/order-line.ts';
import { Vehicle } from '../../core/resources/vehicle.ts';
import { roundTo } from '../../core/trade/decimal.ts';
import { isDeposit } from '../../core/trade/deposit.ts';
import { kindRow } from '../../core/trade/kinds/line-kind.ts';
import { LISTS } from '../../core/trade/lists.ts';
import { EXCEEDS } from '../../core/trade/order-case/credit.ts';
import { isCredit } from '../../core/trade/order-case/line.ts';
import { costOf, takesCost, vehicleOf } from '../../core/trade/order-case/margin.ts';
import { isWithin, restsOf } from '../../core/trade/order-case/rest.ts';
import { cents, euros, lineTotals, vatWithin } from '../../core/trade/totals.ts';
import { BEARING, percentageOn } from '../../core/trade/vat-code.ts';
import { today } from '../../core/trade/vat-rate.ts';
import { largeCost, readCreditedInvoice, readTaken } from '../invoicing/case.ts';
import { isOldInvoice } from '../invoicing/invoice/old-invoice.ts';
import { readOlderCosts } from '../invoicing/totals/older-cost.ts';
import { keepOrderTotals, keepTotalsOf } from '../invoicing/totals/order-totals.ts';
import { rateDayOf } from '../invoicing/totals/rate-day.ts';

const { BPM } = LISTS.ordertypes;
const { MARGIN } = LISTS.vatcodes;
const { DEPOSIT } = LISTS.linekinds;
const NOTHING = '0.00';

/** The columns that decide about the amounts of a line, beside the other lines of its order. */
const PRICED = ['quantity', 'price', 'discount_percentage', 'vat_code'] as const;

rulesOf(OrderLine, {
  rules: [fitsItsOrder, takesWhatIsLeft],
  before: async (change) => {
    const { next, previous } = change;
    await takePurchasePrice(change);
    refuse(largeCost(next.purchase_price));
    // If none of these columns has changed, the amounts stay: other lines may have changed them.
    if (previous && PRICED.every((name) => next[name] === previous[name])) return;
    const totals = totalsOf(change, await percentageFor(change));
    refuse(largeAmount('line_net', totals.line_net) ?? largeAmount('total_gross', totals.line_gross));
    // In the form of its column, so that another change does not write the value again.
    const vat_percentage = roundTo(totals.vat_percentage, 4);
    // The order's hook computes the margin, which depends on other lines.
    const margin_vat = next.vat_code === MARGIN ? (next.margin_vat ?? NOTHING) : null;
    Object.assign(next, totals, { vat_percentage, margin_vat });
  },
  after: keepOrderTotals,
  afterAll: async (changes) => void (await keepTotalsOf(changes)),
  afterDelete: ({ next, ...change }) => keepOrderTotals({ ...change, next: undefined }),
});

/** Gives a line the cost of its vehicle if the request has no cost. A cost that a user typed stays. */
async function takePurchasePrice({ next, previous, parent: order, given, garage }: OrderLineChange) {
  if (!order || !takesCost(next, order) || given('purchase_price') != null) return;
  const id = vehicleOf(next, order);
  if (id === null) return;
  const car = await findRecord(garage, Vehicle.resource, id);
  const isOther = !previous || vehicleOf(previous, order) !== id;
  if (isOther || next.purchase_price === null) {
    next.purchase_price = costOf(car, next.vat_code);
    return;
  }
  // The cost depends on the VAT code. The garage may have bought the car since the line was changed last.
  const isTaken = previous.purchase_price === costOf(car, previous.vat_code);
  const isOlder =
    car &&
    !isTaken &&
    (await readOlderCosts(garage, order, [previous], new Map([[id, car]]))).has(previous.id);
  if (isTaken || isOlder) next.purchase_price = costOf(car, next.vat_code) ?? next.purchase_price;
}

function totalsOf({ next, parent, given }: OrderLineChange, vat_percentage: string) {
  const isVatIncluded = parent?.is_vat_included === 1;
  const totals = lineTotals(next, vat_percentage, isVatIncluded);
  if (given('line_gross') == null) return totals;
  // A line of an old invoice keeps the price that the buyer was told. Without VAT its net is the same.
  const gross = cents(String(next.line_gross));
  const isNetGiven = !isVatIncluded && BEARING.includes(next.vat_code);
  const net = isNetGiven ? cents(totals.line_net) : gross - vatWithin(gross, vat_percentage);
  return {
    line_net: euros(net),
    line_vat: euros(gross - net),
    line_gross: euros(gross),
    vat_percentage,
  };
}

/** The percentage of the order's day. A line that takes another one back has the percentage of that line. */
async function percentageFor({ next, previous, parent, garage }: OrderLineChange): Promise<string> {
  const { vat_code, vat_percentage, credited_line_id } = next;
  const isSameCode = previous === undefined || previous.vat_code === vat_code;
  // A line that the service makes may lack fields.
  if (credited_line_id != null && vat_percentage != null && isSameCode) return vat_percentage;
  if (!parent || !BEARING.includes(vat_code)) return percentageOn(vat_code, today());
  const credited = await readCreditedInvoice(garage, parent);
  return percentageOn(vat_code, await rateDayOf(garage, credited ?? parent));
}

/**
 * An old invoice of an import takes any lines. No other invoice takes lines, so all other orders here are no invoices
 * yet.
 */
function fitsItsOrder({ next, parent }: OrderLineChange): Violation[] {
  const found: Violation[] = [];
  if (parent && isOldInvoice(parent)) return found;
  const refuse = (field: keyof OrderLineRow, value: unknown, validation: string) =>
    found.push(violation('value_invalid', { field, value, validation }));
  if (parent?.order_type === BPM) {
    if (!kindRow(next.line_kind).isOnBpmOrder) refuse('line_kind', next.line_kind, 'BPM order');
    if (next.vat_code !== LISTS.vatcodes.OUTSIDE) refuse('vat_code', next.vat_code, 'BPM order');
  }
  // The books keep deposits apart.
  if (parent && isDeposit(parent) && next.line_kind !== DEPOSIT)
    refuse('line_kind', next.line_kind, 'deposit');
  // A line that takes back a line below 0 is above 0: takesWhatIsLeft judges such lines.
  if (parent && isCredit(parent) && next.credited_line_id === null && !(Number(next.quantity) < 0))
    refuse('quantity', Number(next.quantity), '<0');
  return found;
}

/** A line of a credit note that the service made takes back no more than is left of its line. */
async function takesWhatIsLeft({ next, previous, parent, garage }: OrderLineChange) {
  const { credited_line_id, quantity } = next;
  if (credited_line_id === null || quantity === previous?.quantity) return undefined;
  const invoice = Number(parent?.credited_order_id);
  const { lines } = await readTaken(garage, invoice, { except: next.order_id });
  if (isWithin(restsOf(lines, invoice), credited_line_id, quantity)) return undefined;
  return violation('value_invalid', { field: 'quantity', value: Number(quantity), validation: EXCEEDS });
}
