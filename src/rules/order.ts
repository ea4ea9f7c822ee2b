// How an order moves from status to status, and becomes an invoice.
import { violation } from '../errors.ts';
import { sumUpPayments } from '../invoicing/amount-open.ts';
import { checkCredit } from '../invoicing/credit.ts';
import { invoice } from '../invoicing/invoice.ts';
import { continueInvoiceNumbers } from '../invoicing/invoice-series.ts';
import { becomeOldInvoice, keepOldInvoice, oldInvoiceIsWhole } from '../invoicing/old-invoice.ts';
import { sumUpOrders } from '../invoicing/order-totals.ts';
import { type Change, type RowIn, rulesOf } from '../model/record.ts';
import { Order } from '../resources/order.ts';
import { LISTS } from '../trade/lists.ts';
import { mayMove, mayStart } from '../trade/order-status.ts';

const { READY, INVOICE } = LISTS.orderstatuses;
const ZERO = '0.00';

rulesOf(Order, {
  rules: [startsOrMoves, oldInvoiceIsWhole, checkCredit],
  refuses: {
    write: [
      violation('value_invalid', {
        field: 'order_status',
        value: READY,
        validation: 'orderstatus transition from 1',
      }),
      violation('array_empty', { field: 'orderline' }),
    ],
  },
  before: async (change) => {
    const { next, previous } = change;
    if (!previous) {
      Object.assign(next, { net_high: ZERO, net_low: ZERO });
      if (next.invoice_number !== null) await becomeOldInvoice(change);
    } else if (next.order_status === INVOICE) await invoice(change);
  },
  after: keepOldInvoice,
  afterRestore: async (session, owner) => {
    await sumUpOrders(session, owner);
    await sumUpPayments(session, owner);
    await continueInvoiceNumbers(session, owner);
  },
});

function startsOrMoves({ next, previous }: Change<RowIn<typeof Order>>) {
  const field = { field: 'order_status', value: next.order_status };
  if (!previous) {
    const isOldInvoice = next.invoice_number !== null && next.order_status === INVOICE;
    return isOldInvoice || mayStart(next.order_status)
      ? undefined
      : violation('value_invalid', { ...field, validation: 'orderstatus at start' });
  }
  const from = previous.order_status;
  if (next.order_status === from || mayMove(from, next.order_status)) return undefined;
  return violation('value_invalid', { ...field, validation: `orderstatus transition from ${from}` });
}
