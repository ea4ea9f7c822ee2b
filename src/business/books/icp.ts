// The list of supplies to businesses in other EU countries ("opgaaf intracommunautaire prestaties"): the sales in box
// 3b, by buyer.

import { sumOf } from '../../core/model/statements/fragment.ts';
import { columns, decimal, orNull, selected, text, whole } from '../../core/model/statements/selected.ts';
import { Country } from '../../core/resources/country.ts';
import { OrderLine } from '../../core/resources/order-line.ts';
import { LISTS } from '../../core/trade/lists.ts';
import { cents, euros } from '../../core/trade/totals.ts';
import { treatmentOf } from '../../core/trade/vat-box.ts';
import { OWED_BY_BUYER } from '../../core/trade/vat-code.ts';
import { hasValue, textIn } from './fragment.ts';
import {
  COUNTRIES,
  type Countries,
  linesByCode,
  ofSales,
  readRegions,
  withParties,
} from './invoice-lines.ts';
import type { Books } from './period.ts';

const { LABOUR, TRADE_IN } = LISTS.linekinds;
/** A VAT number begins with the letters of its country. */
const LETTERS = /^[A-Z]{2}/;

/**
 * Amounts in euros. `number`: the VAT number without the letters of its country. Both are null if the invoice has no
 * VAT number. Only an imported invoice may lack it.
 */
interface IcpRow {
  readonly country_code: string;
  readonly vat_number: string | null;
  readonly number: string | null;
  readonly goods: number;
  readonly services: number;
}

/** One row for each VAT number, sorted by country and number. */
export async function readIcp(books: Books): Promise<IcpRow[]> {
  const regionOf = await readRegions(books);
  const codeOf = await readCountryCodes(books);
  const buyers = new Map<
    string,
    { country_code: string; vat_number: string | null; goods: bigint; services: bigint }
  >();
  for (const sum of await readSums(books)) {
    const line = { line_kind: LABOUR, vat_code: sum.vat_code, isPurchase: false };
    if (treatmentOf(line, regionOf(sum)).box !== '3b') continue;
    const vat_number = plainVatNumber(sum.vat_number);
    // The form asks for the prefix of the VAT number. Greek numbers begin with EL, but the code of the country is GR.
    const country_code = LETTERS.exec(vat_number ?? '')?.[0] ?? codeOf(sum.other_country);
    const key = `${country_code} ${vat_number}`;
    const buyer = buyers.get(key) ?? { country_code, vat_number, goods: 0n, services: 0n };
    buyers.set(key, buyer);
    if (sum.is_labour === 1) buyer.services += cents(sum.net);
    else buyer.goods += cents(sum.net);
  }
  return [...buyers]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, { goods, services, ...buyer }]) => ({
      ...buyer,
      number: buyer.vat_number?.replace(LETTERS, '') ?? null,
      goods: Number(euros(goods)),
      services: Number(euros(services)),
    }));
}

/** A VAT number as the form asks for it: in capitals, without spaces, dots and dashes. */
export const plainVatNumber = (text: string | null): string | null =>
  text?.replace(/[\s.-]/g, '').toUpperCase() || null;

function readSums(books: Books) {
  const lines = linesByCode(books, OWED_BY_BUYER)
    .modify(ofSales)
    .whereNot('l.line_kind', TRADE_IN)
    .modify(withParties)
    .groupBy('l.vat_code', 'is_labour', 'vat_number', 'own_country', 'other_country');
  return selected(lines, {
    ...columns(OrderLine, 'l', 'vat_code'),
    is_labour: whole(hasValue('l.line_kind', LABOUR)),
    vat_number: orNull(text(textIn('p.buyer', 'vat_number'))),
    ...COUNTRIES,
    net: decimal(sumOf('l.line_net')),
  });
}

async function readCountryCodes({ garage }: Books): Promise<(id: Countries['other_country']) => string> {
  const rows = await Country.of(garage).select('id', 'code');
  const byId = new Map(rows.map(({ id, code }) => [id, code]));
  return (id) => byId.get(Number(id)) ?? '';
}
