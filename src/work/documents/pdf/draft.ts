// A document in progress, with its data and its pages, and the rules for its title, file name and number.
import { isCreditNote } from '../../../core/trade/kinds/order-type.ts';
import { LISTS } from '../../../core/trade/lists.ts';
import type { DocumentData, DocumentType, Instant } from './data.ts';
import type { Paper } from './paper.ts';
import { type Language, languageOf, WORDS, type Words } from './words/words.ts';

const { INVOICE, CREDIT_NOTE, ORDER_CONFIRMATION, WORK_ORDER, PURCHASE_STATEMENT } = LISTS.documenttypes;

export interface Draft {
  readonly data: DocumentData;
  readonly paper: Paper;
  readonly language: Language;
  readonly words: Words;
  /** The colour of titles and lines: the garage's, dark enough to be read. */
  readonly accent: string;
}

/** The data for the head and the foot of any paper, also of a letter about several orders. */
export type Letterhead = Pick<Draft, 'paper' | 'words' | 'language'> & {
  readonly data: Pick<DocumentData, 'seller' | 'buyer' | 'countries' | 'style' | 'isSelfBilled'>;
};

interface DocumentName {
  /** The printed type. The invoice, or the statement, of a credit order is a credit note. */
  readonly type: DocumentType;
  readonly language: Language;
  /** `Factuur` */
  readonly heading: string;
  /** `Factuur F202600007` */
  readonly title: string;
  /** `factuur-F202600007.pdf`: letters, digits and dashes only. */
  readonly fileName: string;
  readonly date: Instant;
}

export function nameDocument(data: DocumentData): DocumentName {
  const { order } = data;
  const own = isInvoice(data) ? INVOICE : data.type;
  const type = isNumbered(data) && isCredit(data) ? CREDIT_NOTE : own;
  const language = languageOf(data.buyer.language);
  const words = WORDS[language];
  const heading = isSalesAgreement(data) ? words.salesAgreement : words.titles[type];
  const number = numberOf(data);
  return {
    type,
    language,
    heading,
    title: `${heading} ${number}`,
    fileName: `${fileWord(heading)}-${fileWord(number, false)}.pdf`,
    date: (isNumbered(data) ? order.invoice_date : null) ?? order.order_date,
  };
}

/** The number of the document: of the invoice or the purchase, else of the order. */
export const numberOf = ({ order, ...data }: DocumentData): string =>
  String((isNumbered(data) ? order.invoice_number : order.order_number) ?? order.id);

export const isInvoice = ({ type }: Pick<DocumentData, 'type'>): boolean =>
  type === INVOICE || type === CREDIT_NOTE;
type Typed = Pick<DocumentData, 'type'>;
export const isStatement = ({ type }: Typed): boolean => type === PURCHASE_STATEMENT;
/** The number of the invoiced order. */
const isNumbered = (data: Typed): boolean => isInvoice(data) || isStatement(data);
/** Buyer and seller sign the confirmation of a sold vehicle. */
export const isSalesAgreement = ({ type, order }: DocumentData): boolean =>
  type === ORDER_CONFIRMATION && order.order_type === LISTS.ordertypes.VEHICLE_SALES;
export const isWorkOrder = ({ type }: Pick<DocumentData, 'type'>): boolean => type === WORK_ORDER;
export const isCredit = ({ order }: DocumentData): boolean => isCreditNote(order.order_type);

/** Keeps letters, digits and dashes. The owner chooses the prefix, and not every file system takes every character. */
function fileWord(text: string, lower = true): string {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return lower ? plain.toLowerCase() : plain;
}
