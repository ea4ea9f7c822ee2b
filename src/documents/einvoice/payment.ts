// How an e-invoice is paid, in the words of the PDF. It names an account only if the customer is to pay.

import type { DocumentData } from '../pdf/data.ts';
import { isCredit, numberOf } from '../pdf/draft.ts';
import { euros, isoDay } from '../pdf/format.ts';
import { type Language, WORDS } from '../pdf/words/words.ts';
import { clean } from './text.ts';

/** Code of UN/CEFACT 4461. */
const CREDIT_TRANSFER = '30';

/** `gross`: the total as the PDF shows it, negative if the garage pays back. */
export function paymentElements(data: DocumentData, gross: string, language: Language) {
  const words = WORDS[language];
  const { order, seller } = data;
  if (gross.startsWith('-')) {
    const back = data.isSelfBilled ? words.takenBack : words.paidBack;
    return terms(back(euros(gross.slice(1), language)));
  }
  if (Number(gross) === 0) return {};
  const due = order.due_date === null ? undefined : isoDay(order.due_date, seller);
  const account = clean(seller.iban);
  return {
    'cac:PaymentMeans': {
      'cbc:PaymentMeansCode': CREDIT_TRANSFER,
      // An invoice has its due date in its head.
      'cbc:PaymentDueDate': isCredit(data) ? due : undefined,
      'cbc:PaymentID': clean(numberOf(data)),
      'cac:PayeeFinancialAccount': account && { 'cbc:ID': account },
    },
  };
}

const terms = (note: string) => ({ 'cac:PaymentTerms': { 'cbc:Note': note } });
