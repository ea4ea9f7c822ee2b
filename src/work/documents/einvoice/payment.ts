// How an e-invoice is paid, in the words of the PDF. It names an account only if the customer is to pay.

import type { DocumentData } from '../pdf/data.ts';
import { isCredit, numberOf } from '../pdf/draft.ts';
import { euros, isoDay } from '../pdf/format.ts';
import { type Language, WORDS } from '../pdf/words/words.ts';
import { clean } from './text.ts';

/** Code of UN/CEFACT 4461. */
const CREDIT_TRANSFER = '30';

/** `due`: what the PDF asks the buyer to pay, without payments; negative if the garage pays back. */
export function paymentElements(data: DocumentData, due: string, language: Language) {
  const words = WORDS[language];
  const { order, seller } = data;
  if (due.startsWith('-')) {
    const back = data.isSelfBilled ? words.takenBack : words.paidBack;
    return terms(back(euros(due.slice(1), language)));
  }
  if (Number(due) === 0) return {};
  const date = order.due_date === null ? undefined : isoDay(order.due_date, seller);
  const account = clean(seller.iban);
  return {
    'cac:PaymentMeans': {
      'cbc:PaymentMeansCode': CREDIT_TRANSFER,
      // An invoice has its due date in its head.
      'cbc:PaymentDueDate': isCredit(data) ? date : undefined,
      'cbc:PaymentID': clean(numberOf(data)),
      'cac:PayeeFinancialAccount': account && { 'cbc:ID': account },
    },
  };
}

const terms = (note: string) => ({ 'cac:PaymentTerms': { 'cbc:Note': note } });
