// The VAT rates of an order. Its lines have the percentages of the day on which they were made. If its day is another
// one by now, and the law has changed a rate between, the lines are computed anew.
import { deducts } from '../deposit.ts';
import { cents, lineTotals, vatOf } from '../totals.ts';
import { BEARING, percentageOn, SUMMED, type VatColumn } from '../vat-code.ts';
import { decimalOf, PLACES, wholeOf } from '../whole.ts';
import { type CaseOrder, isCredit, type LineRow } from './line.ts';

type RatedOrder = Pick<CaseOrder, 'order_type' | 'is_vat_included'> & { readonly is_invoiced: number | null };

/** An invoice keeps its rates. A credit note has those of its invoice, which keeps them. */
const keepsRates = (order: RatedOrder): boolean => order.is_invoiced === 1 || isCredit(order);

/** The lines with the rates of a day. A line that takes a deposit off has those of the deposit. */
export const ratedLines = <L extends LineRow>(lines: readonly L[], order: RatedOrder, day: string): L[] =>
  lines.map((line) => {
    if (keepsRates(order) || deducts(line, order) || !BEARING.includes(line.vat_code)) return line;
    // In the form of its column.
    const vat_percentage = decimalOf(wholeOf(percentageOn(line.vat_code, day), PLACES), PLACES);
    if (line.vat_percentage === vat_percentage) return line;
    return { ...line, ...lineTotals(line, vat_percentage, order.is_vat_included === 1) };
  });

type Summed = RatedOrder &
  Readonly<Record<(typeof SUMMED)[number]['net'] | VatColumn, string | number | null>>;

/** Whether the VAT of an order with net prices shows that its lines have other rates than those of the day. */
export const hasOtherRates = (order: Summed, day: string): boolean =>
  !keepsRates(order) &&
  SUMMED.some(
    ({ code, net, vat }) =>
      vatOf(cents(String(order[net])), percentageOn(code, day)) !== cents(String(order[vat])),
  );
