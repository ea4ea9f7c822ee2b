// A garage: the owner of all its records, and the seller on its invoices. Each caller sees only its own.
import { int4, json, reference, text, varchar } from '../model/field.ts';
import { record } from '../model/record.ts';
import { EMAIL, IBAN, KVK_NUMBER, POSTCODE, TIMEZONE, VAT_NUMBER, WEB_ADDRESS } from '../model/validation.ts';
import { LISTS } from '../trade/lists.ts';

const MODULES = Object.keys(LISTS.modules);

export class Owner extends record(
  'owner',
  {
    name: varchar(100, { required: true }),
    legal_name: varchar(150),
    street: varchar(100),
    huisnummer: int4(),
    toevoeging: varchar(10),
    postcode: varchar(10, { validation: POSTCODE }),
    city: varchar(80),
    country_id: reference('country', { required: true }),
    phone: varchar(25),
    email: varchar(150, { validation: EMAIL }),
    website: varchar(150, { validation: WEB_ADDRESS }),
    kvk_number: varchar(8, { validation: KVK_NUMBER }),
    vat_number: varchar(14, { validation: VAT_NUMBER }),
    iban: varchar(34, { validation: IBAN }),
    bic: varchar(11),
    invoice_prefix: varchar(10),
    payment_days: int4(),
    invoice_footer: text(),
    timezone: varchar(40, { validation: TIMEZONE }),
    modules: json(
      {
        type: 'object',
        properties: Object.fromEntries(MODULES.map((name) => [name, { type: 'integer', enum: [0, 1] }])),
      },
      { description: 'What this garage uses: each module 0 or 1' },
    ),
  },
  { ownership: 'self', methods: ['GET', 'PUT'], description: 'The garage itself' },
) {}

/** What a new garage may use: everything. */
export const ALL_MODULES = JSON.stringify(Object.fromEntries(MODULES.map((name) => [name, 1])));
