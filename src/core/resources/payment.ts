// A payment of an invoice, or a refund.
import { choice, money, reference, timestamp, varchar } from '../model/fields/field.ts';
import { type ChangeOf, type RowIn, record } from '../model/records/record.ts';
import { paymentState } from '../trade/kinds/order-status.ts';

export class Payment extends record(
  'payment',
  {
    order_id: reference('order', { required: true, fixed: true, description: 'The invoice' }),
    amount: money({
      required: true,
      nonzero: true,
      description: 'Below 0 for a refund; of a credit note the other way round',
    }),
    paid_at: timestamp({ required: true, indexed: true }),
    method: choice('paymentmethods', { required: true, indexed: true }),
    rounding: money({
      readonly: true,
      fallback: '0.00',
      description: 'The cents by which a payment by CASH closes the invoice beyond its amount',
    }),
    reference: varchar(60, { indexed: true, personal: true }),
  },
  {
    description: 'A payment of an invoice, or a refund',
    parent: 'order_id',
    about: {
      contact: 'payer_id',
      through: ['order_id'],
      anonymised: 'kept',
      title: { nl: 'Betalingen', en: 'Payments' },
    },
    // The key of a payment is its number at the bank.
    personalKey: false,
    // The contact who got the invoice: the log finds whom a payment was about, even after the payment is deleted.
    hidden: ['payer_id'],
    frozenBy: ({ order_status }) => paymentState(Number(order_status)),
  },
) {}

export type PaymentRow = RowIn<typeof Payment>;
export type PaymentChange = ChangeOf<typeof Payment>;
