// The invoice lines behind a box of the VAT return, sorted by the book_date of their invoices. Their base and VAT add
// up to the box: an invoice rounds its VAT once for each code, and the lines share the rounded cents.
import { createHash } from 'node:crypto';
import { problem } from '../../core/errors.ts';
import { findCursor, writeCursor } from '../../core/model/lists/cursor.ts';
import { instant, payerOfOrder } from '../../core/model/statements/fragment.ts';
import {
  columns,
  filled,
  type Selected,
  selected,
  text,
  whole,
} from '../../core/model/statements/selected.ts';
import { Order } from '../../core/resources/order.ts';
import { OrderLine } from '../../core/resources/order-line.ts';
import { LISTS } from '../../core/trade/lists.ts';
import { formatTimestamp, parseTimestamp } from '../../core/trade/time/timestamp.ts';
import { cents, euros } from '../../core/trade/totals.ts';
import { type Box, treatmentOf } from '../../core/trade/vat-box.ts';
import { isGlobal } from '../../core/trade/vat-regime.ts';
import { behindBox, hasMargin } from './box-lines.ts';
import {
  COUNTRIES,
  isOfPurchase,
  type LineQuery,
  linesOf,
  readRegions,
  TYPES,
  withParties,
} from './invoice-lines.ts';
import { readMarginGroups, taxedMargin } from './margin.ts';
import {
  comesBefore,
  keyOf,
  type MarginRows,
  type RowKey,
  readMarginRows,
  type TurnedRow,
} from './margin-row.ts';
import { type Books, isTogetherAt, regimesIn } from './period.ts';
import { readVats } from './vat-share.ts';

const { MARGIN } = LISTS.vatcodes;

/**
 * Amounts in euros. Where margins count together (GLOBAL), a line has null as base and VAT, and its part of the margin:
 * only the whole period has a VAT. Other lines have null as margin.
 */
interface VatLine {
  readonly id: number;
  readonly order_id: number;
  readonly invoice_number: string | null;
  readonly invoice_date: string;
  readonly book_date: string;
  readonly contact_id: number;
  readonly line_kind: number;
  readonly vat_code: number;
  readonly description: string;
  readonly line_net: number;
  readonly base: number | null;
  readonly vat: number | null;
  readonly margin: number | null;
}

interface PageAsked {
  readonly box: Box;
  /** Counts from 1. Undefined if the request has a cursor. */
  readonly page?: number;
  readonly pageSize: number;
  readonly cursor?: string;
  readonly count: boolean;
}

interface VatLinePage {
  readonly lines: readonly VatLine[];
  readonly hasMore: boolean;
  readonly next: string | null;
  readonly total?: number;
}

const FOUND = {
  ...columns(OrderLine, 'l', 'id', 'order_id', 'line_kind', 'vat_code', 'description'),
  ...filled(OrderLine, 'l', 'line_net'),
  ...TYPES,
  ...COUNTRIES,
  ...columns(Order, 'o', 'invoice_number'),
  at: text(instant('o.book_date')),
  invoiced: text(instant('o.invoice_date')),
  payer: whole(payerOfOrder('o')),
};
type Found = Selected<typeof FOUND>;

/** Reads one page. Throws Problem if the cursor belongs to another list. */
export async function readVatLines(books: Books, asked: PageAsked): Promise<VatLinePage> {
  const { box, page = 1, pageSize, cursor, count } = asked;
  const list = listOf(books, box);
  const after = cursor === undefined ? undefined : readCursor(list, cursor);
  const behind = await behindBox(books, box);
  const rows = hasMargin(box) ? await readMarginRows(books) : { turned: [], beside: new Map() };
  const source = { books, behind, turned: rows.turned };
  const keys = after
    ? await keysAfter(source, after, pageSize + 1)
    : await keysFrom(source, (page - 1) * pageSize, pageSize + 1);
  const found = keys.slice(0, pageSize);
  const last = found.at(-1);
  const hasMore = keys.length > pageSize;
  return {
    lines: await shown(books, found, rows),
    hasMore,
    next: hasMore && last ? writeCursor(list, keyOf(last)) : null,
    total: count ? rows.turned.length + (await countLines(source)) : undefined,
  };
}

/** The lines behind a box, and the rows between them. */
interface Source {
  readonly books: Books;
  readonly behind: (query: LineQuery) => void;
  readonly turned: readonly TurnedRow[];
}

const countLines = ({ books, behind }: Source): Promise<number> =>
  linesOf(books).modify(withParties).modify(behind).resultSize();

async function readKeys({ books, behind }: Source, narrowed: (lines: LineQuery) => void): Promise<RowKey[]> {
  const lines = linesOf(books)
    .modify(withParties)
    .modify(behind)
    .modify(narrowed)
    .orderBy(['o.book_date', 'l.id']);
  const rows = await selected(lines, { id: whole('l.id'), at: text(instant('o.book_date')) });
  return rows.map(({ id, at }) => ({ at, id, turned: 0 }));
}

async function keysAfter(source: Source, { at, id, ...after }: RowKey, count: number): Promise<RowKey[]> {
  const later = source.turned.filter((row) => comesBefore({ at, id, ...after }, row));
  const lines = await readKeys(source, (query) => {
    query
      .where((behind) =>
        behind
          .where('o.book_date', '>', at)
          .orWhere((same) => same.where('o.book_date', at).where('l.id', '>', id)),
      )
      .limit(count);
  });
  return merged(lines, later).slice(0, count);
}

