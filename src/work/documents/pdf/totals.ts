// Lays out the totals and the VAT by rate together. Goods under the margin scheme have a row of their own, because the
// law forbids showing their VAT.
import { LISTS } from '../../../core/trade/lists.ts';
import {
  cents,
  euros as euroText,
  type OrderVat,
  orderTotals,
  type Rate,
} from '../../../core/trade/totals.ts';
import { SUMMED, type SummedCode, vatRow } from '../../../core/trade/vat-code.ts';
import type { Block } from './block.ts';
import { GREY } from './color.ts';
import type { DocumentData, Line } from './data.ts';
import { type Draft, isCredit, isStatement } from './draft.ts';
import { euros, number } from './format.ts';
import { hasAmount, percentageOf } from './line.ts';
import { LEFT, lineHeight, RIGHT, type Style, WIDTH } from './paper.ts';
import { splitTradeIns } from './trade-in.ts';
import type { Language, Words } from './words/words.ts';

const { MARGIN } = LISTS.vatcodes;

const BODY: Style = { font: 'regular', size: 9.5 };
const HEAD: Style = { font: 'bold', size: 9, color: GREY };
const TOTAL: Style = { font: 'bold', size: 12 };
const GAP = 14;
const ROW = lineHeight(BODY) + 2;
/** The space of the line above a total. */
const RULED = 7;
const ABOVE_RATES = 8;
const BELOW_TOTALS = 14;

interface Totals {
  /** Net and VAT of what is sold, by VAT code, without goods under the margin scheme. */
  readonly taxed: readonly Rate[];
  readonly taxedNet: string;
  readonly vat: string;
  /** Goods under the margin scheme, with their full price as net. Undefined if there are none. */
  readonly margin: Rate | undefined;
  readonly gross: string;
  /** The price of the trade-in with VAT, and the VAT within. Undefined: nothing is traded in. */
  readonly tradeIn?: { readonly gross: string; readonly vat: string };
  /** The total of the order: the gross, less what is traded in. */
  readonly due: string;
}

const netsOf = (lines: readonly Line[]) =>
  lines
    .filter(hasAmount)
    .map((line) => ({ vat_code: line.vat_code, net: line.line_net, percentage: percentageOf(line) }));

/** The totals of the order, with the VAT percentages of the lines. */
export function totalsOf(data: Pick<DocumentData, 'lines' | 'order'>): Totals {
  const { sold, tradedIn } = splitTradeIns(data);
  const vatOfSale = saleVatOf(data);
  const { rates, total_vat, total_gross } = orderTotals(netsOf(sold), vatOfSale);
  const taxed = rates.filter(({ vat_code }) => vat_code !== MARGIN);
  const whole = orderTotals(netsOf(data.lines), data.order);
  const rest = (all: string, part: string) => euroText(cents(all) - cents(part));
  return {
    taxed,
    taxedNet: orderTotals(taxed, vatOfSale).total_net,
    vat: total_vat,
    margin: rates.find(({ vat_code }) => vat_code === MARGIN),
    gross: total_gross,
    tradeIn:
      tradedIn.length === 0
        ? undefined
        : { gross: rest(whole.total_gross, total_gross), vat: rest(whole.total_vat, total_vat) },
    due: whole.total_gross,
  };
}

/** The VAT of what is sold, by VAT code. */
export const saleVatOf = (data: Pick<DocumentData, 'lines' | 'order'>): OrderVat =>
  Object.fromEntries(SUMMED.map((summed) => [summed.vat, vatOf(data, summed)])) as OrderVat;

/** The order's VAT, less that of what is traded in. The books divide it in the same way. */
function vatOf(data: Pick<DocumentData, 'lines' | 'order'>, { code, vat }: SummedCode): string {
  const tradedIn = splitTradeIns(data).tradedIn.filter(({ vat_code }) => vat_code === code);
  return euroText(
    tradedIn.reduce(
      (left, { line_gross, line_net }) => left - cents(line_gross) + cents(line_net),
      cents(data.order[vat]),
    ),
  );
}

/** The totals on the right, and the VAT by rate or a code to pay by on the left. */
export function layTotals(draft: Draft, code?: Block): Block {
  const { paper, data } = draft;
  const totals = totalsOf(data);
  const sums = laySums(draft, sumsOf(draft, totals));
  const rates = totals.taxed.length > 0 ? layRates(draft, totals.taxed) : undefined;
  const isBeside = !code && (rates?.width ?? 0) + GAP + sums.width <= WIDTH;
  const below = rates && !isBeside ? rates : undefined;
  const left = code?.height ?? (isBeside ? (rates?.height ?? 0) : 0);
  const height = Math.max(left, sums.height + (below ? ABOVE_RATES + below.height : 0));
  const put = () => {
    const top = paper.y;
    if (code) code.put();
    else if (isBeside) rates?.put(LEFT, top);
    sums.put(RIGHT - sums.width, top);
    below?.put(RIGHT - below.width, top + sums.height + ABOVE_RATES);
    paper.y = top + height + BELOW_TOTALS;
  };
  return { height: height + BELOW_TOTALS, put };
}

/** A table that was measured. */
interface Table {
  readonly width: number;
  readonly height: number;
  readonly put: (x: number, y: number) => void;
}

/** A line of the sums. The line below a rule is strong: it is the sum of the lines above. */
interface Sum {
  readonly label: string;
  readonly amount: string;
  readonly isTotal?: boolean;
}

