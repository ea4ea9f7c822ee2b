// The day on which an invoice counts in the books.
import { isPurchase } from './kinds/purchase.ts';
import { LISTS } from './lists.ts';

const { SUPPLIER_INVOICE } = LISTS.purchaseproofs;

/** Instants in the form of the database. */
export interface SellerDated {
  readonly order_type: number;
  readonly purchase_proof: number | null;
  readonly supplier_invoice_date: string | null;
}

/** The date that the seller gave the invoice. Null: the garage makes the invoice, or nobody entered the date. */
export const sellerDateOf = ({
  order_type,
  purchase_proof,
  supplier_invoice_date,
}: SellerDated): string | null =>
  isPurchase(order_type) && purchase_proof === SUPPLIER_INVOICE ? supplier_invoice_date : null;
