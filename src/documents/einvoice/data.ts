// The data of an e-invoice: those of its PDF, and its format.
import type { Buyer, DocumentData, Seller } from '../pdf/data.ts';
import { personOf } from '../pdf/format.ts';
import type { Format } from './format.ts';
import { clean, joined } from './text.ts';

export interface EInvoiceData extends DocumentData {
  readonly format: Format;
}

/** The name that the trade register has. */
export const sellerName = ({ legal_name, name }: Seller): string | undefined =>
  clean(legal_name) ?? clean(name);

/** The name of the company, else of the person. */
export const buyerName = (buyer: Buyer): string | undefined =>
  clean(buyer.company_name) ?? joined([personOf(buyer)]);
