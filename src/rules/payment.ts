// Payments are the only records that an invoice takes once it is made, and `amount_open` is the only field of the invoice
// that they change.
import { violation } from '../errors.ts';
import { fitsAmountOpen, keepAmountOpen, namePayers } from '../invoicing/amount-open.ts';
import { rulesOf } from '../model/record.ts';
import { Payment } from '../resources/payment.ts';

const TOO_MUCH = violation('value_invalid', { field: 'amount', value: 200, validation: 'amount open' });

rulesOf(Payment, {
  rules: [fitsAmountOpen],
  keeps: (previous, _session, _owner, parent) => fitsAmountOpen({ previous, parent }),
  refuses: { write: [TOO_MUCH], delete: [TOO_MUCH] },
  before: ({ next, parent }) => {
    Object.assign(next, { payer_id: parent?.invoice_contact_id ?? parent?.contact_id });
  },
  after: keepAmountOpen,
  afterDelete: ({ next: _, ...change }) => keepAmountOpen(change),
  afterRestore: namePayers,
});
