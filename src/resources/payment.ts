// A payment of an invoice, or a refund. Payments are the only records that an invoice takes once it is made, and
// `amount_open` is the only field of the invoice that they change.
import { violation } from '../errors.ts';
import { fitsAmountOpen, keepAmountOpen, namePayers } from '../invoicing/amount-open.ts';
import { choice, money, reference, timestamp, varchar } from '../model/field.ts';
import { record } from '../model/record.ts';
import { paymentState } from '../trade/order-status.ts';

const TOO_MUCH = violation('value_invalid', { field: 'amount', value: 200, validation: 'amount open' });

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
    reference: varchar(60, { indexed: true, personal: true }),
  },
  {
    description: 'A payment of an invoice, or a refund',
    parent: 'order_id',
    about: { contact: 'payer_id', anonymised: 'kept' },
    hidden: ['payer_id'],
    frozenBy: ({ order_status }) => paymentState(Number(order_status)),
    rules: [fitsAmountOpen],
    keeps: (previous, _session, _owner, parent) => fitsAmountOpen({ previous, parent }),
    refuses: { write: [TOO_MUCH], delete: [TOO_MUCH] },
    before: ({ next, parent }) => {
      Object.assign(next, { payer_id: parent?.invoice_contact_id ?? parent?.contact_id });
    },
    after: keepAmountOpen,
    afterDelete: ({ next: _, ...change }) => keepAmountOpen(change),
    afterRestore: namePayers,
  },
) {
  /** The contact who got the invoice: the log finds whom a payment was about, also when the payment is deleted. */
  declare payer_id: number | null;
}
