// Queries of invoices and their lines for the books. `o` is the invoice, `c` the invoice that it credits, `l` a line,
// and `p` the parties of the invoice. An invoice is a purchase if its own type, or the type of the invoice that it
// credits, is a purchase.
import type { QueryBuilder, RawBuilder } from 'objection';
import type { BaseModel } from '../../core/model/statements/base-model.ts';
import { onIndex } from '../../core/model/statements/fragment.ts';
import { columns, orNull, type Selected, selected, whole } from '../../core/model/statements/selected.ts';
import { Country } from '../../core/resources/country.ts';
import { Order } from '../../core/resources/order.ts';
import { OrderLine } from '../../core/resources/order-line.ts';
import { isPurchase, PURCHASE_TYPES } from '../../core/trade/kinds/purchase.ts';
import { LISTS } from '../../core/trade/lists.ts';
import { endOf, startOf } from '../../core/trade/time/day.ts';
import { type Region, regionOf } from '../../core/trade/vat-box.ts';
import { firstOf, highestOf, lowestOf, numberIn, whereAny } from './fragment.ts';
import type { Books, Days } from './period.ts';

const { INTERNAL_REVERSAL } = LISTS.ordertypes;
const { TRADE_IN } = LISTS.linekinds;

/** The index of lines by kind and code. It contains the vehicle and the net of each line. */
export const BY_CODE = 'orderlines__line_kind__vat_code__order_id__vehicle_id__line_net';

export type LineQuery = QueryBuilder<OrderLine, OrderLine[]>;

/** The database, the owner and the period of the lines. */
type BooksAsked = Pick<Books, 'garage' | 'period'>;

/** The types that tell purchases from sales. */
export const TYPES = {
  ...columns(Order, 'o', 'order_type'),
  credited_type: orNull(whole('c.order_type')),
};
export type Types = Selected<typeof TYPES>;

/** Whether an invoice is a purchase, or the credit note of one. */
export const isOfPurchase = ({ order_type, credited_type }: Types): boolean =>
  isPurchase(order_type, credited_type);

/**
 * Joins the invoice that a credit note takes back. Any order may name a credited order, but only a credit note takes it
 * back. Joins by owner and ID, because the primary key begins with the owner.
 */
export const withCredited = <M extends BaseModel>(query: QueryBuilder<M, M[]>): void =>
  void query.leftJoin('orders as c', (join) =>
    join
      .on('c.owner_id', 'o.owner_id')
      .on('c.id', 'o.credited_order_id')
      .andOnVal('o.order_type', INTERNAL_REVERSAL),
  );

/** The invoices of the period. Without the hint MySQL may read all orders of the owner. */
const bookedIn = ({ garage, period: { first, last } }: BooksAsked): QueryBuilder<Order, Order[]> =>
  Order.of(garage, 'o')
    .from(onIndex(Order.tableName, 'o', 'orders__is_invoiced__book_date'))
    .where('o.is_invoiced', 1)
    .whereBetween('o.book_date', [first, last]);

/** The invoices of the period, with those that credit notes take back. */
export const invoicesOf = (books: BooksAsked): QueryBuilder<Order, Order[]> =>
  bookedIn(books).modify(withCredited);

/**
 * Leaves only lines of orders whose IDs lie between the lowest and the highest of the period's invoices. IDs rise with
 * time, so few lines of other periods are left.
 */
export async function nearbyOrders(books: BooksAsked): Promise<(lines: LineQuery) => void> {
  const [ids] = await selected(bookedIn(books), {
    lowest: orNull(whole(lowestOf('o.id'))),
    highest: orNull(whole(highestOf('o.id'))),
  });
  return (lines) => void lines.whereBetween('l.order_id', [ids?.lowest ?? 0, ids?.highest ?? 0]);
}

/** The invoices of the period, and all earlier ones. */
export const invoicesUntil = ({ garage, period: { last } }: BooksAsked): QueryBuilder<Order, Order[]> =>
  Order.of(garage, 'o').where('o.is_invoiced', 1).where('o.book_date', '<=', last);