/** A page somewhere in the list. Any of the rows between the lines may lie before the page, so it reads more lines. */
async function keysFrom(source: Source, offset: number, count: number): Promise<RowKey[]> {
  const { turned } = source;
  const start = Math.max(0, offset - turned.length);
  const lines = await readKeys(source, (query) => {
    query.limit(offset - start + count).offset(start);
  });
  const [first] = lines;
  if (start > 0 && !first) return [];
  const before = start > 0 && first ? turned.filter((row) => comesBefore(row, first)).length : 0;
  const skipped = offset - start - before;
  return merged(lines, turned.slice(before)).slice(skipped, skipped + count);
}

/** Two sorted lists as one. */
function merged(lines: readonly RowKey[], turned: readonly RowKey[]): RowKey[] {
  const rows: RowKey[] = [];
  let next = 0;
  for (const line of lines) {
    for (let row = turned[next]; row && comesBefore(row, line); row = turned[next]) {
      rows.push(row);
      next += 1;
    }
    rows.push(line);
  }
  return [...rows, ...turned.slice(next)];
}

const listOf = ({ garage, period: { from, to } }: Books, box: Box): string =>
  createHash('sha1')
    .update(`${garage.owner}\nvatreturn\n${box}\n${from}\n${to}`)
    .digest('base64url')
    .slice(0, 8);

function readCursor(list: string, text: string): RowKey {
  const isRow = ([at, id, turned]: unknown[]) =>
    typeof at === 'string' &&
    parseTimestamp(formatTimestamp(at)) === at &&
    Number.isSafeInteger(id) &&
    (turned === 0 || turned === 1);
  const values = findCursor(list, text, (parts) => parts.length === 3 && isRow(parts));
  if (!values)
    throw problem('parameter_invalid', { field: 'cursor', reason: 'value is not a cursor of this list' });
  const [at, id, turned] = values;
  return { at: String(at), id: Number(id), turned: turned === 1 ? 1 : 0 };
}

/** The amounts of a row, in cents. */
interface Share {
  readonly base?: bigint;
  readonly vat?: bigint;
  readonly margin?: bigint;
}

async function shown(
  books: Books,
  keys: readonly RowKey[],
  { turned, beside }: MarginRows,
): Promise<VatLine[]> {
  const found = await readFound(books, keys);
  const known = [...found.values()];
  const orders = [...new Set(known.map(({ order_id }) => order_id))];
  const regionOf = await readRegions(books);
  const vats = await readVats(books, known);
  const margins = await readMargins(books, orders);
  const shareOf = (row: Found): Share => {
    if (row.vat_code === MARGIN) {
      if (!isTogetherAt(books, row.at)) return margins.get(row.id) ?? { base: 0n, vat: 0n };
      const net = cents(row.line_net);
      const isBought = isOfPurchase(row);
      return { margin: (isBought ? -net : net) + (beside.get(row.id) ?? 0n) };
    }
    const line = { ...row, isPurchase: isOfPurchase(row) };
    const { sign } = treatmentOf(line, regionOf(row));
    return { base: sign * cents(row.line_net), vat: sign * (vats.get(row.id) ?? 0n) };
  };
  return keys.flatMap((key) => {
    const row = found.get(key.id);
    if (!row) return [];
    if (key.turned === 0) return lineOf(row, row.at, cents(row.line_net), shareOf(row));
    const margin = turned.find((one) => one.id === key.id && one.at === key.at)?.margin;
    return lineOf(row, key.at, -cents(row.line_net), { margin });
  });
}

/** The lines of the rows, by ID. The line of a car that leaves the margin may be older than the books. */
async function readFound(books: Books, keys: readonly RowKey[]): Promise<ReadonlyMap<number, Found>> {
  const ids = [...new Set(keys.map(({ id }) => id))];
  const rows = await selected(linesOf(books, true).modify(withParties).whereIn('l.id', ids), FOUND);
  return new Map(rows.map((row) => [row.id, row]));
}

function lineOf(row: Found, at: string, net: bigint, { base, vat, margin }: Share): VatLine {
  const { id, order_id, invoice_number, line_kind, vat_code, description } = row;
  const amount = (cent: bigint | undefined) => (cent === undefined ? null : Number(euros(cent)));
  return {
    ...{ id, order_id, invoice_number, invoice_date: formatTimestamp(row.invoiced) },
    ...{ book_date: formatTimestamp(at), contact_id: row.payer },
    ...{ line_kind, vat_code, description, line_net: Number(euros(net)) },
    ...{ base: amount(base), vat: amount(vat), margin: amount(margin) },
  };
}

/** The margins of single vehicles, by the ID of the line that shows the VAT. */
async function readMargins(books: Books, orders: readonly number[]): Promise<ReadonlyMap<number, Share>> {
  if (regimesIn(books).every(isGlobal)) return new Map();
  const groups = await readMarginGroups(books, linesOf(books).whereIn('l.order_id', [...orders]));
  return new Map(
    groups.map((group) => [group.shown, { base: taxedMargin(group) - group.vat, vat: group.vat }]),
  );
}
