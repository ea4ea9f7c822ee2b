// Who sells and who buys on a document. The garage sells, unless the garage makes out the invoice of a purchase: then
// the contact is the seller, with a row of a contact in the place of a row of the garage.
import type { InvoiceParties } from '../../../business/invoicing/invoice/invoice-parties.ts';
import { nameOf } from '../../../core/trade/identity/printed-name.ts';
import type { Buyer, DocumentData, Seller } from '../pdf/data.ts';

type Company = InvoiceParties['seller'];
type Contact = InvoiceParties['buyer'];
type Sides = Pick<DocumentData, 'seller' | 'buyer'>;

/** `seller` is the garage and `buyer` the contact, as an invoice keeps them. */
export const sidesOf = (
  { seller: company, buyer: contact }: Pick<InvoiceParties, 'seller' | 'buyer'>,
  isSelfBilled: boolean,
): Sides =>
  isSelfBilled
    ? { seller: asSeller(contact, company), buyer: asBuyer(company, contact) }
    : { seller: company, buyer: contact };

/** The contact of a document. */
export const contactOf = ({
  seller,
  buyer,
  isSelfBilled,
}: Pick<DocumentData, 'seller' | 'buyer' | 'isSelfBilled'>) =>
  isSelfBilled ? { id: seller.id, name: seller.name } : { id: buyer.id, name: nameOf(buyer) };

/** Days follow the calendar of the garage, which made the document. */
const asSeller = (contact: Contact, { timezone }: Company): Seller => ({
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
const asBuyer = (company: Company, { language }: Contact): Buyer => ({
  ...company,
  company_name: company.legal_name?.trim() ? company.legal_name : company.name,
  first_name: null,
  prefix: null,
  last_name: null,
  print_name: null,
  contact_number: null,
  debtor_number: null,
  language,
});
