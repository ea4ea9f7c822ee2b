// An order is work or a sale agreed with a contact. Once invoiced it never changes again.
import { violation } from '../errors.ts';
import { sumUpPayments } from '../invoicing/amount-open.ts';
import { checkCredit } from '../invoicing/credit.ts';
import { invoice } from '../invoicing/invoice.ts';
import { continueInvoiceNumbers } from '../invoicing/invoice-series.ts';
import { becomeOldInvoice, keepOldInvoice, oldInvoiceIsWhole } from '../invoicing/old-invoice.ts';
import { sumUpOrders } from '../invoicing/order-totals.ts';
import { choice, flag, int4, money, reference, text, timestamp, varchar } from '../model/field.ts';
import { type Change, record } from '../model/record.ts';
import { LISTS } from '../trade/lists.ts';
import { frozenState, mayMove, mayStart } from '../trade/order-status.ts';

const { ORDER, READY, INVOICE, CANCELLED } = LISTS.orderstatuses;
const ZERO = '0.00';

export class Order extends record(
  'order',
  {
    order_number: int4({
      readonly: true,
      counted: true,
      history: true,
      unique: 'owner',
      description: 'Counts up per owner from 1',
    }),
    order_type: choice('ordertypes', { required: true, indexed: true, fixed: true }),
    order_status: choice('orderstatuses', { indexed: true, fallback: ORDER }),
    is_invoiced: flag({ indexed: true, readonly: true, description: '1: the order is an invoice' }),
    order_date: timestamp({ required: true, indexed: true }),
    contact_id: reference('contact', { required: true }),
    invoice_contact_id: reference('contact', {
      description: 'Who is invoiced, where that is not the contact',
    }),
    vehicle_id: reference('vehicle'),
    employee_id: reference('employee'),
    mileage: int4({ min: 0, description: 'Kilometres' }),
    appointment_at: timestamp(),
    planned_out_at: timestamp({ after: 'appointment_at' }),
    reference: varchar(60, { indexed: true, printed: true, personal: true }),
    buyer_reference: varchar(60, {
      printed: true,
      personal: true,
      description: 'Where the buyer books the invoice, such as a cost centre; an e-invoice names it',
    }),
    description: text({ printed: true, personal: true }),
    remarks_internal: text({ personal: true }),
    invoice_number: varchar(20, { readonly: true, history: true, unique: 'owner' }),
    invoice_date: timestamp({ indexed: true, readonly: true, history: true }),
    due_date: timestamp({ indexed: true, readonly: true }),
    credited_order_id: reference('order', { description: 'The invoice that this credit note takes back' }),
    total_net: money({ readonly: true, fallback: ZERO }),
    total_vat: money({ readonly: true, fallback: ZERO }),
    total_gross: money({ readonly: true, fallback: ZERO }),
    amount_open: money({
      readonly: true,
      indexed: true,
      description: 'total_gross less the payments; null until the order is an invoice',
    }),
  },
  {
    description: 'Work or a sale agreed with a contact; an invoice once its status is INVOICE',
    about: { contact: 'contact_id', anonymised: 'emptied' },
    hidden: ['net_high', 'net_low'],
    // The orders of one type or one status, newest first: planners and web shops ask for them all the time.
    indexes: [
      ['order_type', 'order_date'],
      ['order_status', 'order_date'],
    ],
    frozen: ({ order_status }) => frozenState(order_status),
    thaws: ({ order_status }, body) => order_status === CANCELLED && body.order_status === ORDER,
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
  },
) {}

function startsOrMoves({ next, previous }: Change<{ order_status: number; invoice_number: string | null }>) {
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
