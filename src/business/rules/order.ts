// How an order moves from status to status, and becomes an invoice.
import { type Violation, violation } from '../../core/errors.ts';
import { type Change, rulesOf } from '../../core/model/records/record.ts';
import { Order, type OrderChange, type OrderRow } from '../../core/resources/order.ts';
import { OrderLine } from '../../core/resources/order-line.ts';
import { mayMove, mayStart } from '../../core/trade/kinds/order-status.ts';
import { LISTS } from '../../core/trade/lists.ts';
import { HELD_BY_DEPOSIT } from '../../core/trade/order-case/deposit.ts';
import { isCredit } from '../../core/trade/order-case/line.ts';
import { readOrder } from '../invoicing/case.ts';
import { claimBooksForAll } from '../invoicing/closed-period.ts';
import { checkCredit, offsetCredit } from '../invoicing/credit/credit.ts';
import { cancelWithDeposits } from '../invoicing/deposit/deposit.ts';
import { completeBookDates, laterThanToday, sellerDateIsPast } from '../invoicing/invoice/book-date.ts';
import { invoice, type KnownCredit } from '../invoicing/invoice/invoice.ts';
import { claimNamedAnew, readSurroundings } from '../invoicing/invoice/invoice-parties.ts';
import { continueInvoiceNumbers } from '../invoicing/invoice/invoice-series.ts';
import {
  becomeOldInvoice,
  isOldInvoice,
  keepOldInvoice,
  leavesNumbers,
  oldInvoiceIsOpen,
  oldInvoiceIsWhole,
} from '../invoicing/invoice/old-invoice.ts';
import { claimSeller, supplierNumberOnce } from '../invoicing/invoice/supplier-number.ts';
import { NO_AMOUNTS } from '../invoicing/new-order.ts';
import { sumUpPayments } from '../invoicing/payment/amount-open.ts';
import { takeOtherDay, takeOtherVehicle } from '../invoicing/totals/order-totals.ts';
import { sumUpOrders } from '../invoicing/totals/restored-totals.ts';
import { cancelAppointments } from '../planning/cancel-appointments.ts';
import { fitsLastReading, keepMileage } from '../workshop/mileage.ts';
import { endEntriesOf } from '../workshop/time-entry.ts';

const { READY, INVOICE } = LISTS.orderstatuses;

rulesOf(Order, {
  rules: [
    startsOrMoves,
    keepsItsPrices,
    leavesNumbers,
    oldInvoiceIsWhole,
    oldInvoiceIsOpen,
    unlessOld(sellerDateIsPast),
    unlessOld(checkCredit),
    unlessOld(fitsLastReading),
  ],
  lateRules: [supplierNumberOnce],
  refuses: {
    write: [
      violation('value_invalid', {
        field: 'order_status',
        value: READY,
        validation: 'orderstatus transition from 1',
      }),
      violation('array_empty', { field: 'orderline' }),
      violation('field_fixed', { field: 'is_vat_included' }),
      laterThanToday('2030-01-01T00:00:00.000Z'),
    ],
    add: [violation('value_duplicate', { field: 'supplier_invoice_number', value: '2026-117' })],
    change: [
      HELD_BY_DEPOSIT,
      violation('value_duplicate_on_put', { field: 'supplier_invoice_number', value: '2026-117' }),
    ],
  },
  beforeBatch: claimBooksForAll,
  before: async (change: Change<OrderRow, never, KnownCredit>) => {
    const { next, previous, garage } = change;
    await claimSeller(change);
    if (!previous) {
      await takePrices(change);
      Object.assign(next, NO_AMOUNTS);
      if (isOldInvoice(next)) await becomeOldInvoice(change);
      return;
    }
    // An invoice changes no more: the request only lifts its block, or takes the invoice out of the archive.
    if (previous.order_status === INVOICE) return;
    if (next.order_status === INVOICE) {
      await claimNamedAnew(garage, next, previous);
      const around = await readSurroundings(garage, next);
      if (around.running > 0) await endEntriesOf(change);
      await invoice({ ...change, previous }, around);
      return;
    }
    await endEntriesOf(change);
    if (next.vehicle_id !== previous.vehicle_id) await takeOtherVehicle(garage, { next, previous });
    if (next.supply_date !== previous.supply_date) await takeOtherDay(garage, { next, previous });
    await cancelWithDeposits(change);
  },
  after: async (change: Change<OrderRow, never, KnownCredit>) => {
    await keepOldInvoice(change);
    await keepMileage(change);
    await offsetCredit(change);
    await cancelAppointments(change);
  },
  afterRestore: async (garage) => {
    await sumUpOrders(garage);
    await sumUpPayments(garage);
    await completeBookDates(garage);
    await continueInvoiceNumbers(garage);
  },
});

/** An old invoice of an import was right on its day: a rule of the trade does not judge it. */
function unlessOld(rule: (change: OrderChange) => Promise<Violation | undefined>) {
  return async (change: OrderChange) =>
    !change.previous && isOldInvoice(change.next) ? undefined : rule(change);
}

/**
 * The prices of a credit note include VAT if the prices of its invoice do. The body does not count, so it may copy the
 * fields of the order or leave them out.
 */
async function takePrices({ next, garage }: OrderChange): Promise<void> {
  const { credited_order_id } = next;
  if (credited_order_id === null || !isCredit(next)) return;
  const credited = await readOrder(garage, credited_order_id);
  next.is_vat_included = credited?.is_vat_included ?? next.is_vat_included;
}

/** The prices of lines would mean something else. A credit note has the prices of its invoice. */
async function keepsItsPrices({ next, previous, garage }: OrderChange) {
  if (!previous || previous.is_vat_included === next.is_vat_included) return undefined;
  if (isCredit(next)) return violation('field_fixed', { field: 'is_vat_included' });
  const line = await OrderLine.of(garage).select('id').findOne('order_id', next.id);
  return line ? violation('field_fixed', { field: 'is_vat_included' }) : undefined;
}

function startsOrMoves({ next, previous }: OrderChange) {
  const field = { field: 'order_status', value: next.order_status };
  if (!previous) {
    return (isOldInvoice(next) && next.order_status === INVOICE) || mayStart(next.order_status)
      ? undefined
      : violation('value_invalid', { ...field, validation: 'orderstatus at start' });
  }
  const from = previous.order_status;
  if (next.order_status === from || mayMove(from, next.order_status)) return undefined;
  return violation('value_invalid', { ...field, validation: `orderstatus transition from ${from}` });
}
