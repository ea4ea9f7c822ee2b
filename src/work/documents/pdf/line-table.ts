// Draws the lines of an order as a table. The table may span pages and repeats its head. Each column is as wide as
// its widest text; the description gets the rest. A work order shows no amounts.
import { rowOf } from '../../../core/trade/lists.ts';
import { vatRow } from '../../../core/trade/vat-code.ts';
import { GREY } from './color.ts';
import type { Line } from './data.ts';
import { type Draft, isInvoice, isStatement, isWorkOrder } from './draft.ts';
import { euros, money, number } from './format.ts';
import { hasAmount, percentageOf } from './line.ts';
import { LEFT, lineHeight, type Paper, RIGHT, type Style } from './paper.ts';
import { putTable } from './table.ts';
import { splitTradeIns, vehicleText } from './trade-in.ts';

const HEAD: Style = { font: 'bold', size: 9, color: GREY };
const CELL: Style = { font: 'regular', size: 9.5 };
const NOTE: Style = { font: 'regular', size: 8.5, color: GREY };
const GAP = 12;
const PADDING = 3.5;
/** In points. A higher line may be split over two pages. */
const KEPT_TOGETHER = 160;
/** The lines of text at the end of such a line that are not split. */
const LINES_OF_END = 3;
/** The space below the table. */
const BELOW_TABLE = 12;
const DONE_BOX = 9;

interface Column {
  readonly title: string;
  readonly align: 'left' | 'right';
  readonly of: (line: Line) => string;
}

interface Placed extends Column {
  readonly x: number;
  readonly width: number;
}

/** Draws all lines and moves the cursor below them. `closing`: the room that the last two lines leave below them. */
export function putLines(draft: Draft, closing: number): void {
  const { paper, data } = draft;
  const lines = linesOf(draft);
  const columns = place(draft, isWorkOrder(data) ? workColumns(draft) : pricedColumns(draft));
  const first = columns[0]?.x ?? RIGHT;
  const rows = lines.map((line) => measured(draft, line, first));
  const end = closing + BELOW_TABLE;
  // The last line stands with the closing part, and the line above stands with both.
  const below = (index: number): number => {
    const after = rows.length - 1 - index;
    const last = rows.at(-1);
    return after === 0 ? end : after === 1 && last ? kept(last) + end : 0;
  };
  const putHead = () => headRow(draft, columns, first);
  // The head must not stand alone at the end of a page.
  const [top] = rows;
  paper.room(4 * lineHeight(HEAD) + (top ? kept(top) + below(0) : 0));
  putTable(paper, putHead, () => {
    for (const [index, row] of rows.entries()) putRow(draft, row, columns, below(index));
  });
  paper.rule(paper.y, draft.accent);
  paper.y += BELOW_TABLE;
}

/** All lines, without trade-ins, which stand below the total. */
const linesOf = ({ data }: Draft): readonly Line[] =>
  isWorkOrder(data) ? data.lines : splitTradeIns(data).sold;

function pricedColumns({ data, words, language }: Draft): Column[] {
  const discount: Column = {
    title: words.discount,
    align: 'right',
    of: ({ discount_percentage }) =>
      Number(discount_percentage ?? 0) === 0 ? '' : `${number(discount_percentage ?? '0', language)}%`,
  };
  const vat: Column = {
    title: words.lineVat,
    align: 'right',
    of: (line) => vatRow(line.vat_code).words?.line[language] ?? `${number(percentageOf(line), language)}%`,
  };
  const isVatIncluded = data.order.is_vat_included === 1;
  const hasDiscount = data.lines.some((line) => discount.of(line) !== '');
  return [
    ...countColumns({ data, words, language }),
    {
      title: `${isVatIncluded ? words.priceWithVat : words.price} (€)`,
      align: 'right',
      of: ({ price }) => money(price, language),
    },
    ...(hasDiscount ? [discount] : []),
    // A sale by a private person bears no VAT.
    ...(isStatement(data) ? [] : [vat]),
    {
      title: `${isVatIncluded ? words.amountWithVat : words.amount} (€)`,
      align: 'right',
      of: ({ line_net, line_gross }) => money(isVatIncluded ? line_gross : line_net, language),
    },
  ];
}

/** Quantity and, if any line has a unit, unit. */
function countColumns({ data, words, language }: Pick<Draft, 'data' | 'words' | 'language'>): Column[] {
  const unit: Column = {
    title: words.unit,
    align: 'left',
    of: ({ unit_type }) => (unit_type === null ? '' : rowOf('unittypes', words.units, unit_type)),
  };
  return [
    { title: words.quantity, align: 'right', of: ({ quantity }) => number(quantity, language) },
    ...(data.lines.some((line) => unit.of(line) !== '') ? [unit] : []),
  ];
}

