// All that the API shows of a garage at one moment, in the order of IDs.
import { dayOf } from '../../support/build/day.ts';
import type { Json } from '../../support/client/client.ts';
import type { Desk } from '../desk.ts';

/** The resources that a story writes, and that have lists. Employees are left out: a login is no change of the feed. */
export const RESOURCES = [
  'contact',
  'vehicle',
  'vehicleroleline',
  'order',
  'orderline',
  'payment',
  'appointment',
  'timeentry',
  'tyreset',
  'leaseapproval',
  'turnovergroup',
  'vatregime',
  'workplace',
  'document',
] as const;
type Resource = (typeof RESOURCES)[number];

export interface Books {
  readonly owner: Json;
  /** The lists, by the name of their resource. */
  readonly lists: ReadonlyMap<string, readonly Json[]>;
  readonly orders: readonly Json[];
  readonly byId: ReadonlyMap<unknown, Json>;
  readonly lines: ReadonlyMap<unknown, readonly Json[]>;
  readonly payments: readonly Json[];
  readonly contacts: ReadonlyMap<unknown, Json>;
  readonly vehicles: readonly Json[];
  readonly roles: readonly Json[];
  readonly appointments: readonly Json[];
  readonly entries: readonly Json[];
  readonly groups: ReadonlyMap<unknown, Json>;
}

export async function readBooks(desk: Desk): Promise<Books> {
  const owners = await desk.read('/owner');
  const found = await Promise.all(
    RESOURCES.map(async (name) => [name, await desk.list(`/${name}?sort=id`)] as const),
  );
  const lists = new Map<Resource, readonly Json[]>(found);
  const list = (name: Resource) => lists.get(name) ?? [];
  const lines = new Map<unknown, Json[]>();
  for (const line of list('orderline')) lines.set(line.order_id, [...(lines.get(line.order_id) ?? []), line]);
  return {
    owner: [owners].flat()[0] ?? {},
    lists,
    orders: list('order'),
    byId: mapped(list('order')),
    lines,
    payments: list('payment'),
    contacts: mapped(list('contact')),
    vehicles: list('vehicle'),
    roles: list('vehicleroleline'),
    appointments: list('appointment'),
    entries: list('timeentry'),
    groups: mapped(list('turnovergroup')),
  };
}

const mapped = (records: readonly Json[]): Map<unknown, Json> =>
  new Map(records.map((record) => [record.id, record]));

export const linesOf = (books: Books, order: Json): readonly Json[] => books.lines.get(order.id) ?? [];
export const isInvoice = (order: Json): boolean => order.is_invoiced === 1;
/** Sorts invoices: the oldest first. */
export const byInvoiceDate = (a: Json, b: Json): number =>
  String(a.invoice_date).localeCompare(String(b.invoice_date)) || Number(a.id) - Number(b.id);
export const invoicesOf = (books: Books): Json[] => books.orders.filter(isInvoice).sort(byInvoiceDate);
/** The invoices that count in the books from one day to another. */
export const invoicesIn = (books: Books, from: string, to: string): Json[] =>
  invoicesOf(books).filter((order) => bookDay(order) >= from && bookDay(order) <= to);
export const CREDIT = 4;
export const PURCHASE = 3;
export const SALE = 2;
export const LINE = { LABOUR: 2, VEHICLE: 3, TRADE_IN: 4, DEPOSIT: 7 } as const;
export const CODE = {
  HIGH: 1,
  LOW: 2,
  ZERO: 3,
  REVERSE_CHARGE: 5,
  MARGIN: 6,
  INTRA_COMMUNITY: 8,
  EXPORT: 9,
} as const;

/** The order that a credit note takes back; otherwise the order itself. */
export const originOf = (books: Books, order: Json): Json =>
  order.order_type === CREDIT ? (books.byId.get(order.credited_order_id) ?? order) : order;
export const isPurchase = (books: Books, order: Json): boolean =>
  originOf(books, order).order_type === PURCHASE;
/** The invoiced credit notes of an order. */
export const creditsOf = (books: Books, order: Json): Json[] =>
  books.orders.filter(
    (one) => one.order_type === CREDIT && one.credited_order_id === order.id && isInvoice(one),
  );
/** The day that counts for the books. */
export const bookDay = (order: Json): string => dayOf(String(order.book_date ?? order.invoice_date));
/** The ID of the contact who pays an order. */
export const payerOf = (order: Json): unknown => order.invoice_contact_id ?? order.contact_id;
export const contactOf = (books: Books, order: Json): Json => books.contacts.get(payerOf(order)) ?? {};
/** Among the contacts with a VAT number, all others are in another country of the EU. */
export const isDutch = ({ vat_number }: Json): boolean => String(vat_number).startsWith('NL');
export const named = (order: Json): string => `order ${order.id} (${order.invoice_number ?? 'no number'})`;
