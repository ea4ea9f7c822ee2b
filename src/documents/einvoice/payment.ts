// How an e-invoice is paid, in the words of the PDF. It names an account only where the customer is to pay.

import { LISTS } from '../../trade/lists.ts';
import type { DocumentData } from '../pdf/data.ts';
import { isCredit, numberOf } from '../pdf/draft.ts';
import { euros, isoDay } from '../pdf/format.ts';
import { type Language, WORDS } from '../pdf/words.ts';
import { clean } from './text.ts';

/** Codes of UN/CEFACT 4461. */
const CREDIT_TRANSFER = '30';
/** As agreed: without an account. */
const AGREED = '57';

/** `gross`: the total as the PDF shows it, negative where the garage pays back. */
export function paymentElements(data: DocumentData, gross: string, language: Language) {
  const words = WORDS[language];
  const { order, seller } = data;
  if (gross.startsWith('-')) return terms(words.paidBack(euros(gross.slice(1), language)));
  if (Number(gross) === 0) return {};
  const due = order.due_date === null ? undefined : isoDay(order.due_date, seller);
  const means = (code: string, account?: string) => ({
    'cac:PaymentMeans': {
      'cbc:PaymentMeansCode': code,
      // An invoice has its due date in its head.
      'cbc:PaymentDueDate': isCredit(data) ? due : undefined,
      'cbc:PaymentID': clean(numberOf(data)),
      'cac:PayeeFinancialAccount': account && { 'cbc:ID': account },
    },
  });
  // The garage buys the vehicle, so the garage pays. The Dutch rules want a way to pay for each positive invoice.
  if (order.order_type === LISTS.ordertypes.VEHICLE_PURCHASE)
    return { ...means(AGREED), ...terms(words.paidOut(euros(gross, language), due ?? '')) };
  return means(CREDIT_TRANSFER, clean(seller.iban));
}

const terms = (note: string) => ({ 'cac:PaymentTerms': { 'cbc:Note': note } });
