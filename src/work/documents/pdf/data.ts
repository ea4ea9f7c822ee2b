// The data of a document, with the field names of the API: rows and the stored parties of an invoice fit as they are.
// Fields that a buyer must not see (purchase prices, the VAT within a margin) are left out.

import type { Named } from '../../../core/trade/identity/printed-name.ts';
import type { LISTS, ListValue } from '../../../core/trade/lists.ts';
import type { Logo } from '../../../core/trade/picture/logo.ts';
import type { OrderVat } from '../../../core/trade/totals.ts';

/**
 * The types that show one order on paper. An e-invoice is made by einvoice/, and a reminder is a letter about several
 * orders.
 */
export type DocumentType = Exclude<
  ListValue<'documenttypes'>,
  typeof LISTS.documenttypes.UBL | typeof LISTS.documenttypes.REMINDER
>;
/** A decimal as exact text, as the database returns it. */
export type Decimal = string;
/** A timestamp in the form of the database (UTC) or of the API. */
export type Instant = string;

export interface Address {
  readonly street: string | null;
  readonly huisnummer: number | null;
  readonly toevoeging: string | null;
  readonly postcode: string | null;
  readonly city: string | null;
  readonly country_id: number;
}

export interface Party extends Address {
  readonly kvk_number: string | null;
  readonly vat_number: string | null;
  /** Only an e-invoice shows it. */
  readonly peppol_id: string | null;
}

export interface Seller extends Party {
  readonly id: number;
  readonly name: string;
  readonly legal_name: string | null;
  readonly phone: string | null;
  readonly email: string | null;
  readonly website: string | null;
  readonly iban: string | null;
  readonly bic: string | null;
  readonly invoice_footer: string | null;
  readonly timezone: string | null;
}

export interface Buyer extends Party, Named {
  readonly id: number;
  readonly contact_number: number | null;
  readonly debtor_number: string | null;
  readonly language: string | null;
}

export interface Vehicle {
  readonly license_plate: string;
  readonly vin: string | null;
  readonly make: string;
  readonly model: string;
  readonly version_name: string | null;
  readonly mileage: number | null;
}

export interface Order extends OrderVat {
  readonly id: number;
  readonly order_number: number | null;
  readonly order_type: number;
  readonly order_date: Instant;
  readonly mileage: number | null;
  readonly appointment_at: Instant | null;
  readonly planned_out_at: Instant | null;
  readonly reference: string | null;
  readonly buyer_reference: string | null;
  readonly description: string | null;
  readonly invoice_number: string | null;
  readonly invoice_date: Instant | null;
  readonly due_date: Instant | null;
  /** An invoice has one. */
  readonly supply_date: Instant | null;
  /** How long a quotation stands. */
  readonly valid_until: Instant | null;
  /** 1: prices of lines include VAT. */
  readonly is_vat_included: number;
}

export interface Line {
  readonly line_kind: number;
  readonly article_number: string | null;
  readonly description: string;
  readonly quantity: Decimal;
  readonly unit_type: number | null;
  readonly price: Decimal;
  readonly discount_percentage: Decimal | null;
  readonly vat_code: number;
  /** The percentage when the line was made. */
  readonly vat_percentage: Decimal | null;
  readonly line_net: Decimal;
  readonly line_gross: Decimal;
  /** A vehicle other than the order's, such as a trade-in. */
  readonly vehicle?: Pick<Vehicle, 'license_plate' | 'vin' | 'make' | 'model'>;
}

/** The payments of an invoice. Their amounts have the sign of its total: a credit note has negative amounts. */
export interface Payment {
  readonly paid: Decimal;
  /** The part of `paid` that a credit note settled with its invoice: nobody paid it. */
  readonly offset: Decimal;
  /** The total less the payments. */
  readonly amount_open: Decimal;
}

/** How the documents of a garage look today, not on the day of the invoice. */
export interface HouseStyle {
  /** `#rrggbb` */
  readonly accent_color: string | null;
  readonly logo?: Logo;
}

export interface DocumentData {
  readonly type: DocumentType;
  readonly seller: Seller;
  readonly buyer: Buyer;
  /** ISO 3166-1 codes by country ID. Includes the countries of seller and buyer. */
  readonly countries: ReadonlyMap<number, string>;
  readonly order: Order;
  readonly lines: readonly Line[];
  readonly vehicle?: Vehicle;
  /** The number of the lease company's approval; null: there is none. */
  readonly approval_number?: string | null;
  /** The invoice that a credit note credits. */
  readonly credited?: { readonly invoice_number: string; readonly invoice_date: Instant | null };
  /** The garage makes out the invoice of the contact, who is `seller`; the garage is `buyer`. */
  readonly isSelfBilled?: boolean;
  /** The name of the contact, if another contact gets the invoice. */
  readonly driver?: string;
  /** Telephone numbers of the contact, for the workshop. */
  readonly phones?: readonly string[];
  /** The name of the person who does the work. */
  readonly employee?: string;
  /** Undefined: nobody has paid yet, or the document is no invoice. */
  readonly payment?: Payment;
  readonly style?: HouseStyle;
}
