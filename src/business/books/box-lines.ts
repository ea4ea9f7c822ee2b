// Finds the invoice lines of a box of the VAT return. core/trade/vat-box.ts says which lines belong to a box; this file
// turns that into a condition for the database.
import type { Garage } from '../../core/model/statements/garage.ts';
import { Country } from '../../core/resources/country.ts';
import { NO_PRICE } from '../../core/trade/kinds/line-kind.ts';
import { LISTS } from '../../core/trade/lists.ts';
import { type Box, isIn, MARGIN_BOX, REGIONS, type Region, treatmentOf } from '../../core/trade/vat-box.ts';
import { isGlobal } from '../../core/trade/vat-regime.ts';
import { type LineQuery, ofPurchases, ofSales, onDays, otherCountry, ownCountry } from './invoice-lines.ts';
import { countedDays } from './margin-run.ts';
import { type Books, regimesIn } from './period.ts';

const { ARTICLE, TRADE_IN } = LISTS.linekinds;
const { MARGIN } = LISTS.vatcodes;

/** Lines of one side and one VAT code. `regions`: where the other party may be. */
interface Part {
  readonly isPurchase: boolean;
  readonly isTradeIn: boolean;
  readonly vat_code: number;
  readonly regions: readonly Region[];
}

/** The parts whose lines go to a box. */
function partsOf(box: Box): Part[] {
  const sides = [
    { isPurchase: false, isTradeIn: false },
    { isPurchase: false, isTradeIn: true },
    { isPurchase: true, isTradeIn: false },
  ];
  return sides.flatMap((side) =>
    Object.values(LISTS.vatcodes).flatMap((vat_code) => {
      const line = { line_kind: side.isTradeIn ? TRADE_IN : ARTICLE, vat_code, isPurchase: side.isPurchase };
      const regions = REGIONS.filter((region) => isIn(box, treatmentOf(line, region)));
      return regions.length === 0 ? [] : [{ ...side, vat_code, regions }];
    }),
  );
}

/** Whether the margins of used goods belong to a box. */
export const hasMargin = (box: Box): boolean => box === MARGIN_BOX || box === '5a';

/** A condition for queries of lines. The query must join the parties of the invoices (`withParties`). */
export async function behindBox(books: Books, box: Box): Promise<(query: LineQuery) => void> {
  const parts = partsOf(box);
  const inEu = await readEuCountries(books.garage);
  return (query) => {
    query.whereIn('l.vat_code', [
      ...parts.map(({ vat_code }) => vat_code),
      ...(hasMargin(box) ? [MARGIN] : []),
    ]);
    query.where((any) => {
      for (const part of parts) any.orWhere((lines) => ofPart(lines, part, inEu));
      if (hasMargin(box)) any.orWhere((lines) => ofMargin(lines, books));
    });
  };
}

function ofPart(lines: LineQuery, { isPurchase, isTradeIn, vat_code, regions }: Part, inEu: number[]): void {
  lines.where('l.vat_code', vat_code).modify(isPurchase ? ofPurchases : ofSales);
  if (!isPurchase) lines.where('l.line_kind', isTradeIn ? '=' : '<>', TRADE_IN);
  if (regions.length === REGIONS.length) return;
  const other = otherCountry();
  lines.where((any) => {
    if (regions.includes('home')) any.orWhere(ownCountry(), other);
    if (regions.includes('eu'))
      any.orWhere((eu) => eu.whereNot(ownCountry(), other).whereIn(otherCountry(), inEu));
    if (regions.includes('elsewhere'))
      any.orWhere((rest) => rest.whereNot(ownCountry(), other).whereNotIn(otherCountry(), inEu));
  });
}

/** If margins count by vehicle, only sales belong to the box. If margins count over periods, purchases do too. */
function ofMargin(lines: LineQuery, books: Books): void {
  lines.where('l.vat_code', MARGIN);
  const apart = regimesIn(books).filter((regime) => !isGlobal(regime));
  const together = countedDays(books);
  if (apart.length === 0) return void lines.modify(onDays(books, together));
  lines.where((any) => {
    any.where((sales) =>
      sales
        .modify(ofSales)
        .whereNotIn('l.line_kind', [...NO_PRICE])
        .modify(onDays(books, apart)),
    );
    if (together.length > 0) any.orWhere((all) => all.modify(onDays(books, together)));
  });
}

async function readEuCountries(garage: Garage): Promise<number[]> {
  const rows = await Country.of(garage).select('id').where('is_eu', 1);
  return rows.map(({ id }) => id);
}
