// The data of an e-invoice: those of its PDF, and what only an e-invoice shows.
import type { Buyer, DocumentData, Order, Seller } from '../pdf/data.ts';
import { personOf } from '../pdf/format.ts';
import type { Format } from './format.ts';
import { clean, joined } from './text.ts';

export interface EInvoiceSeller extends Seller {
  readonly peppol_id: string | null;
}

export interface EInvoiceBuyer extends Buyer {
  readonly peppol_id: string | null;
}

export interface EInvoiceOrder extends Order {
  readonly buyer_reference: string | null;
}

export interface EInvoiceData extends DocumentData {
  readonly format: Format;
  readonly seller: EInvoiceSeller;
  readonly buyer: EInvoiceBuyer;
  readonly order: EInvoiceOrder;
}

/** The name that the trade register has. */
export const sellerName = ({ legal_name, name }: Seller): string | undefined =>
  clean(legal_name) ?? clean(name);

/** The name of the company, else of the person. */
export const buyerName = (buyer: Buyer): string | undefined =>
  clean(buyer.company_name) ?? joined([personOf(buyer)]);
