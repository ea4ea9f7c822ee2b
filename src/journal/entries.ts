// Reads the entries of a period: one for each invoice and each payment, in the order of their instants. Reads portions, so
// that memory stays flat however many there are.
import type { QueryBuilder } from 'objection';
import { failure } from '../job-failure.ts';
import type { BaseModel } from '../model/base-model.ts';
import type { Row } from '../model/field.ts';
import { instantText, onIndex } from '../model/fragment.ts';
import type { Resource } from '../model/record.ts';
import { Order } from '../resources/order.ts';
import { Payment } from '../resources/payment.ts';
import { dayOf } from '../trade/day.ts';
import { lowerNameOf } from '../trade/lists.ts';
import {
  balanceOf,
  invoicePostings,
  isPurchase,
  type LineToBook,
  type Posting,
  paymentPostings,
} from '../trade/posting.ts';
import type { Period, Scope } from './scope.ts';

const PORTION = 500;

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
  readonly invoice_number: string;
  readonly postings: readonly Posting[];
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

function balanced(entry: Entry): Entry {
  if (balanceOf(entry.postings) !== 0n) throw failure('entry_unbalanced', { invoice: entry.invoice_number });
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
  readonly invoice_number: string;
  readonly credited_order: { readonly order_type: number } | null;
}

const OF_ORDER = ['id', 'order_type', 'invoice_number', 'credited_order_id'];
const OF_LINE = ['order_id', 'turnover_group_id', 'line_net', 'margin_vat'] satisfies (
  | keyof LineToBook
  | 'order_id'
)[];

interface Invoice extends OrderToBook, Dated {
  readonly total_gross: string;
  readonly vat_high: string;
  readonly vat_low: string;
  readonly orderline: LineToBook[];
}

const bought = ({ order_type, credited_order }: OrderToBook) =>
  isPurchase(order_type, credited_order?.order_type);

async function* readInvoices(scope: Scope): AsyncGenerator<Entry> {
  const { owner, period } = scope;
  const rows = inOrder<Invoice>(scope, [Order.resource, 'invoice_date'], (orders) =>
    orders
      .select(
        OF_ORDER.map((column) => `orders.${column}`),
        'orders.total_gross',
        'orders.vat_high',
        'orders.vat_low',
      )
      .where('orders.is_invoiced', 1)
      .withGraphFetched('[credited_order, orderline]')
      .modifyGraph('credited_order', (credited) => credited.select('id', 'order_type'))
      .modifyGraph('orderline', (lines) => lines.select(OF_LINE))
      .modifyGraph('[credited_order, orderline]', (records) => records.modify('owned', owner)),
  );
  for await (const invoice of rows) {
    const { id, orderline: lines } = invoice;
    const asPurchase = bought(invoice);
    yield {
      ...when(invoice, period),
      journal: asPurchase ? 'purchases' : 'sales',
      entry: `order/${id}`,
      order_id: id,
      invoice_number: invoice.invoice_number,
      postings: invoicePostings({ ...invoice, isPurchase: asPurchase, lines }),
    };
  }
}

async function* readPayments(scope: Scope): AsyncGenerator<Entry> {
  const { owner, period } = scope;
  const rows = inOrder<PaymentToBook>(scope, [Payment.resource, 'paid_at'], (payments) =>
    payments
      .select('payments.order_id', 'payments.amount', 'payments.method')
      .withGraphFetched('order.credited_order')
      .modifyGraph('order', (orders) => orders.select(OF_ORDER).modify('owned', owner))
      .modifyGraph('order.credited_order', (credited) =>
        credited.select('id', 'order_type').modify('owned', owner),
      ),
  );
  for await (const payment of rows) {
    const { id, amount, method, order } = payment;
    const { id: order_id, invoice_number } = order;
    yield {
      ...when(payment, period),
      journal: String(lowerNameOf('paymentmethods', method)),
      entry: `payment/${id}`,
      order_id,
      invoice_number,
      postings: paymentPostings({ invoice_number, amount, method, isPurchase: bought(order) }),
    };
  }
}

interface PaymentToBook extends Dated {
  readonly amount: string;
  readonly method: number;
  readonly order: OrderToBook;
}

const when = ({ instant: at }: Dated, { timezone }: Period): Pick<Entry, 'at' | 'date'> => ({
  at,
  date: dayOf(at, timezone),
});

type Query = QueryBuilder<BaseModel & Row>;

/** The records of a period in the order of an instant, as many at a time as fit into memory. */
async function* inOrder<R extends Dated>(
  { session, owner, period: { first, last } }: Scope,
  [{ model, table }, column]: readonly [resource: Resource, column: string],
  selecting: (query: Query) => Query,
): AsyncGenerator<R> {
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
    yield* rows;
    const end = rows.at(-1);
    if (!end || rows.length < PORTION) return;
    after = { at: end.instant, id: end.id };
  }
}
