// Reads the entries of a period: one for each invoice and each payment, in the order of their instants. Reads portions, so
// that memory stays flat however many there are.
import type { QueryBuilder } from 'objection';
import type { Period } from '../books/period.ts';
import { failure } from '../job-failure.ts';
import type { BaseModel } from '../model/base-model.ts';
import type { Row } from '../model/field.ts';
import { instantText, onIndex } from '../model/fragment.ts';
import type { Resource } from '../model/record.ts';
import { Contact } from '../resources/contact.ts';
import { InvoiceParty } from '../resources/invoice-party.ts';
import { Order } from '../resources/order.ts';
import { Payment } from '../resources/payment.ts';
import { dayOf } from '../trade/day.ts';
import { LISTS, lowerNameOf } from '../trade/lists.ts';
import { payerOf } from '../trade/payer.ts';
import {
  balanceOf,
  invoicePostings,
  isPurchase,
  type LineToBook,
  type Posting,
  paymentPostings,
} from '../trade/posting.ts';
import type { Scope } from './scope.ts';

const PORTION = 500;
const { VEHICLE_PURCHASE, INTERNAL_REVERSAL } = LISTS.ordertypes;

export const SALES = 'sales';
export const PURCHASES = 'purchases';

export interface Entry {
  /** In the form of the database. */
  readonly at: string;
  /** `YYYY-MM-DD` on the calendar of the garage. */
  readonly date: string;
  /** `sales`, `purchases`, or the method of a payment, such as `bank`. */
  readonly journal: string;
  /** The address of its record, such as `payment/5`: an entry that is booked already is known by it. */
  readonly entry: string;
  readonly order_id: number;
  /** Null of a purchase with an invoice of the seller. */
  readonly invoice_number: string | null;
  /** The number of the invoice, or that of the seller. */
  readonly number: string;
  /** The number of the payer as a debtor or creditor, else as a contact. */
  readonly relation: string;
  readonly isPurchase: boolean;
  /** `YYYY-MM-DD`; null of a payment. */
  readonly due_date: string | null;
  readonly postings: readonly Posting[];
  /** The license plate of the day of the invoice. Null where none is known. */
  plateOf(posting: Posting): string | null;
}

/** Throws a JobFailure where an entry does not balance. */
export async function* readEntries(scope: Scope): AsyncGenerator<Entry> {
  const [invoices, payments] = [readInvoices(scope), readPayments(scope)];
  let [invoice, payment] = [await invoices.next(), await payments.next()];
  while (!invoice.done || !payment.done) {
    if (payment.done || (!invoice.done && invoice.value.at <= payment.value.at)) {
      yield balanced(invoice.value as Entry);
      invoice = await invoices.next();
    } else {
      yield balanced(payment.value);
      payment = await payments.next();
    }
  }
}

/** The entries of one journal. */
export async function* readJournal(scope: Scope, journal: string): AsyncGenerator<Entry> {
  const isOfOrders = journal === SALES || journal === PURCHASES;
  const entries = isOfOrders ? readInvoices(scope, journal) : readPayments(scope, journal);
  for await (const entry of entries) if (entry.journal === journal) yield balanced(entry);
}

function balanced(entry: Entry): Entry {
  if (balanceOf(entry.postings) !== 0n) throw failure('entry_unbalanced', { invoice: entry.number });
  return entry;
}

/** `instant`: when it is booked, in the form of the database. */
interface Dated {
  readonly id: number;
  readonly instant: string;
}

/** What the entries of an invoice and of its payments take of the order. */
interface OrderToBook {
  readonly id: number;
  readonly order_type: number;
  readonly contact_id: number;
  readonly invoice_contact_id: number | null;
  readonly invoice_number: string | null;
  readonly supplier_invoice_number: string | null;
  readonly credited_order: {
    readonly order_type: number;
    readonly supplier_invoice_number: string | null;
  } | null;
}

