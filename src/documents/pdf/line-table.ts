// Draws the lines of an order as a table. The table may span pages and repeats its head. Each column is as wide as
// its widest text; the description gets the rest. A work order shows no amounts.
import { LISTS, VAT_PERCENTAGES } from '../../trade/lists.ts';
import { GREY } from './color.ts';
import type { Line } from './data.ts';
import { type Draft, isWorkOrder } from './draft.ts';
import { money, number } from './format.ts';
import { LEFT, lineHeight, type Paper, RIGHT, type Style } from './paper.ts';

const HEAD: Style = { font: 'bold', size: 9, color: GREY };
const CELL: Style = { font: 'regular', size: 9.5 };
const NOTE: Style = { font: 'regular', size: 8.5, color: GREY };
const GAP = 12;
const PADDING = 3.5;
/** In points. A higher line may be split over two pages. */
const KEPT_TOGETHER = 160;
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

/** Draws all lines and moves the cursor below them. */
export function putLines(draft: Draft): void {
  const { paper, data } = draft;
  const columns = place(draft, isWorkOrder(data) ? workColumns(draft) : pricedColumns(draft));
  const first = columns[0]?.x ?? RIGHT;
  const putHead = () => headRow(draft, columns, first);
  const { head } = paper;
  // The head must not stand alone at the end of a page.
  paper.room(4 * lineHeight(CELL));
  paper.structure.tagged('Table', () => {
    paper.structure.tagged('THead', putHead);
    paper.head = () => {
      head();
      putHead();
    };
    paper.structure.tagged('TBody', () => {
      for (const line of data.lines) putLine(draft, line, columns, first);
    });
  });
  paper.head = head;
  paper.rule(paper.y, draft.accent);
  paper.y += 12;
}

function pricedColumns({ data, words, language }: Draft): Column[] {
  const discount: Column = {
    title: words.discount,
    align: 'right',
    of: ({ discount_percentage }) =>
      Number(discount_percentage ?? 0) === 0 ? '' : `${number(discount_percentage ?? '0', language)}%`,
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
    {
      title: words.lineVat,
      align: 'right',
      of: (line) => words.vatOfLine[line.vat_code] ?? `${number(percentageOf(line), language)}%`,
    },
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
    of: ({ unit_type }) => words.units[unit_type ?? 0] ?? '',
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

/** The percentage when the line was made, else today's. */
export const percentageOf = ({ vat_code, vat_percentage }: Line): string =>
  vat_percentage ?? VAT_PERCENTAGES[vat_code as keyof typeof VAT_PERCENTAGES] ?? '0';

/** Places the columns from right to left, each as wide as its widest text. */
function place({ paper, data }: Draft, columns: readonly Column[]): Placed[] {
  let x = RIGHT;
  return columns
    .toReversed()
    .map((column) => {
      const texts = data.lines.filter(hasAmount).map(column.of);
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
      () => paper.block(words.lineDescription, LEFT, paper.y, first - GAP - LEFT, HEAD),
      ofColumn,
    );
    for (const column of columns)
      structure.tagged('TH', () => putCell(paper, column, column.title, HEAD), ofColumn);
  });
  paper.y += lineHeight(HEAD) + 3;
  paper.rule(paper.y, accent);
  paper.y += 2;
}

function putLine(draft: Draft, line: Line, columns: readonly Placed[], first: number): void {
  const { paper, data } = draft;
  const width = (hasAmount(line) ? first - GAP : RIGHT) - LEFT;
  const texts = [
    ...paper.wrap(line.description, width, CELL).map((text) => ({ text, style: CELL })),
    ...notes(draft, line).flatMap((note) =>
      paper.wrap(note, width, NOTE).map((text) => ({ text, style: NOTE })),
    ),
  ];
  const height = texts.reduce((sum, { style }) => sum + lineHeight(style), 2 * PADDING);
  paper.room(Math.min(height, KEPT_TOGETHER));
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
      for (const { text, style } of texts) {
        paper.room(lineHeight(style));
        paper.put(text, LEFT, paper.y, style);
        paper.y += lineHeight(style);
      }
    });
  });
  paper.y += PADDING;
  paper.rule(paper.y);
}

/** False for a line that is only text. */
export const hasAmount = ({ line_kind, line_net }: Line) =>
  line_kind !== LISTS.linekinds.TEXT || Number(line_net) !== 0;

function notes({ words }: Draft, { article_number, vehicle }: Line): string[] {
  const own = vehicle && [`${vehicle.make} ${vehicle.model}`, vehicle.license_plate, vehicle.vin];
  return [
    ...(article_number ? [`${words.article} ${article_number}`] : []),
    ...(own ? [own.filter(Boolean).join(' · ')] : []),
  ];
}

function putCell(paper: Paper, { x, width, align }: Placed, text: string, style: Style): void {
  paper.put(text, align === 'right' ? x + width : x, paper.y, style, align);
}