/** Every line from the first to each total adds up to that total. */
function sumsOf(draft: Draft, totals: Totals): Sum[] {
  const { words, data, language } = draft;
  const { taxed, taxedNet, vat, margin, gross } = totals;
  // If the seller charges no VAT, "excluding" and "including" would say nothing.
  const isTaxed = taxed.some(({ vat_code }) => vatRow(vat_code).words === null);
  const parts: Sum[] =
    margin === undefined
      ? [
          { label: words.totalNet, amount: taxedNet },
          { label: words.totalVat, amount: vat },
        ]
      : [
          { label: nameOfRate(margin, language), amount: margin.net },
          { label: isTaxed ? words.otherNet : words.other, amount: taxedNet },
          ...(isTaxed ? [{ label: words.otherVat, amount: vat }] : []),
        ];
  const hasParts = margin === undefined ? isTaxed : taxed.length > 0;
  const sum = hasParts && margin === undefined ? words.totalGross : words.total;
  const label = isStatement(data) ? words.purchaseAmount : sum;
  return [
    ...(hasParts ? parts : []),
    { label, amount: gross, isTotal: true },
    ...tradeInSums(draft, totals),
    ...payments(words, data),
  ];
}

/** The price of the trade-in, and the amount that is left to pay. */
function tradeInSums({ words, language }: Draft, { tradeIn, due }: Totals): Sum[] {
  if (!tradeIn) return [];
  const isBack = !tradeIn.gross.startsWith('-');
  const vat = Number(tradeIn.vat) === 0 ? '' : ` (${words.withVat(euros(tradeIn.vat, language))})`;
  return [
    { label: (isBack ? words.tradeInBack : words.tradeIn) + vat, amount: tradeIn.gross },
    { label: due.startsWith('-') ? words.toPayBack : words.toPay, amount: due, isTotal: true },
  ];
}

function payments(words: Words, data: DocumentData): Sum[] {
  const { payment } = data;
  if (!payment) return [];
  const { paid, offset, amount_open } = payment;
  if (paid.startsWith('-'))
    return [
      { label: words.paidBackPart, amount: negated(paid) },
      { label: words.openPayBack, amount: amount_open, isTotal: true },
    ];
  const parts = [
    { label: words.paid, amount: negated(euroText(cents(paid) - cents(offset))) },
    { label: isCredit(data) ? words.paidBackPart : words.settledByCredit, amount: negated(offset) },
  ];
  return [
    ...parts.filter(({ amount }) => Number(amount) !== 0),
    { label: words.amountOpen, amount: amount_open, isTotal: true },
  ];
}

const negated = (amount: string): string => (amount.startsWith('-') ? amount.slice(1) : `-${amount}`);

const nameOfRate = ({ vat_code, percentage }: Rate, language: Language): string =>
  vatRow(vat_code).words?.summary[language] ?? `${number(percentage, language)}%`;

function layRates({ paper, words, language }: Draft, rates: readonly Rate[]): Table {
  const rows = [
    [words.rate, words.base, words.vatAmount],
    ...rates.map((rate) => [
      nameOfRate(rate, language),
      euros(rate.net, language),
      Number(rate.percentage) === 0 ? '–' : euros(rate.vat, language),
    ]),
  ];
  const style = (row: number) => (row === 0 ? HEAD : BODY);
  const widths = [0, 1, 2].map((column) =>
    Math.max(...rows.map((row, index) => paper.width(row[column] ?? '', style(index)))),
  );
  const putRow = (row: readonly string[], index: number, left: number, y: number) => {
    let x = left;
    row.forEach((text, column) => {
      const width = widths[column] ?? 0;
      const put = () =>
        paper.put(text, column === 0 ? x : x + width, y, style(index), column === 0 ? 'left' : 'right');
      paper.structure.tagged(index === 0 ? 'TH' : 'TD', put, index === 0 ? { scope: 'Column' } : {});
      x += width + GAP;
    });
  };
  return {
    width: widths.reduce((sum, width) => sum + width, 2 * GAP),
    height: rows.length * ROW,
    put: (x, y) => {
      paper.structure.tagged('Table', () => {
        rows.forEach((row, index) => {
          paper.structure.tagged('TR', () => putRow(row, index, x, y + index * ROW));
        });
      });
    },
  };
}

function laySums({ paper, language, accent }: Draft, sums: readonly Sum[]): Table {
  const styled = sums.map((sum, index) => ({
    ...sum,
    text: euros(sum.amount, language),
    style: sum.isTotal ? TOTAL : BODY,
    // A total without parts needs no line above.
    above: sum.isTotal && index > 0 ? RULED : 0,
    height: sum.isTotal ? lineHeight(TOTAL) + 2 : ROW,
  }));
  const widest = (of: (sum: (typeof styled)[number]) => string) =>
    Math.max(...styled.map((sum) => paper.width(of(sum), sum.style)));
  const width = widest(({ text }) => text) + GAP + widest(({ label }) => label);
  const put = (x: number, top: number) => {
    let y = top;
    paper.structure.tagged('Table', () => {
      for (const { label, text, style, above, height } of styled) {
        if (above > 0) paper.rule(y + 2, accent, x, x + width);
        y += above;
        paper.structure.tagged('TR', () => {
          paper.structure.tagged('TH', () => paper.put(label, x, y, style), { scope: 'Row' });
          paper.structure.tagged('TD', () => paper.put(text, x + width, y, style, 'right'));
        });
        y += height;
      }
    });
  };
  return { width, height: styled.reduce((sum, { above, height }) => sum + above + height, 0), put };
}
