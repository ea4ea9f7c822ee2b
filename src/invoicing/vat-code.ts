// Judges the VAT codes without VAT on a sale: the reverse charge and supplies to other countries. The payer's data
// counts as it is when the order becomes an invoice.
import { about, type Violation, violation } from '../errors.ts';
import { Country } from '../resources/country.ts';
import type { Order, OrderChange } from '../resources/order.ts';
import { OrderLine } from '../resources/order-line.ts';
import { LISTS } from '../trade/lists.ts';
import { isPurchase } from '../trade/posting.ts';
import { isEuVatNumber } from '../trade/vat-number.ts';
import type { Parties } from './invoice-parties.ts';

const { REVERSE_CHARGE, INTRA_COMMUNITY, EXPORT } = LISTS.vatcodes;
const JUDGED = [REVERSE_CHARGE, INTRA_COMMUNITY, EXPORT];

/**
 * Finds fields that the payer lacks for the VAT codes of the lines. A purchase and its credit note have the VAT codes
 * of the seller.
 */
export async function unfitVatCodes(
  { next, garage }: OrderChange,
  { seller, buyer }: Parties,
  credited: Pick<Order, 'order_type'> | undefined,
): Promise<Violation[]> {
  if (isPurchase(next.order_type, credited?.order_type)) return [];
  const lines = await OrderLine.of(garage)
    .distinct('vat_code')
    .where('order_id', next.id)
    .whereIn('vat_code', JUDGED);
  if (lines.length === 0) return [];
  const countries = await Country.query(garage.knex).whereIn('id', [seller.country_id, buyer.country_id]);
  const countryOf = (id: number) => countries.find((country) => country.id === id);
  const has = (code: number) => lines.some(({ vat_code }) => vat_code === code);
  const number = buyer.vat_number?.trim() ?? '';
  const found: Violation[] = [];
  if (number === '' && (has(REVERSE_CHARGE) || has(INTRA_COMMUNITY)))
    found.push(violation('field_empty', { field: 'vat_number' }));
  else if (has(INTRA_COMMUNITY) && !isEuVatNumber(number, countryOf(seller.country_id)?.code ?? ''))
    found.push(
      violation('value_invalid', {
        field: 'vat_number',
        value: number,
        validation: 'VAT number of another EU country',
      }),
    );
  const isInside = countryOf(buyer.country_id)?.is_eu === 1;
  return [
    ...about('contact', buyer.id, found),
    ...(has(EXPORT) && isInside
      ? [
          violation('value_invalid', {
            field: 'vat_code',
            value: EXPORT,
            validation: 'country outside the EU',
          }),
        ]
      : []),
  ];
}