const OF_ORDER = [
  'id',
  'order_type',
  'contact_id',
  'invoice_contact_id',
  'invoice_number',
  'supplier_invoice_number',
  'credited_order_id',
];
const OF_CREDITED = ['id', 'order_type', 'supplier_invoice_number'];
const OF_LINE = [
  'order_id',
  'line_kind',
  'vat_code',
  'turnover_group_id',
  'vehicle_id',
  'quantity',
  'purchase_price',
  'line_net',
  'line_vat',
  'margin_vat',
] satisfies (keyof LineToBook | 'order_id')[];

interface Invoice extends OrderToBook, Dated {
  readonly vehicle_id: number | null;
  readonly due_date: string | null;
  readonly total_gross: string;
  readonly vat_high: string;
  readonly vat_low: string;
  readonly orderline: LineToBook[];
}

const bought = ({ order_type, credited_order }: OrderToBook) =>
  isPurchase(order_type, credited_order?.order_type);

/** The credit note of a purchase has no number of its own either. */
const numberOf = ({ invoice_number, supplier_invoice_number, credited_order }: OrderToBook): string =>
  invoice_number ?? supplier_invoice_number ?? credited_order?.supplier_invoice_number ?? '';

async function* readInvoices(scope: Scope, journal?: string): AsyncGenerator<Entry> {
  const { owner, period, ledger } = scope;
  const rows = inOrder<Invoice>(scope, [Order.resource, 'invoice_date'], (orders) =>
    orders
      .select(
        OF_ORDER.map((column) => `orders.${column}`),
        'orders.vehicle_id',
        'orders.total_gross',
        'orders.vat_high',
        'orders.vat_low',
        instantText('orders', 'due_date'),
      )
      .where('orders.is_invoiced', 1)
      .modify(
        (some) =>
          journal === PURCHASES && some.whereIn('orders.order_type', [VEHICLE_PURCHASE, INTERNAL_REVERSAL]),
      )
      .withGraphFetched('[credited_order, orderline]')
      .modifyGraph('credited_order', (credited) => credited.select(OF_CREDITED))
      .modifyGraph('orderline', (lines) => lines.select(OF_LINE).orderBy('id'))
      .modifyGraph('[credited_order, orderline]', (records) => records.modify('owned', owner)),
  );
  for await (const invoices of rows) {
    const relationOf = await readRelations(scope, invoices);
    const platesOf = await readPlates(scope, invoices);
    for (const invoice of invoices) {
      const { id, invoice_number, orderline: lines, due_date } = invoice;
      const [asPurchase, number] = [bought(invoice), numberOf(invoice)];
      const plates = platesOf(id);
      yield {
        ...when(invoice, period),
        journal: asPurchase ? PURCHASES : SALES,
        entry: `order/${id}`,
        order_id: id,
        invoice_number,
        number,
        relation: relationOf(invoice),
        isPurchase: asPurchase,
        due_date: due_date === null ? null : dayOf(due_date, period.timezone),
        postings: invoicePostings({ ...invoice, number, isPurchase: asPurchase, lines }, ledger),
        plateOf: ({ vehicle }) => plates?.get(vehicle ?? invoice.vehicle_id ?? 0) ?? null,
      };
    }
  }
}

