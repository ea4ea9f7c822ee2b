// Reads the entries of a period: one for each invoice and each payment, sorted by time, and those of the margins.
import type { Period } from '../../business/books/period.ts';
import { instant } from '../../core/model/statements/fragment.ts';
import {
  columns,
  decimal,
  filled,
  many,
  one,
  orNull,
  type Selected,
  text,
} from '../../core/model/statements/selected.ts';
import { Order } from '../../core/resources/order.ts';
import { OrderLine } from '../../core/resources/order-line.ts';
import { Payment } from '../../core/resources/payment.ts';
import { isCreditNote } from '../../core/trade/kinds/order-type.ts';
import {
  methodOf,
  methodRow,
  PAYMENT_METHODS,
  type PaymentMethod,
} from '../../core/trade/kinds/payment-method.ts';
import { PURCHASE_TYPES } from '../../core/trade/kinds/purchase.ts';
import { LISTS } from '../../core/trade/lists.ts';
import { balanceOf, invoicePostings, type Posting, paymentPostings } from '../../core/trade/posting.ts';
import { dayOf } from '../../core/trade/time/day.ts';
import { failure } from '../../platform/job-failure.ts';
import { readCarCosts } from './car-costs.ts';
import { PURCHASES, SALES } from './journals.ts';
import { marginEntries } from './margin-entries.ts';
import {
  BEHIND_ORDER,
  type BookedInvoice,
  creditedOf,
  creditsDeposit,
  isBought,
  numberOf,
  ORDER,
  readPlates,
  readRelations,
  suppliedOf,
} from './order-to-book.ts';
import { type Dated, inOrder } from './portions.ts';
import { booksOn, type Scope } from './scope.ts';

const { INTERNAL_REVERSAL } = LISTS.ordertypes;

export interface Entry extends BookedInvoice {
  /** In the form of the database. */
  readonly at: string;
  /** `YYYY-MM-DD` on the calendar of the garage. */
  readonly date: string;
  /** `sales`, `purchases`, or the method of a payment, such as `bank`. */
  readonly journal: string;
  /**
   * The path of the record, such as `payment/5`, or `margin/2026-09-30`. By it a program recognizes an entry that is
   * booked already.
   */
  readonly entry: string;
  /** The invoice that a credit note takes back. */
  readonly credited: BookedInvoice | undefined;
  /** The debtor or creditor number of the payer, or else the contact number. Null if the entry belongs to nobody. */
  readonly relation: string | null;
  readonly isPurchase: boolean;
  /** `YYYY-MM-DD`; null for a payment. */
  readonly due_date: string | null;
  /** The day whose VAT rates its postings have. */
  readonly rate_day: string;
  readonly postings: readonly Posting[];
  /** The license plate on the day of the invoice; null if it is unknown. */
  plateOf(posting: Posting): string | null;
}

/** The entries of the journals of the scope. Throws a JobFailure if an entry does not balance. */
export async function* readEntries(scope: Scope): AsyncGenerator<Entry> {
  const sources = [readInvoices(scope), readPayments(scope), marginEntries(scope)];
  const waiting: { readonly source: (typeof sources)[number]; entry: Entry }[] = [];
  for (const source of sources) {
    const { done, value } = await source.next();
    if (!done) waiting.push({ source, entry: value });
  }
  for (;;) {
    // Of entries of one time that of the first source comes first.
    const next = waiting.reduce<(typeof waiting)[number] | undefined>(
      (first, one) => (first && first.entry.at <= one.entry.at ? first : one),
      undefined,
    );
    if (!next) return;
    yield balanced(next.entry);
    const { done, value } = await next.source.next();
    if (done) waiting.splice(waiting.indexOf(next), 1);
    else next.entry = value;
  }
}

function balanced(entry: Entry): Entry {
  if (balanceOf(entry.postings) !== 0n) throw failure('entry_unbalanced', { invoice: entry.number });
  return entry;
}

const LINES = OrderLine.tableName;
const LINE = {
  ...columns(OrderLine, LINES, 'order_id', 'line_kind', 'vat_code', 'turnover_group_id', 'vehicle_id'),
  ...columns(OrderLine, LINES, 'quantity', 'purchase_price', 'line_net', 'line_vat', 'margin_vat'),
};
const INVOICE = {
  ...ORDER,
  ...columns(Order, Order.tableName, 'vehicle_id'),
  ...filled(Order, Order.tableName, 'total_gross'),
  vat_high: decimal('orders.vat_high'),
  vat_low: decimal('orders.vat_low'),
  due_date: orNull(text(instant('orders.due_date'))),
};
export const BEHIND_INVOICE = { ...BEHIND_ORDER, orderline: many(LINE) };

