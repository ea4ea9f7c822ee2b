// A garage: the owner of all its records, and the seller on its invoices. Each caller sees only its own.
import {
  bytea,
  choice,
  flag,
  int4,
  json,
  money,
  reference,
  text,
  timestamp,
  varchar,
} from '../model/fields/field.ts';
import {
  COLOR,
  EMAIL,
  IBAN,
  KVK_NUMBER,
  LOGO,
  PEPPOL_ADDRESS,
  PEPPOL_ID,
  POSTCODE,
  TIMEZONE,
  VAT_CODES,
  VAT_NUMBER,
  WEB_ADDRESS,
} from '../model/fields/validation.ts';
import { type RowIn, record } from '../model/records/record.ts';
import { MOST_PAYMENT_DAYS } from '../trade/invoice-number.ts';
import { LISTS } from '../trade/lists.ts';

/** A ledger account, for the journal. */
const account = (description: string) => varchar(20, { description });
const LARGEST_LOGO_BYTES = 1024 * 1024;
const MODULES = Object.keys(LISTS.modules);

export class Owner extends record(
  'owner',
  {
    name: varchar(100, { printed: true, required: true }),
    legal_name: varchar(150, { printed: true }),
    street: varchar(100, { printed: true }),
    huisnummer: int4({ printed: true }),
    toevoeging: varchar(10, { printed: true }),
    postcode: varchar(10, { printed: true, validation: POSTCODE }),
    city: varchar(80, { printed: true }),
    country_id: reference('country', { printed: true, required: true }),
    phone: varchar(25, { printed: true }),
    email: varchar(150, { printed: true, validation: EMAIL, ignoresCase: true }),
    website: varchar(150, { printed: true, validation: WEB_ADDRESS }),
    kvk_number: varchar(8, { printed: true, validation: KVK_NUMBER }),
    vat_number: varchar(14, { printed: true, validation: VAT_NUMBER }),
    iban: varchar(34, { printed: true, validation: IBAN }),
    bic: varchar(11, { printed: true }),
    peppol_id: varchar(60, { printed: true, validation: PEPPOL_ID, description: PEPPOL_ADDRESS }),
    invoice_prefix: varchar(10, {
      description: 'Begins the numbers of sales. Not IV-, which begins the numbers of statements',
    }),
    payment_days: int4({ min: 0, max: MOST_PAYMENT_DAYS }),
    invoice_footer: text({ printed: true }),
    // Not frozen with an invoice: they are the look of all documents, not the content of an invoice.
    logo: bytea(LARGEST_LOGO_BYTES, {
      validation: LOGO,
      description: 'The logo on documents in base64, as it was given. A JPEG has 50 scans at most',
    }),
    accent_color: varchar(7, {
      validation: COLOR,
      description: 'The colour of titles and lines on documents',
    }),
    timezone: varchar(40, { printed: true, validation: TIMEZONE }),
    margin_method: choice('marginmethods', {
      description: 'How the VAT return counts the margin of used vehicles',
    }),
    vat_period: choice('vatperiods', {
      description:
        'For which period the VAT return is made. Like `margin_method` the setting that was put last: `vatregime` says from ' +
        'which day it holds',
    }),
    margin_carried_in: money({
      min: 0,
      description:
        'The negative margin (GLOBAL) that the garage brings along into the period of `margin_from`',
    }),
    margin_from: timestamp({
      description:
        'Means the day of this instant on the calendar of the garage, and begins a period. Earlier periods have no margin',
    }),
    books_closed_until: timestamp({
      description:
        'The last day, on the calendar of the garage, whose books are closed; yesterday at the latest. What would change the ' +
        'journal, the VAT return, the ICP statement or the debtors of a closed day is refused. An earlier day, or null, ' +
        'opens the days behind it again',
    }),
    is_cash_rounded: flag({
      description:
        '1: a payment by CASH closes its invoice if it leaves 1 or 2 cents open or is 1 or 2 cents too much. ' +
        '`rounding` of the payment has the difference',
    }),
    okr_minimum: money({
      min: 0,
      description: 'Orders above this total make a mileage reading that is reported. If empty: 150',
    }),
    debtor_account: account('What customers owe'),
    creditor_account: account('What the garage owes for purchases'),
    vat_high_account: account('VAT at the high rate'),
    vat_low_account: account('VAT at the low rate'),
    input_vat_account: account('VAT of purchases'),
    margin_vat_account: account('VAT within the margin of used vehicles'),
    margin_turnover_account: account(
      'Turnover that the VAT of margins over periods (GLOBAL) is taken from. If empty, the journal has no such entries',
    ),
    deposit_account: account('Deposits of orders that are not invoiced yet'),
    rounding_account: account('What cash payments are rounded by'),
    cash_account: account('Payments by CASH'),
    pin_account: account('Payments by PIN'),
    bank_account: account('Payments by BANK'),
    ideal_account: account('Payments by IDEAL'),
    other_account: account('Payments by OTHER'),
    vat_codes: varchar(500, {
      validation: VAT_CODES,
      description:
        'The codes of your bookkeeping program for the numbers of `vatcodes`, for the journal: the text of a JSON object',
      example: '{"1": "VH", "2": "VL"}',
    }),
    modules: json(
      {
        type: 'object',
        properties: Object.fromEntries(MODULES.map((name) => [name, { type: 'integer', enum: [0, 1] }])),
      },
      { description: 'The modules of this garage, each 0 or 1' },
    ),
  },
  {
    ownership: 'self',
    methods: ['GET', 'PUT'],
    // The logo in the size of print: see core/trade/picture/logo.ts.
    hidden: ['printed_logo', 'printed_logo_of'],
    description: 'The garage itself',
    needs: { PUT: 'ADMIN' },
  },
) {
  declare printed_logo: string | null;
  declare printed_logo_of: string | null;
}

/** A new garage may use all modules. */
export const ALL_MODULES = JSON.stringify(Object.fromEntries(MODULES.map((name) => [name, 1])));

export type OwnerRow = RowIn<typeof Owner>;