async function* readPayments(scope: Scope, journal?: string): AsyncGenerator<Entry> {
  const { owner, period } = scope;
  const rows = inOrder<PaymentToBook>(scope, [Payment.resource, 'paid_at'], (payments) =>
    payments
      .select('payments.order_id', 'payments.amount', 'payments.rounding', 'payments.method')
      .modify((some) => journal !== undefined && some.where('payments.method', methodOf(journal)))
      .withGraphFetched('order.credited_order')
      .modifyGraph('order', (orders) => orders.select(OF_ORDER).modify('owned', owner))
      .modifyGraph('order.credited_order', (credited) => credited.select(OF_CREDITED).modify('owned', owner)),
  );
  for await (const payments of rows) {
    const relationOf = await readRelations(
      scope,
      payments.map(({ order }) => order),
    );
    for (const payment of payments) {
      const { id, amount, rounding, method, order } = payment;
      const [asPurchase, number] = [bought(order), numberOf(order)];
      yield {
        ...when(payment, period),
        journal: journalOf(method),
        entry: `payment/${id}`,
        order_id: order.id,
        invoice_number: order.invoice_number,
        number,
        relation: relationOf(order),
        isPurchase: asPurchase,
        due_date: null,
        postings: paymentPostings({ number, amount, rounding, method, isPurchase: asPurchase }),
        plateOf: () => null,
      };
    }
  }
}

const journalOf = (method: number): string => String(lowerNameOf('paymentmethods', method));

const methodOf = (journal: string): number =>
  Object.values(LISTS.paymentmethods).find((method) => journalOf(method) === journal) ?? 0;

interface PaymentToBook extends Dated {
  readonly amount: string;
  readonly rounding: string;
  readonly method: number;
  readonly order: OrderToBook;
}

const when = ({ instant: at }: Dated, { timezone }: Period): Pick<Entry, 'at' | 'date'> => ({
  at,
  date: dayOf(at, timezone),
});

/** The numbers by which the books know the payers of these orders. */
async function readRelations(
  { session, owner }: Scope,
  orders: readonly OrderToBook[],
): Promise<(order: OrderToBook) => string> {
  const contacts = await Contact.of(session, owner)
    .select('id', 'contact_number', 'debtor_number', 'creditor_number')
    .whereIn('id', [...new Set(orders.map(payerOf))]);
  const byId = new Map(contacts.map((contact) => [contact.id, contact]));
  return (order) => {
    const contact = byId.get(payerOf(order));
    const own = bought(order) ? contact?.creditor_number : contact?.debtor_number;
    return own?.trim() || String(contact?.contact_number ?? '');
  };
}

type Plates = ReadonlyMap<number, string>;

/** The license plates that these invoices have kept, by vehicle. */
async function readPlates(
  { session, owner }: Scope,
  invoices: readonly { readonly id: number }[],
): Promise<(order: number) => Plates | undefined> {
  const rows = await InvoiceParty.of(session, owner)
    .select('order_id', 'vehicles')
    .whereIn(
      'order_id',
      invoices.map(({ id }) => id),
    );
  const byOrder = new Map(
    rows.map(({ order_id, vehicles }): [number, Plates] => {
      const kept: { id: number; license_plate: string }[] = JSON.parse(vehicles);
      return [order_id, new Map(kept.map(({ id, license_plate }) => [id, license_plate]))];
    }),
  );
  return (order) => byOrder.get(order);
}

type Query = QueryBuilder<BaseModel & Row>;

/** The records of a period in the order of an instant, as many at a time as fit into memory. */
async function* inOrder<R extends Dated>(
  { session, owner, period: { first, last } }: Scope,
  [{ model, table }, column]: readonly [resource: Resource, column: string],
  selecting: (query: Query) => Query,
): AsyncGenerator<R[]> {
  const [instant, id] = [`${table}.${column}`, `${table}.id`];
  let after = { at: first, id: 0 };
  for (;;) {
    const { at, id: behind } = after;
    const rows = await selecting(model.of(session, owner))
      .from(onIndex(table, table, `${table}__${column}`))
      .select(id, instantText(table, column, 'instant'))
      .whereBetween(instant, [at, last])
      .where((later) => later.where(instant, '>', at).orWhere(id, '>', behind))
      .orderBy([instant, id])
      .limit(PORTION)
      .castTo<R[]>();
    const end = rows.at(-1);
    if (!end) return;
    yield rows;
    if (rows.length < PORTION) return;
    after = { at: end.instant, id: end.id };
  }
}
