// The proofs of a purchase. The proof decides which documents the garage makes of the purchase: see
// "Purchases and the stock" in docs/integrators.md.
import { LISTS, type ListValue, rowOf } from '../lists.ts';
import { isCreditNote } from './order-type.ts';
import { isPurchase } from './purchase.ts';

const { SUPPLIER_INVOICE, SELF_BILLED, STATEMENT } = LISTS.purchaseproofs;
export type Proof = ListValue<'purchaseproofs'>;
/** What the garage makes of the purchase, with a number of its own. */
export type Paper = 'nothing' | 'invoice' | 'statement';

const PAPERS: Readonly<Record<Proof, Paper>> = {
  [SUPPLIER_INVOICE]: 'nothing',
  [SELF_BILLED]: 'invoice',
  [STATEMENT]: 'statement',
};

/** A purchase without a proof has no paper. */
export const paperOf = (proof: number | null | undefined): Paper =>
  proof == null ? 'nothing' : rowOf('purchaseproofs', PAPERS, proof);

export interface Traded {
  readonly order_type: number;
  readonly purchase_proof: number | null;
}

/** The purchase, or the purchase that a credit note takes back: `credited`. Undefined for a sale. */
export const purchaseOf = <O extends Pick<Traded, 'order_type'>>(
  order: O,
  credited?: O | null,
): O | undefined => {
  if (!isPurchase(order.order_type, credited?.order_type)) return undefined;
  return isPurchase(order.order_type) ? order : (credited ?? undefined);
};

/**
 * The proof of a purchase, or of the purchase that a credit note takes back; null: an imported or old order, which has
 * no invoice to print. Undefined for a sale.
 */
export function proofOf(order: Traded, credited?: Traded | null): Proof | null | undefined {
  return purchaseOf(order, credited)?.purchase_proof as Proof | null | undefined;
}

/** Whether the garage, as the buyer, makes out the invoice of the seller. */
export const isSelfBilled = (order: Traded, credited?: Traded | null): boolean =>
  paperOf(proofOf(order, credited)) === 'invoice';

/** Whether the order takes back a purchase by statement: the garage wrote the statement and makes the credit note. */
export const isStatementBack = (order: Traded, credited?: Traded | null): boolean =>
  isCreditNote(order.order_type) && paperOf(proofOf(order, credited)) === 'statement';
