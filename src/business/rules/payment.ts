// Payments are the only records that an invoice takes once it is made, and `amount_open` is the only field of the
// invoice that they change.
import { violation } from '../../core/errors.ts';
import { refuse } from '../../core/model/bodies/check.ts';
import { rulesOf } from '../../core/model/records/record.ts';
import { Payment, type PaymentChange } from '../../core/resources/payment.ts';
import { methodRow } from '../../core/trade/kinds/payment-method.ts';
import { LISTS } from '../../core/trade/lists.ts';
import { tooMuchCash } from '../../core/trade/order-case/payment.ts';
import { payerOf } from '../../core/trade/payer.ts';
import { CLOSED, claimBooksForAll, onClosedDay } from '../invoicing/closed-period.ts';
import { fitsAmountOpen, keepAmountOpen, namePayers, roundCash } from '../invoicing/payment/amount-open.ts';
import { keepsCashLimit } from '../invoicing/payment/cash-limit.ts';

const { OFFSET } = LISTS.paymentmethods;
const TOO_MUCH = violation('value_invalid', { field: 'amount', value: 200, validation: 'amount open' });

const noMethod = (value: number) =>
  violation('value_invalid', { field: 'method', value, validation: 'paymentmethods' });
const FIXED = violation('field_fixed', { field: 'method' });

rulesOf(Payment, {
  rules: [isOpenDay, isNoOffset, fitsRounded, keepsCashLimit],
  keeps: async (previous, garage, parent) =>
    fixedOffset(previous) ??
    (await onClosedDay(garage, previous.order_id, [previous.paid_at])) ??
    fitsAmountOpen({ previous, parent }),
  refuses: {
    write: [TOO_MUCH, tooMuchCash(3000), noMethod(OFFSET), CLOSED],
    change: [FIXED],
    delete: [TOO_MUCH, FIXED, CLOSED],
  },
  beforeBatch: claimBooksForAll,
  before: ({ next, parent }) => {
    Object.assign(next, { payer_id: parent && payerOf(parent) });
  },
  after: async (change) => void (await keepAmountOpen(change)),
  afterDelete: async ({ next: _, ...change }) => void (await keepAmountOpen(change)),
  afterRestore: namePayers,
});

/**
 * Refuses a payment whose old or new day is closed. Throws, because the amount open is judged only after this rule. A
 * payment that the service alone may change is refused as such.
 */
async function isOpenDay(change: PaymentChange): Promise<undefined> {
  const { next, previous, parent, garage } = change;
  if (!parent || isNoOffset(change)) return undefined;
  refuse(await onClosedDay(garage, next.order_id, [previous?.paid_at, next.paid_at]));
  return undefined;
}

/** The open amount includes the rounding of payments in cash. */
async function fitsRounded(change: PaymentChange) {
  await roundCash(change);
  return fitsAmountOpen(change);
}

/** The service alone settles a credit note with its invoice. */
function isNoOffset({ next, previous }: PaymentChange) {
  return fixedOffset(previous) ?? (methodRow(next.method).byRequest ? undefined : noMethod(next.method));
}

function fixedOffset(payment: Pick<Payment, 'method'> | undefined) {
  return payment && !methodRow(payment.method).byRequest ? FIXED : undefined;
}
