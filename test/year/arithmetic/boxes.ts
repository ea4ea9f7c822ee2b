// The VAT return beside the invoices: what each line puts into its box, and the margin of used goods.
import type { Json } from '../../support/client/client.ts';
import { type Books, CODE, contactOf, invoicesIn, isDutch, isPurchase, LINE, linesOf } from './books.ts';
import { cents, share, sum } from './exact.ts';
import { amountsOf, isTakenBack } from './invoices.ts';
import { type Margin, marginOf } from './margin.ts';

type Box = '1a' | '1b' | '1e' | '2a' | '3a' | '3b' | '4b' | '5b';
const BOXES: readonly Box[] = ['1a', '1b', '1e', '2a', '3a', '3b', '4b', '5b'];
/** The boxes that 5a adds up, and those that no story fills. */
const OWED = ['1a', '1b', '1c', '1d', '1e', '2a', '3a', '3b', '3c', '4a', '4b'] as const;
const EMPTY = ['1c', '1d', '3c', '4a'] as const;

/** The codes with VAT on the paper. */
const BORNE: readonly unknown[] = [CODE.HIGH, CODE.LOW];

/** In cents. */
interface Entry {
  readonly box: Box;
  readonly base: number;
  readonly vat: number;
  /** How far the VAT may lie beside, because the papers do not tell which code has which cent. */
  readonly slack?: number;
}

/** A VAT return beside the papers of its quarter. */
export function returnFaults(books: Books, boxes: Json, from: string, to: string): string[] {
  const margin = marginOf(books, from, to);
  const papers = invoicesIn(books, from, to);
  const entries: Entry[] = [
    ...papers.flatMap((order) => entriesOf(books, order)),
    { box: '1a', base: margin.taxed - margin.vat, vat: margin.vat },
  ];
  // Exact to the cent, whatever code has it.
  const borne = sum(papers, (order) => (isPurchase(books, order) ? -1 : 1) * cents(order.total_vat));
  return [
    ...BOXES.flatMap((box) =>
      entryFaults(
        box,
        boxes,
        entries.filter((entry) => entry.box === box),
      ),
    ),
    ...sumFaults(boxes, borne + margin.vat),
    ...marginFaults(boxes.margin as Json, margin),
  ].map((fault) => `${from} to ${to}: ${fault}`);
}

const shownIn = (boxes: Json, box: string, part: 'base' | 'vat'): number => cents((boxes[box] as Json)[part]);

function entryFaults(box: Box, boxes: Json, entries: readonly Entry[]): string[] {
  const base = sum(entries, (entry) => entry.base);
  const vat = sum(entries, (entry) => entry.vat);
  const slack = sum(entries, (entry) => entry.slack ?? 0);
  return base === shownIn(boxes, box, 'base') && Math.abs(vat - shownIn(boxes, box, 'vat')) <= slack
    ? []
    : [`box ${box} is ${JSON.stringify(boxes[box])}, its papers have ${base / 100} and ${vat / 100}`];
}

/** `owed`: what the garage owes by its papers, less what it deducts. */
function sumFaults(boxes: Json, owed: number): string[] {
  const faults = (['base', 'vat'] as const).flatMap((part) => [
    ...(sum(OWED, (box) => shownIn(boxes, box, part)) === shownIn(boxes, '5a', part)
      ? []
      : [`5a is not the ${part} of its boxes`]),
    ...EMPTY.filter((box) => shownIn(boxes, box, part) !== 0).map((box) => `box ${box} has ${part}`),
  ]);
  return shownIn(boxes, '5a', 'vat') - shownIn(boxes, '5b', 'vat') === owed
    ? faults
    : [...faults, `5a less 5b is not the ${owed / 100} of the papers`];
}

function marginFaults(shown: Json, { counted, vat, settlement }: ReturnType<typeof marginOf>): string[] {
  const expected: Partial<Margin> & { settlement?: number | undefined } = {
    ...(counted ?? { vat }),
    ...(settlement !== undefined && { settlement }),
  };
  return Object.entries(expected)
    .filter(([name, amount]) => name !== 'taxed' && cents(shown[name]) !== amount)
    .map(([name, amount]) => `the margins have ${name} ${shown[name]}, their papers ${amount / 100}`);
}

function entriesOf(books: Books, order: Json): Entry[] {
  const lines = linesOf(books, order);
  const codes = [...new Set(lines.map(({ vat_code }) => Number(vat_code)))];
  return codes.flatMap((code) => {
    const own = lines.filter(({ vat_code }) => vat_code === code);
    if (BORNE.includes(code)) return borneBy(books, order, own, code);
    const base = sum(own, ({ line_net }) => cents(line_net));
    if (isPurchase(books, order)) return code === CODE.REVERSE_CHARGE ? chargedBy(books, order, base) : [];
    const box = boxOf(books, order, code);
    return box ? { box, base, vat: 0 } : [];
  });
}

/** The box of a code without VAT on a sale. */
function boxOf(books: Books, order: Json, code: number): Box | undefined {
  if (code === CODE.ZERO) return '1e';
  if (code === CODE.EXPORT) return '3a';
  if (code === CODE.INTRA_COMMUNITY) return '3b';
  if (code === CODE.REVERSE_CHARGE) return isDutch(contactOf(books, order)) ? '1e' : '3b';
  return undefined;
}

/** The garage owes the VAT of the purchase, and deducts it. */
function chargedBy(books: Books, order: Json, base: number): Entry[] {
  const vat = share(base, 21, 100);
  return [
    { box: isDutch(contactOf(books, order)) ? '2a' : '4b', base, vat },
    { box: '5b', base, vat },
  ];
}

/** The lines of one code with VAT. The garage buys by a trade-in, which the invoice takes off its own sums. */
function borneBy(books: Books, order: Json, lines: readonly Json[], code: number): Entry[] {
  const net = (some: readonly Json[]) => sum(some, ({ line_net }) => cents(line_net));
  const { vat, slack } = vatOf(books, order, lines, code);
  if (isPurchase(books, order)) return [{ box: '5b', base: net(lines), vat, slack }];
  const traded = lines.filter(({ line_kind }) => line_kind === LINE.TRADE_IN);
  const others = lines.filter(({ line_kind }) => line_kind !== LINE.TRADE_IN);
  const ofTraded = others.length === 0 ? vat : sum(traded, ({ line_vat }) => cents(line_vat));
  const box = code === CODE.HIGH ? '1a' : '1b';
  return [
    { box, base: net(others), vat: vat - ofTraded, slack },
    { box: '5b', base: -net(traded), vat: -ofTraded },
  ];
}

/** The VAT of one code on a paper. */
function vatOf(
  books: Books,
  order: Json,
  lines: readonly Json[],
  code: number,
): { vat: number; slack: number } {
  const all = linesOf(books, order);
  const isOnly = all.every(({ vat_code }) => vat_code === code || !BORNE.includes(vat_code));
  if (isOnly) return { vat: cents(order.total_vat), slack: 0 };
  if (!all.some(isTakenBack)) return { vat: amountsOf(order, lines, code).vat, slack: 0 };
  return { vat: sum(lines, ({ line_vat }) => cents(line_vat)), slack: lines.length };
}
