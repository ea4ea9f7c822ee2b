// The types of generated documents and the kinds of stored ones, one row each. Without a row, a new entry of
// LISTS.documenttypes or LISTS.documentkinds does not compile.
import { LISTS, type ListValue, rowOf } from '../lists.ts';

type DocumentType = ListValue<'documenttypes'>;
type DocumentKind = ListValue<'documentkinds'>;

interface TypeRow {
  /** The kind of the document that is stored. */
  readonly kind: DocumentKind;
  /**
   * The orders that have such a document. An own invoice is a sale's, or a self-billed purchase's; the order decides
   * whether it is an invoice or a credit note. A reminder judges its orders by itself.
   */
  readonly of: 'any order' | 'own invoice' | 'purchase by statement';
}

const TYPES: Readonly<Record<DocumentType, TypeRow>> = {
  [LISTS.documenttypes.INVOICE]: { kind: LISTS.documentkinds.INVOICE, of: 'own invoice' },
  [LISTS.documenttypes.CREDIT_NOTE]: { kind: LISTS.documentkinds.CREDIT_NOTE, of: 'own invoice' },
  [LISTS.documenttypes.QUOTATION]: { kind: LISTS.documentkinds.QUOTATION, of: 'any order' },
  [LISTS.documenttypes.ORDER_CONFIRMATION]: {
    kind: LISTS.documentkinds.ORDER_CONFIRMATION,
    of: 'any order',
  },
  [LISTS.documenttypes.WORK_ORDER]: { kind: LISTS.documentkinds.WORK_ORDER, of: 'any order' },
  [LISTS.documenttypes.UBL]: { kind: LISTS.documentkinds.E_INVOICE, of: 'own invoice' },
  [LISTS.documenttypes.PURCHASE_STATEMENT]: {
    kind: LISTS.documentkinds.PURCHASE_STATEMENT,
    of: 'purchase by statement',
  },
  [LISTS.documenttypes.REMINDER]: { kind: LISTS.documentkinds.REMINDER, of: 'any order' },
};

export const typeRow = (type: number): TypeRow => rowOf('documenttypes', TYPES, type);

/** Whether the books must keep documents of a kind, also if their contact is anonymised. */
const IS_KEPT: Readonly<Record<DocumentKind, boolean>> = {
  [LISTS.documentkinds.INVOICE]: true,
  [LISTS.documentkinds.CREDIT_NOTE]: true,
  [LISTS.documentkinds.QUOTATION]: false,
  [LISTS.documentkinds.ORDER_CONFIRMATION]: false,
  [LISTS.documentkinds.WORK_ORDER]: false,
  [LISTS.documentkinds.PURCHASE_STATEMENT]: true,
  [LISTS.documentkinds.PHOTO]: false,
  [LISTS.documentkinds.REGISTRATION]: false,
  [LISTS.documentkinds.OTHER]: false,
  [LISTS.documentkinds.E_INVOICE]: true,
  [LISTS.documentkinds.REMINDER]: false,
};

/** The documents that the books must keep. */
export const KEPT_KINDS: readonly number[] = Object.values(LISTS.documentkinds).filter(
  (kind) => IS_KEPT[kind],
);
