// Draws the totals and the VAT by rate together on one page. Goods under the margin scheme have a row of their own,
// because the law forbids showing their VAT.
import { LISTS } from '../trade/lists.ts';
import { orderTotals, type Rate } from '../trade/totals.ts';
import type { Line } from './data.ts';
import type { Draft } from './draft.ts';
import { euros, number } from './format.ts';
import { hasAmount } from './line-table.ts';
import { GREY, INK, LEFT, lineHeight, RIGHT, type Style } from './paper.ts';

const { MARGIN } = LISTS.vatcodes;

const BODY: Style = { font: 'regular', size: 9.5 };
const HEAD: Style = { font: 'bold', size: 8.5, color: GREY };
const TOTAL: Style = { font: 'bold', size: 12 };
const GAP = 14;
const ROW = lineHeight(BODY) + 2;

export interface Totals {
  /** Net and VAT by VAT code, without goods under the margin scheme. */
  readonly taxed: readonly Rate[];
  readonly taxedNet: string;
  readonly vat: string;
  /** The full price of goods under the margin scheme. Undefined if there are none. */
  readonly margin: string | undefined;
  readonly gross: string;
}

/** Computes the totals like those of the order, with the VAT percentages of the lines. */
export function totalsOf(lines: readonly Line[]): Totals {
  const nets = lines.filter(hasAmount).map(({ vat_code, vat_percentage, line_net }) => ({
    vat_code,
    net: line_net,
    percentage: vat_percentage ?? undefined,
  }));
  const { rates, total_vat, total_gross } = orderTotals(nets);
  const taxed = rates.filter(({ vat_code }) => vat_code !== MARGIN);
  return {
    taxed,
    taxedNet: orderTotals(taxed).total_net,
    vat: total_vat,
    margin: rates.find(({ vat_code }) => vat_code === MARGIN)?.net,
    gross: total_gross,
  };
}

/** Draws the VAT by rate on the left and the totals on the right. Moves the cursor below both. */
export function putTotals(draft: Draft): void {
  const { paper, data } = draft;
  const totals = totalsOf(data.lines);
  const rows = totalRows(draft, totals);
  paper.room(Math.max((totals.taxed.length + 1) * ROW, rows.length * ROW + 30));
  const left = totals.taxed.length > 0 ? putRates(draft, totals.taxed) : paper.y;
  paper.y = Math.max(left, putSums(draft, totals, rows)) + 14;
}

function totalRows({ words }: Draft, { taxed, taxedNet, vat, margin }: Totals): [string, string][] {
  const taxedRows: [string, string][] = [
    [words.totalNet, taxedNet],
    [words.totalVat, vat],
  ];
  return [
    ...(taxed.length > 0 ? taxedRows : []),
    ...(margin === undefined ? [] : [[words.totalMargin, margin] as [string, string]]),
  ];
}

function putRates({ paper, words, language }: Draft, rates: readonly Rate[]): number {
  const rows = [
    [words.rate, words.base, words.vatAmount],
    ...rates.map(({ vat_code, percentage, net, vat }) => [
      words.vatOfSummary[vat_code] ?? `${number(percentage, language)}%`,
      euros(net, language),
      Number(percentage) === 0 ? '–' : euros(vat, language),
    ]),
  ];
  const style = (row: number) => (row === 0 ? HEAD : BODY);
  const widths = [0, 1, 2].map((column) =>
    Math.max(...rows.map((row, index) => paper.width(row[column] ?? '', style(index)))),
  );
  let { y } = paper;
  rows.forEach((row, index) => {
    let x = LEFT;
    row.forEach((text, column) => {
      const width = widths[column] ?? 0;
      paper.put(text, column === 0 ? x : x + width, y, style(index), column === 0 ? 'left' : 'right');
      x += width + GAP;
    });
    y += ROW;
  });
  return y;
}

function putSums(
  { paper, words, language }: Draft,
  totals: Totals,
  rows: readonly [string, string][],
): number {
  const label = totals.taxed.length > 0 && totals.margin === undefined ? words.totalGross : words.total;
  const gross = euros(totals.gross, language);
  const amounts = rows.map(([, amount]) => paper.width(euros(amount, language), BODY));
  const amountWidth = Math.max(paper.width(gross, TOTAL), ...amounts);
  const labels = rows.map(([text]) => paper.width(text, BODY));
  const x = RIGHT - amountWidth - GAP - Math.max(paper.width(label, TOTAL), ...labels);
  let { y } = paper;
  for (const [text, amount] of rows) {
    paper.put(text, x, y, BODY);
    paper.put(euros(amount, language), RIGHT, y, BODY, 'right');
    y += ROW;
  }
  if (rows.length > 0) {
    paper.rule(y + 2, INK, x, RIGHT);
    y += 7;
  }
  paper.put(label, x, y, TOTAL);
  paper.put(gross, RIGHT, y, TOTAL, 'right');
  return y + lineHeight(TOTAL);
}
