// A document in the making: its data, the paper it comes on, and what it is called.
import { LISTS } from '../trade/lists.ts';
import type { DocumentData, DocumentType, Instant } from './data.ts';
import type { Paper } from './paper.ts';
import { type Language, languageOf, WORDS, type Words } from './words.ts';

const { INVOICE, CREDIT_NOTE, WORK_ORDER } = LISTS.documenttypes;

export interface Draft {
  readonly data: DocumentData;
  readonly paper: Paper;
  readonly language: Language;
  readonly words: Words;
}

/** What a document is called. */
export interface DocumentName {
  /** What it is: the invoice of a credit order is a credit note, and that of any other is none. */
  readonly type: DocumentType;
  readonly language: Language;
  /** `Factuur F202600007` */
  readonly title: string;
  /** `factuur-F202600007.pdf`, of letters, digits and dashes. */
  readonly fileName: string;
  readonly date: Instant;
}

export function nameDocument(data: DocumentData): DocumentName {
  const { order } = data;
  const type = isInvoice(data) ? (isCredit(data) ? CREDIT_NOTE : INVOICE) : data.type;
  const language = languageOf(data.buyer.language);
  const word = WORDS[language].titles[type];
  const number = numberOf(data);
  return {
    type,
    language,
    title: `${word} ${number}`,
    fileName: `${fileWord(word)}-${fileWord(number, false)}.pdf`,
    date: (isInvoice(data) ? order.invoice_date : null) ?? order.order_date,
  };
}

/** Its own number: that of the invoice, else that of the order. */
export const numberOf = ({ order, ...data }: DocumentData): string =>
  String((isInvoice(data) ? order.invoice_number : order.order_number) ?? order.id);

export const isInvoice = ({ type }: Pick<DocumentData, 'type'>): boolean =>
  type === INVOICE || type === CREDIT_NOTE;
export const isWorkOrder = ({ type }: Pick<DocumentData, 'type'>): boolean => type === WORK_ORDER;
export const isCredit = ({ order }: DocumentData): boolean =>
  order.order_type === LISTS.ordertypes.INTERNAL_REVERSAL;

/** Of a prefix that the owner chose, only what any file system takes stays. */
function fileWord(text: string, lower = true): string {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return lower ? plain.toLowerCase() : plain;
}