async function* readInvoices(scope: Scope): AsyncGenerator<Entry> {
  const { period, journals } = scope;
  if (!journals.has(SALES) && !journals.has(PURCHASES)) return;
  const rows = inOrder(scope, [Order.resource, 'book_date'], [INVOICE, BEHIND_INVOICE], (orders) =>
    orders
      .where('orders.is_invoiced', 1)
      .modify(
        (some) =>
          !journals.has(SALES) && some.whereIn('orders.order_type', [...PURCHASE_TYPES, INTERNAL_REVERSAL]),
      )
      .modifyGraph('orderline', (lines) => lines.orderBy('id')),
  );
  for await (const invoices of rows) {
    const relationOf = await readRelations(scope, invoices);
    const platesOf = await readPlates(scope, invoices);
    const costsOf = await readCarCosts(scope, invoices);
    for (const invoice of invoices) {
      const { id, invoice_number, orderline: lines, due_date } = invoice;
      const cars = costsOf(invoice);
      const [asPurchase, number] = [isBought(invoice), numberOf(invoice)];
      const journal = asPurchase ? PURCHASES : SALES;
      if (!journals.has(journal)) continue;
      const isOfDeposit = creditsDeposit(invoice);
      const plates = platesOf(id);
      const books = booksOn(scope, dayOf(invoice.instant, period.timezone));
      const rate_day = dayOf(suppliedOf(invoice) ?? invoice.instant, period.timezone);
      yield {
        ...when(invoice, period),
        journal,
        entry: `order/${id}`,
        order_id: id,
        invoice_number,
        number,
        credited: creditedOf(invoice),
        relation: relationOf(invoice),
        isPurchase: asPurchase,
        due_date: due_date === null ? null : dayOf(due_date, period.timezone),
        rate_day,
        postings: invoicePostings(
          { ...invoice, number, isPurchase: asPurchase, isOfDeposit, rate_day, lines, cars },
          books,
        ),
        plateOf: ({ vehicle }) => plates?.get(vehicle ?? invoice.vehicle_id ?? 0) ?? null,
      };
    }
  }
}

const PAYMENT = {
  ...columns(Payment, Payment.tableName, 'order_id', 'amount', 'method', 'reference'),
  ...filled(Payment, Payment.tableName, 'rounding'),
};
const BEHIND_PAYMENT = { order: one(ORDER, BEHIND_ORDER) };
type PaymentToBook = Selected<typeof PAYMENT, typeof BEHIND_PAYMENT>;

async function* readPayments(scope: Scope): AsyncGenerator<Entry> {
  const { period } = scope;
  const methods = methodsOf(scope);
  if (methods.length === 0) return;
  const isAll = methods.length === PAYMENT_METHODS.length;
  const rows = inOrder(scope, [Payment.resource, 'paid_at'], [PAYMENT, BEHIND_PAYMENT], (payments) =>
    isAll ? payments : payments.whereIn('payments.method', methods),
  );
  for await (const payments of rows) {
    const relationOf = await readRelations(
      scope,
      payments.map(({ order }) => order),
    );
    for (const payment of payments) {
      const { id, amount, rounding, method, reference, order } = payment;
      if (isOtherHalf(payment)) continue;
      const [asPurchase, number] = [isBought(order), numberOf(order)];
      yield {
        ...when(payment, period),
        journal: methodRow(method).journal,
        entry: `payment/${id}`,
        order_id: order.id,
        invoice_number: order.invoice_number,
        number,
        credited: creditedOf(order),
        relation: relationOf(order),
        isPurchase: asPurchase,
        due_date: null,
        rate_day: when(payment, period).date,
        postings: paymentPostings({ number, amount, rounding, method, reference, isPurchase: asPurchase }),
        plateOf: () => null,
      };
    }
  }
}

/**
 * A credit note and its invoice are settled by one payment of each. Only together they move an amount from one number
 * to the other, so they are one entry. The payment of the credit note books both, since its order names the invoice.
 */
const isOtherHalf = ({ method, order: { order_type } }: PaymentToBook): boolean =>
  methodRow(method).account === null && !isCreditNote(order_type);

/** The methods of payment of the journals of a scope. */
export const methodsOf = ({ journals }: Scope): PaymentMethod[] =>
  [...journals].flatMap((journal) => methodOf(journal) ?? []);

const when = ({ instant: at }: Dated, { timezone }: Period): Pick<Entry, 'at' | 'date'> => ({
  at,
  date: dayOf(at, timezone),
});
