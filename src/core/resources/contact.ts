// A customer, supplier or lease company: a person or a company.

import { choice, flag, int4, reference, text, timestamp, varchar } from '../model/fields/field.ts';
import {
  IBAN,
  KVK_NUMBER,
  LANGUAGE,
  PEPPOL_ADDRESS,
  PEPPOL_ID,
  POSTCODE,
  PRINTABLE,
  VAT_NUMBER,
} from '../model/fields/validation.ts';
import { type RowIn, record } from '../model/records/record.ts';
import { nameOf } from '../trade/identity/printed-name.ts';
import { MOST_PAYMENT_DAYS } from '../trade/invoice-number.ts';
import { LISTS } from '../trade/lists.ts';

/** A name of somebody who was anonymised: a contact can't be without one. */
const NAME = { printed: true, personal: true, anonymous: 'Anoniem' } as const;

export class Contact extends record(
  'contact',
  {
    contact_number: int4({
      printed: true,
      readonly: true,
      counted: true,
      unique: 'owner',
      description: 'Counts up per owner from 1',
    }),
    contact_kind: choice('contactkinds', { required: true, indexed: true }),
    company_name: varchar(120, { ...NAME, indexed: true, description: 'Required for a company' }),
    first_name: varchar(60, NAME),
    prefix: varchar(15, { printed: true, personal: true }),
    last_name: varchar(80, { ...NAME, indexed: true, description: 'Required for a person' }),
    date_of_birth: timestamp({ personal: true }),
    street: varchar(100, { printed: true, personal: true }),
    huisnummer: int4({ printed: true, personal: true }),
    toevoeging: varchar(10, { printed: true, personal: true }),
    postcode: varchar(10, { printed: true, personal: true, indexed: true, validation: POSTCODE }),
    city: varchar(80, { printed: true, personal: true, indexed: true }),
    country_id: reference('country', { printed: true, required: true }),
    kvk_number: varchar(8, { printed: true, personal: true, validation: KVK_NUMBER }),
    vat_number: varchar(14, { printed: true, personal: true, validation: VAT_NUMBER }),
    iban: varchar(34, { personal: true, validation: IBAN }),
    peppol_id: varchar(60, {
      printed: true,
      personal: true,
      validation: PEPPOL_ID,
      description: PEPPOL_ADDRESS,
    }),
    debtor_number: varchar(20, { printed: true, personal: true, unique: 'owner' }),
    creditor_number: varchar(20, { personal: true, unique: 'owner' }),
    payment_days: int4({ min: 0, max: MOST_PAYMENT_DAYS }),
    is_customer: flag({ indexed: true }),
    is_supplier: flag({ indexed: true }),
    is_lease_company: flag(),
    is_vat_shifted: flag(),
    parent_contact_id: reference('contact'),
    language: varchar(5, {
      printed: true,
      personal: false,
      validation: LANGUAGE,
      description: 'nl, en or nl-NL; documents are in this language',
    }),
    print_name: varchar(120, {
      printed: true,
      personal: true,
      validation: PRINTABLE,
      description: 'The name in Latin script: stands in for the name on documents and e-invoices',
    }),
    self_billing_agreed_at: timestamp({
      description: 'When the seller agreed that the garage makes out the invoice of a purchase',
    }),
    is_without_reminders: flag({ description: '1: no reminders are made for this contact' }),
    notes: text({ personal: true }),
  },
  {
    description: 'A customer, supplier or lease company',
    needs: { DELETE: 'ADMIN' },
    about: { contact: 'id', anonymised: 'emptied', title: { nl: 'Gegevens', en: 'Details' } },
    personalKey: true,
    folded: {
      named: ['company_name', 'first_name', 'prefix', 'last_name'],
      own: ['print_name', 'street', 'city', 'postcode', 'contact_number', 'debtor_number', 'creditor_number'],
    },
    search: { also: ['contactcommunication'], title: nameOf, subtitle: ({ city }) => city ?? undefined },
    requires: ({ contact_kind }) => [
      contact_kind === LISTS.contactkinds.COMPANY ? 'company_name' : 'last_name',
    ],
  },
) {}

export type ContactRow = RowIn<typeof Contact>;

declare module '../model/records/record.ts' {
  interface ParentRows {
    contact: ContactRow;
  }
}
