// Sample documents to lay out. Each test changes the part that it tests.

import { Decimal } from '../../../../src/core/trade/decimal.ts';
import { LISTS } from '../../../../src/core/trade/lists.ts';
import { type OrderVat, orderTotals } from '../../../../src/core/trade/totals.ts';
import { percentageOn } from '../../../../src/core/trade/vat-code.ts';
import { today } from '../../../../src/core/trade/vat-rate.ts';
import type {
  Buyer,
  DocumentData,
  Line,
  Order,
  Seller,
  Vehicle,
} from '../../../../src/work/documents/pdf/data.ts';

const { documenttypes, ordertypes, linekinds, unittypes, vatcodes } = LISTS;

const SELLER: Seller = {
  id: 1,
  name: 'Garage De Brug',
  legal_name: 'Autobedrijf De Brug B.V.',
  street: 'Oudegracht',
  huisnummer: 120,
  toevoeging: 'A',
  postcode: '3511 AX',
  city: 'Utrecht',
  country_id: 1,
  phone: '+31 30 123 4567',
  email: 'info@debrug.example',
  website: 'www.debrug.example',
  kvk_number: '12345678',
  vat_number: 'NL004495445B01',
  peppol_id: '0106:12345678',
  iban: 'NL91ABNA0417164300',
  bic: 'ABNANL2A',
  invoice_footer: 'Op al onze leveringen zijn de algemene voorwaarden van Bovag van toepassing.',
  timezone: 'Europe/Amsterdam',
};

const BUYER: Buyer = {
  id: 31,
  contact_number: 31,
  company_name: null,
  first_name: 'Anna',
  prefix: 'de',
  last_name: 'Boer',
  print_name: null,
  street: 'Lindelaan',
  huisnummer: 7,
  toevoeging: '2',
  postcode: '3581 KL',
  city: 'Utrecht',
  country_id: 1,
  kvk_number: null,
  vat_number: null,
  peppol_id: '0190:00000001003214345000',
  debtor_number: 'D-1044',
  language: 'nl',
};

const ORDER: Omit<Order, keyof OrderVat> = {
  id: 5,
  order_number: 1207,
  order_type: ordertypes.WORKSHOP,
  order_date: '2026-05-04 08:30:00.000',
  mileage: 84210,
  appointment_at: '2026-05-04 06:30:00',
  planned_out_at: '2026-05-04 15:00:00',
  reference: 'Inkoop 88',
  buyer_reference: 'KP-7',
  description: null,
  invoice_number: 'F202600007',
  // Half past midnight in Amsterdam, when it is still the day before in UTC.
  invoice_date: '2026-05-05 22:30:00.000',
  due_date: '2026-05-19 22:30:00.000',
  supply_date: '2026-05-04 08:30:00.000',
  valid_until: null,
  is_vat_included: 0,
};

export const VEHICLE: Vehicle = {
  license_plate: 'GB-001-B',
  vin: 'WVWZZZ1JZ3W000001',
  make: 'Volkswagen',
  model: 'Golf',
  version_name: '1.5 TSI Highline Business R',
  mileage: 80000,
};

const LINE: Line = {
  line_kind: linekinds.ARTICLE,
  article_number: 'OL-5W30',
  description: 'Motorolie 5W30 longlife',
  quantity: '4.5000',
  unit_type: unittypes.LITRE,
  price: '12.9500',
  discount_percentage: null,
  vat_code: vatcodes.HIGH,
  vat_percentage: null,
  line_net: '58.28',
  line_gross: '70.52',
};

export const line = (changes: Partial<Line> = {}): Line => ({ ...LINE, ...changes });

interface Changes extends Partial<Omit<DocumentData, 'seller' | 'buyer' | 'order'>> {
  seller?: Partial<Seller>;
  buyer?: Partial<Buyer>;
  order?: Partial<Order>;
}

/** The VAT that an order with these lines has. */
function vatOf(lines: readonly Line[]): OrderVat {
  const { rates } = orderTotals(
    lines.map(({ vat_code, line_net: net, vat_percentage }) => ({
      vat_code,
      net,
      percentage: vat_percentage ?? percentageOn(vat_code, today()),
    })),
  );
  const of = (code: number) =>
    rates
      .filter(({ vat_code }) => vat_code === code)
      .reduce((sum, { vat }) => sum.plus(vat), new Decimal(0))
      .toFixed(2);
  return { vat_high: of(vatcodes.HIGH), vat_low: of(vatcodes.LOW) };
}

export const sample = ({ seller, buyer, order, ...changes }: Changes = {}): DocumentData => ({
  type: documenttypes.INVOICE,
  countries: new Map([
    [1, 'NL'],
    [3, 'DE'],
  ]),
  lines: [line()],
  ...changes,
  seller: { ...SELLER, ...seller },
  buyer: { ...BUYER, ...buyer },
  order: { ...ORDER, ...vatOf(changes.lines ?? [line()]), ...order },
});
