// Who sells and who buys on a document. The garage sells, unless the garage makes out the invoice of a purchase: then
// the contact is the seller, with a row of a contact in the place of a row of the garage.
import type { InvoiceParties } from '../../invoicing/invoice-parties.ts';
import { nameOf } from '../../trade/printed-name.ts';
import type { Buyer, DocumentData, Seller } from '../pdf/data.ts';

type Garage = InvoiceParties['seller'];
type Contact = InvoiceParties['buyer'];
type Sides = Pick<DocumentData, 'seller' | 'buyer'>;

/** `seller` is the garage and `buyer` the contact, as an invoice keeps them. */
export const sidesOf = (
  { seller: garage, buyer: contact }: Pick<InvoiceParties, 'seller' | 'buyer'>,
  isSelfBilled: boolean,
): Sides =>
  isSelfBilled
    ? { seller: asSeller(contact, garage), buyer: asBuyer(garage, contact) }
    : { seller: garage, buyer: contact };

/** The contact of a document. */
export const contactOf = ({
  seller,
  buyer,
  isSelfBilled,
}: Pick<DocumentData, 'seller' | 'buyer' | 'isSelfBilled'>) =>
  isSelfBilled ? { id: seller.id, name: seller.name } : { id: buyer.id, name: nameOf(buyer) };

/** Days follow the calendar of the garage, which made the document. */
const asSeller = (contact: Contact, { timezone }: Garage): Seller => ({
  ...contact,
  name: nameOf(contact),
  legal_name: null,
  phone: null,
  email: null,
  website: null,
  bic: null,
  invoice_footer: null,
  timezone,
});

/** The language is the contact's, who reads the document. */
const asBuyer = (garage: Garage, { language }: Contact): Buyer => ({
  ...garage,
  company_name: garage.legal_name?.trim() ? garage.legal_name : garage.name,
  first_name: null,
  prefix: null,
  last_name: null,
  contact_number: null,
  debtor_number: null,
  language,
});
