// Draws the totals and the VAT by rate together on one page. Goods under the margin scheme have a row of their own,
// because the law forbids showing their VAT.
import { LISTS } from '../../trade/lists.ts';
import { orderTotals, type Rate } from '../../trade/totals.ts';
import { GREY } from './color.ts';
import type { DocumentData } from './data.ts';
import type { Draft } from './draft.ts';
import { euros, number } from './format.ts';
import { hasAmount, percentageOf } from './line-table.ts';
import { LEFT, lineHeight, RIGHT, type Style } from './paper.ts';
import type { Words } from './words.ts';

const { EXEMPT, REVERSE_CHARGE, MARGIN, OUTSIDE, INTRA_COMMUNITY, EXPORT } = LISTS.vatcodes;
/** The seller charges no VAT: "excluding" and "including" would say nothing. */
const UNTAXED: readonly number[] = [EXEMPT, REVERSE_CHARGE, OUTSIDE, INTRA_COMMUNITY, EXPORT];

const BODY: Style = { font: 'regular', size: 9.5 };
const HEAD: Style = { font: 'bold', size: 9, color: GREY };
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

/** The totals of the order, with the VAT percentages of the lines. */
export function totalsOf({ lines, order }: Pick<DocumentData, 'lines' | 'order'>): Totals {
  const nets = lines
    .filter(hasAmount)
    .map((line) => ({ vat_code: line.vat_code, net: line.line_net, percentage: percentageOf(line) }));
  const { rates, total_vat, total_gross } = orderTotals(nets, order);
  const taxed = rates.filter(({ vat_code }) => vat_code !== MARGIN);
  return {
    taxed,
    taxedNet: orderTotals(taxed, order).total_net,
    vat: total_vat,
    margin: rates.find(({ vat_code }) => vat_code === MARGIN)?.net,
    gross: total_gross,
  };
}

/** Draws the VAT by rate on the left and the totals on the right. Moves the cursor below both. */
export function putTotals(draft: Draft): void {
  const { paper, data } = draft;
  const totals = totalsOf(data);
  const sums = sumsOf(draft, totals);
  paper.room(Math.max((totals.taxed.length + 1) * ROW, sums.length * (ROW + 7)));
  const left = totals.taxed.length > 0 ? putRates(draft, totals.taxed) : paper.y;
  paper.y = Math.max(left, putSums(draft, sums)) + 14;
}

/** A line of the sums. The line below a rule is strong: it is the sum of the lines above. */
interface Sum {
  readonly label: string;
  readonly amount: string;
  readonly isTotal?: boolean;
}

/** Every line from the first to each total adds up to that total. */
function sumsOf({ words, data }: Draft, { taxed, taxedNet, vat, margin, gross }: Totals): Sum[] {
  const isTaxed = taxed.some(({ vat_code }) => !UNTAXED.includes(vat_code));
  const parts: Sum[] =
    margin === undefined
      ? [
          { label: words.totalNet, amount: taxedNet },
          { label: words.totalVat, amount: vat },
        ]
      : [
          { label: words.totalMargin, amount: margin },
          { label: isTaxed ? words.otherNet : words.other, amount: taxedNet },
          ...(isTaxed ? [{ label: words.otherVat, amount: vat }] : []),
        ];
  const hasParts = margin === undefined ? isTaxed : taxed.length > 0;
  const label = hasParts && margin === undefined ? words.totalGross : words.total;
  return [...(hasParts ? parts : []), { label, amount: gross, isTotal: true }, ...payments(words, data)];
}

function payments(words: Words, { payment }: DocumentData): Sum[] {
  if (!payment) return [];
  const { paid, amount_open } = payment;
  const isCredit = paid.startsWith('-');
  return [
    { label: isCredit ? words.paidBackPart : words.paid, amount: negated(paid) },
    { label: isCredit ? words.openPayBack : words.amountOpen, amount: amount_open, isTotal: true },
  ];
}

const negated = (amount: string): string => (amount.startsWith('-') ? amount.slice(1) : `-${amount}`);

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
  const putRow = (row: readonly string[], index: number) => {
    let x = LEFT;
    row.forEach((text, column) => {
      const width = widths[column] ?? 0;
      const put = () =>
        paper.put(text, column === 0 ? x : x + width, y, style(index), column === 0 ? 'left' : 'right');
      paper.structure.tagged(index === 0 ? 'TH' : 'TD', put, index === 0 ? { scope: 'Column' } : {});
      x += width + GAP;
    });
    y += ROW;
  };
  paper.structure.tagged('Table', () => {
    rows.forEach((row, index) => {
      paper.structure.tagged('TR', () => putRow(row, index));
    });
  });
  return y;
}

function putSums({ paper, language, accent }: Draft, sums: readonly Sum[]): number {
  const styled = sums.map((sum, index) => ({
    ...sum,
    text: euros(sum.amount, language),
    style: sum.isTotal ? TOTAL : BODY,
    // A total without parts needs no line above.
    ruled: sum.isTotal && index > 0,
  }));
  const widest = (of: (sum: (typeof styled)[number]) => string) =>
    Math.max(...styled.map((sum) => paper.width(of(sum), sum.style)));
  const x = RIGHT - widest(({ text }) => text) - GAP - widest(({ label }) => label);
  let { y } = paper;
  paper.structure.tagged('Table', () => {
    for (const { label, text, style, ruled } of styled) {
      if (ruled) {
        paper.rule(y + 2, accent, x, RIGHT);
        y += 7;
      }
      paper.structure.tagged('TR', () => {
        paper.structure.tagged('TH', () => paper.put(label, x, y, style), { scope: 'Row' });
        paper.structure.tagged('TD', () => paper.put(text, RIGHT, y, style, 'right'));
      });
      y += style === TOTAL ? lineHeight(TOTAL) + 2 : ROW;
    }
  });
  return y;
}