/** Only invoices of some of the days of the period. */
export const onDays =
  ({ period: { from, to, timezone } }: BooksAsked, days: readonly Days[]) =>
  <M extends BaseModel>(query: QueryBuilder<M, M[]>): void => {
    if (days.some((one) => one.from <= from && one.to >= to)) return;
    if (days.length === 0) query.whereIn('o.id', []);
    query.where((any) => {
      for (const one of days)
        any.orWhereBetween('o.book_date', [startOf(one.from, timezone), endOf(one.to, timezone)]);
    });
  };

/** The lines of the invoices of the period. `isFromStart`: also the lines of all earlier invoices. */
export const linesOf = ({ garage, period: { first, last } }: BooksAsked, isFromStart = false): LineQuery =>
  OrderLine.of(garage, 'l')
    .join('orders as o', (join) => join.on('o.owner_id', 'l.owner_id').on('o.id', 'l.order_id'))
    .modify(withCredited)
    .where('o.is_invoiced', 1)
    .where('o.book_date', '<=', last)
    .modify((query) => void (isFromStart || query.where('o.book_date', '>=', first)));

/**
 * The lines with these VAT codes, read by an index on the code. Most lines have other codes, and without the hint the
 * server may read all lines of the period. The index contains the columns that most callers select.
 */
export const linesByCode = (books: BooksAsked, codes: readonly number[], isFromStart = false): LineQuery =>
  linesOf(books, isFromStart)
    .from(onIndex(OrderLine.tableName, 'l', BY_CODE))
    .whereIn('l.line_kind', Object.values(LISTS.linekinds))
    .whereIn('l.vat_code', [...codes]);

/** A query of invoices, of their lines or of their payments. */
type InvoiceQuery<M extends BaseModel> = QueryBuilder<M, M[]>;

export const ofPurchases = <M extends BaseModel>(query: InvoiceQuery<M>): void =>
  void query.where((any) =>
    any.whereIn('o.order_type', [...PURCHASE_TYPES]).orWhereIn('c.order_type', [...PURCHASE_TYPES]),
  );

export const ofSales = <M extends BaseModel>(query: InvoiceQuery<M>): void =>
  void query
    .whereNotIn('o.order_type', [...PURCHASE_TYPES])
    .where((any) => any.whereNull('c.order_type').orWhereNotIn('c.order_type', [...PURCHASE_TYPES]));

/** Lines by which the garage buys: lines of purchases, and trade-ins on sales. */
export const bought = (query: LineQuery): void =>
  void query.where((any) => any.where((lines) => ofPurchases(lines)).orWhere('l.line_kind', TRADE_IN));

/** The value if the garage buys by the line; null for other lines. */
export const whereBought = (value: RawBuilder | number): RawBuilder =>
  whereAny(
    { 'o.order_type': PURCHASE_TYPES, 'c.order_type': PURCHASE_TYPES, 'l.line_kind': [TRADE_IN] },
    value,
  );

/**
 * Joins the parties of the invoice. A credit note corrects what its invoice reported, so it counts with the parties of
 * that invoice. Joins by owner and ID, because the only index on the order begins with the owner.
 */
export const withParties = (query: LineQuery): void =>
  void query.leftJoin('invoiceparties as p', (join) =>
    join.on('p.owner_id', 'o.owner_id').on('p.order_id', firstOf('c.id', 'o.id')),
  );

export const ownCountry = () => numberIn('p.seller', 'country_id');
export const otherCountry = () => numberIn('p.buyer', 'country_id');
/** The countries of both parties, as the invoice keeps them. */
export const COUNTRIES = {
  own_country: orNull(whole(ownCountry())),
  other_country: orNull(whole(otherCountry())),
};
export type Countries = Selected<typeof COUNTRIES>;

/** Returns a function that tells where the other party was on the day of the invoice. */
export async function readRegions({ garage }: Books): Promise<(countries: Countries) => Region> {
  const countries = await Country.of(garage).select('id', 'is_eu');
  const byId = new Map(countries.map((country) => [country.id, country]));
  return ({ own_country, other_country }) =>
    regionOf(byId.get(Number(own_country)), byId.get(Number(other_country)));
}