/** Quantity, unit and a box to tick. */
const workColumns = (draft: Draft): Column[] => [
  ...countColumns(draft),
  { title: draft.words.done, align: 'right', of: () => '' },
];

/** Places the columns from right to left, each as wide as its widest text. */
function place(draft: Draft, columns: readonly Column[]): Placed[] {
  const { paper } = draft;
  let x = RIGHT;
  return columns
    .toReversed()
    .map((column) => {
      const texts = linesOf(draft).filter(hasAmount).map(column.of);
      const widths = [...new Set(texts)].map((text) => paper.width(text, CELL));
      const width = Math.max(paper.width(column.title, HEAD), ...widths);
      x -= width;
      const placed = { ...column, x, width };
      x -= GAP;
      return placed;
    })
    .toReversed();
}

function headRow({ paper, words, accent }: Draft, columns: readonly Placed[], first: number): void {
  const { structure } = paper;
  const ofColumn = { scope: 'Column' } as const;
  structure.tagged('TR', () => {
    structure.tagged(
      'TH',
      () => paper.block(words.lineDescription, [LEFT, paper.y, first - GAP - LEFT], HEAD),
      ofColumn,
    );
    for (const column of columns)
      structure.tagged('TH', () => putCell(paper, column, column.title, HEAD), ofColumn);
  });
  paper.y += lineHeight(HEAD) + 3;
  paper.rule(paper.y, accent);
  paper.y += 2;
}

/** A line whose texts were wrapped and measured. */
interface Row {
  readonly line: Line;
  readonly texts: readonly { readonly text: string; readonly style: Style }[];
  readonly height: number;
}

function measured(draft: Draft, line: Line, first: number): Row {
  const { paper } = draft;
  const width = (hasAmount(line) ? first - GAP : RIGHT) - LEFT;
  const texts = [
    ...paper.wrap(line.description, width, CELL).map((text) => ({ text, style: CELL })),
    ...notes(draft, line).flatMap((note) =>
      paper.wrap(note, width, NOTE).map((text) => ({ text, style: NOTE })),
    ),
  ];
  return { line, texts, height: heightOf(texts) + 2 * PADDING };
}

const heightOf = (texts: Row['texts']): number =>
  texts.reduce((sum, { style }) => sum + lineHeight(style), 0);

/** The height that must be free on the page below the top of a row. A long row may be split. */
const kept = ({ height }: Row): number => Math.min(height, KEPT_TOGETHER);

/** `below`: the room that must be left under the row on the page where the row ends. */
function putRow(draft: Draft, { line, texts, height }: Row, columns: readonly Placed[], below: number): void {
  const { paper, data } = draft;
  const isWhole = height <= KEPT_TOGETHER;
  paper.room(isWhole ? height + below : KEPT_TOGETHER);
  // The end of a split row stays with the next block.
  const lastPart = isWhole ? 0 : Math.max(0, texts.length - LINES_OF_END);
  paper.y += PADDING;
  paper.structure.tagged('TR', () => {
    // Read first and drawn last: a long description may go on on the next page.
    const description = paper.structure.open('TD');
    if (hasAmount(line)) {
      for (const column of columns)
        paper.structure.tagged('TD', () => putCell(paper, column, column.of(line), CELL));
      if (isWorkOrder(data)) paper.box([RIGHT - DONE_BOX, paper.y + 2, DONE_BOX, DONE_BOX], { line: GREY });
    }
    paper.structure.inside(description, () => {
      texts.forEach(({ text, style }, index) => {
        if (!isWhole)
          paper.room(index === lastPart ? heightOf(texts.slice(index)) + PADDING + below : lineHeight(style));
        paper.put(text, LEFT, paper.y, style);
        paper.y += lineHeight(style);
      });
    });
  });
  paper.y += PADDING;
  paper.rule(paper.y);
}

function notes({ data, words, language }: Draft, line: Line): string[] {
  const { article_number, vehicle, line_net, line_gross } = line;
  // By law an invoice shows what each line is without VAT.
  const hasVat = isInvoice(data) && data.order.is_vat_included === 1 && line_net !== line_gross;
  return [
    ...(article_number ? [`${words.article} ${article_number}`] : []),
    ...(vehicle ? [vehicleText(vehicle)] : []),
    ...(hasVat ? [words.withoutVat(euros(line_net, language))] : []),
  ];
}

function putCell(paper: Paper, { x, width, align }: Placed, text: string, style: Style): void {
  paper.put(text, align === 'right' ? x + width : x, paper.y, style, align);
}
