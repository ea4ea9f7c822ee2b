// The data of an e-invoice: the data of its PDF, and its format.
import { nameOf } from '../../../core/trade/identity/printed-name.ts';
import type { Buyer, DocumentData, Seller } from '../pdf/data.ts';
import type { Format } from './format.ts';
import { clean } from './text.ts';

export interface EInvoiceData extends DocumentData {
  readonly format: Format;
}

/** The name that the trade register has. */
export const sellerName = ({ legal_name, name }: Seller): string | undefined =>
  clean(legal_name) ?? clean(name);

export const buyerName = (buyer: Buyer): string | undefined => clean(nameOf(buyer));
