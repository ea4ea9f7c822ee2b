// Seller, buyer and vehicles of an invoice, as they were on its day. Invoicing writes them; `expand` on an order shows
// them.
import { json, reference, varchar } from '../model/fields/field.ts';
import { record } from '../model/records/record.ts';

export class InvoiceParty extends record(
  'invoiceparty',
  {
    order_id: reference('order', { required: true, readonly: true, unique: 'owner' }),
    seller: json({ type: 'object', description: 'The owner as it was' }, { copyOf: 'owner' }),
    buyer: json(
      { type: 'object', description: 'The invoiced contact as it was' },
      { copyOf: 'contact', personal: true },
    ),
    driver: varchar(160, {
      personal: true,
      printed: true,
      // A person who asks for their personal data does not learn who drove.
      internal: true,
      description: 'The name of the contact, if another contact was invoiced',
    }),
    vehicles: json(
      {
        type: 'array',
        items: { type: 'object' },
        description: 'The vehicles of the invoice and of its lines, as they were',
      },
      { copyOf: 'vehicle', personal: true },
    ),
    approval_number: varchar(30, {
      readonly: true,
      personal: false,
      description: 'The number by which a lease company approved the order',
    }),
  },
  {
    table: 'invoiceparties',
    methods: [],
    about: {
      through: ['order_id'],
      anonymised: 'kept',
      isPrinted: true,
      title: { nl: 'Adressering van facturen', en: 'Addresses of invoices' },
    },
    description: 'Seller and buyer as they were when the invoice was made',
  },
) {}
