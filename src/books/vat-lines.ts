// The invoice lines behind a box of the VAT return, sorted by the book_date of their invoices. Their base and VAT add
// up to the box: an invoice rounds its VAT once for each code, and the lines share the rounded cents.
import { createHash } from 'node:crypto';
import { problem } from '../errors.ts';
import type { Stored } from '../model/fields/field.ts';
import { findCursor, writeCursor } from '../model/lists/cursor.ts';
import { instant, payerOfOrder } from '../model/statements/fragment.ts';
import { columns, filled, type Selected, selected, text, whole } from '../model/statements/selected.ts';
import { Order } from '../resources/order.ts';
import { OrderLine } from '../resources/order-line.ts';
import { isPurchase } from '../trade/kinds/purchase.ts';
import { LISTS } from '../trade/lists.ts';
import { formatTimestamp } from '../trade/time/timestamp.ts';
import { cents, euros } from '../trade/totals.ts';
import { type Box, treatmentOf } from '../trade/vat-box.ts';
import { isGlobal } from '../trade/vat-regime.ts';
import { behindBox } from './box-lines.ts';
import { COUNTRIES, type LineQuery, linesOf, readPlaces, TYPES, withParties } from './invoice-lines.ts';
import { readMarginGroups, taxedMargin } from './margin.ts';
import { type Books, regimesIn } from './period.ts';
import { readVats } from './vat-share.ts';

const { MARGIN } = LISTS.vatcodes;

/** Amounts in euros. Lines of the global margin have null as base and VAT: only the whole period has these amounts. */
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
  const { box, page = 1, pageSize, cursor } = asked;
  const list = listOf(books, box);
  const after = cursor === undefined ? undefined : readCursor(list, cursor);
  const behind = await behindBox(books, box);
  const lines = linesOf(books)
    .modify(withParties)
    .modify(behind)
    .modify((query) => after && query.where((later) => behindRow(later, after)))
    .orderBy(['o.book_date', 'l.id'])
    .limit(pageSize + 1)
    .offset(after ? 0 : (page - 1) * pageSize);
  const rows = await selected(lines, FOUND);
  const found = rows.slice(0, pageSize);
  const last = found.at(-1);
  const hasMore = rows.length > pageSize;
  return {
    lines: await shown(books, found),
    hasMore,
    next: hasMore && last ? writeCursor(list, [last.at, last.id]) : null,
    total: asked.count ? await countLines(books, behind) : undefined,
  };
}

async function countLines(books: Books, behind: (query: LineQuery) => void): Promise<number> {
  return linesOf(books).modify(withParties).modify(behind).resultSize();
}

const listOf = ({ garage, period: { from, to } }: Books, box: Box): string =>
  createHash('sha1')
    .update(`${garage.owner}\nvatreturn\n${box}\n${from}\n${to}`)
    .digest('base64url')
    .slice(0, 8);

function readCursor(list: string, text: string): readonly Stored[] {
  const isRow = ([at, id]: unknown[]) =>
    typeof at === 'string' && !Number.isNaN(Date.parse(formatTimestamp(at))) && Number.isSafeInteger(id);
  const values = findCursor(list, text, (parts) => parts.length === 2 && isRow(parts));
  if (values) return values;
  throw problem('parameter_invalid', { field: 'cursor', reason: 'value is not a cursor of this list' });
}

const behindRow = (later: LineQuery, [at, id]: readonly Stored[]): void =>
  void later
    .where('o.book_date', '>', String(at))
    .orWhere((same) => same.where('o.book_date', String(at)).where('l.id', '>', Number(id)));

interface Share {
  readonly base: bigint;
  readonly vat: bigint;
}

async function shown(books: Books, found: readonly Found[]): Promise<VatLine[]> {
  const orders = [...new Set(found.map(({ order_id }) => order_id))];
  const placeOf = await readPlaces(books);
  const vats = await readVats(books, found);
  const margins = await readMargins(books, orders);
  const shareOf = (row: Found): Share | undefined => {
    if (row.vat_code === MARGIN) return margins?.get(row.id) ?? (margins && { base: 0n, vat: 0n });
    const line = { ...row, isPurchase: isPurchase(row.order_type, row.credited_type) };
    const { sign } = treatmentOf(line, placeOf(row));
    return { base: sign * cents(row.line_net), vat: sign * (vats.get(row.id) ?? 0n) };
  };
  return found.map((row) => {
    const share = shareOf(row);
    const { id, order_id, invoice_number, line_kind, vat_code, description } = row;
    return {
      ...{ id, order_id, invoice_number, invoice_date: formatTimestamp(row.invoiced) },
      ...{ book_date: formatTimestamp(row.at), contact_id: row.payer },
      ...{ line_kind, vat_code, description, line_net: Number(row.line_net) },
      base: share ? Number(euros(share.base)) : null,
      vat: share ? Number(euros(share.vat)) : null,
    };
  });
}

/** The margins, by the ID of the line that shows the VAT. Undefined if the garage counts margins over periods. */
async function readMargins(books: Books, orders: readonly number[]): Promise<Map<number, Share> | undefined> {
  if (regimesIn(books).every(isGlobal)) return undefined;
  const groups = await readMarginGroups(linesOf(books).whereIn('l.order_id', [...orders]));
  return new Map(
    groups.map((group) => [group.shown, { base: taxedMargin(group) - group.vat, vat: group.vat }]),
  );
}
