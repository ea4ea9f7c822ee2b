// What customers owed at the end of a day, by age. The list starts from today's open amounts and adds what was paid
// after that day. Purchases are left out. A credit note that is not settled yet counts below 0.
import { DateTime } from 'luxon';
import { instant, payerOfOrder, sumOfSums } from '../../core/model/statements/fragment.ts';
import { columns, decimal, orNull, selected, text, whole } from '../../core/model/statements/selected.ts';
import { Contact } from '../../core/resources/contact.ts';
import { Order } from '../../core/resources/order.ts';
import { Payment } from '../../core/resources/payment.ts';
import { portionsOf } from '../../core/trade/grouped.ts';
import { nameOf } from '../../core/trade/identity/printed-name.ts';
import { startOf } from '../../core/trade/time/day.ts';
import { formatTimestamp } from '../../core/trade/time/timestamp.ts';
import { cents, euros } from '../../core/trade/totals.ts';
import { openAt } from './fragment.ts';
import { ofSales, withCredited } from './invoice-lines.ts';
import type { Books } from './period.ts';

export const AGES = ['not_due', 'days_30', 'days_60', 'days_90', 'older'] as const;
type Age = (typeof AGES)[number];
/** The most days past due of each age. `older` has no limit. */
const MOST_DAYS = { not_due: 0, days_30: 30, days_60: 60, days_90: 90 } as const;
const CONTACTS_A_STATEMENT = 1_000;
/** Made once: a new collator for each comparison would take most of the time. */
const byName = new Intl.Collator('nl');

/** Amounts in euros. */
type Debtor = Readonly<Record<Age, number>> & {
  readonly contact_id: number;
  readonly name: string;
  readonly total: number;
  /** The earliest due date of the invoices with an amount to pay. */
  readonly oldest_due_date: string | null;
};

/** Amounts in cents. `oldest` is the earliest due date, in the form of the database. */
interface Debt {
  readonly ages: Record<Age, bigint>;
  oldest: string | null;
}

/**
 * The debtors at the end of the last day of `books`, sorted by name. All of them at once, so their sum equals the
 * balance of the debtors' account.
 */
export async function readDebtors(books: Books): Promise<Debtor[]> {
  const ageOf = agesAt(books);
  const debts = new Map<number, Debt>();
  for (const { payer, due, open } of await readOpenInvoices(books)) {
    const debt = debts.get(payer) ?? { ages: nothing(), oldest: null };
    debts.set(payer, debt);
    const amount = cents(open);
    debt.ages[ageOf(due)] += amount;
    if (amount > 0n && due !== null && (debt.oldest === null || due < debt.oldest)) debt.oldest = due;
  }
  const names = await readNames(books, [...debts.keys()]);
  const rows = [...debts].map(([contact_id, { ages, oldest }]): Debtor => {
    const total = AGES.reduce((sum, age) => sum + ages[age], 0n);
    const amounts = Object.fromEntries(AGES.map((age) => [age, Number(euros(ages[age]))]));
    return {
      contact_id,
      name: names.get(contact_id) ?? '',
      ...(amounts as Record<Age, number>),
      total: Number(euros(total)),
      oldest_due_date: oldest === null ? null : formatTimestamp(oldest),
    };
  });
  return rows.sort((one, other) => byName.compare(one.name, other.name) || one.contact_id - other.contact_id);
}

const nothing = (): Record<Age, bigint> => ({
  not_due: 0n,
  days_30: 0n,
  days_60: 0n,
  days_90: 0n,
  older: 0n,
});

/** The age of an invoice by its due date: it is due on that day, and late on the next one. */
function agesAt({ period: { to, timezone } }: Books): (due: string | null) => Age {
  const begins = Object.entries(MOST_DAYS).map(([age, days]) => {
    const day = DateTime.fromISO(to).minus({ days }).toFormat('yyyy-MM-dd');
    return [age as Age, startOf(day, timezone)] as const;
  });
  return (due) => begins.find(([, begin]) => due === null || due >= begin)?.[0] ?? 'older';
}

/**
 * The invoices that were open at the end of the day. An invoice of a later date is among them if it was paid before.
 * Three reads, each with its own index: invoices that are open today, invoices that were paid since, and invoices that
 * were made since but paid before.
 */
async function readOpenInvoices(books: Books) {
  const { last } = books.period;
  const isOpen = await invoicesWithLater(books).where((any) =>
    any.where('o.amount_open', '<', 0).orWhere('o.amount_open', '>', 0),
  );
  const paidSince = await invoicesWithLater(books, true).where('o.amount_open', 0);
  const invoicedSince = await invoicesWithLater(books)
    .where('o.amount_open', 0)
    .where('o.book_date', '>', last)
    .whereNull('later.paid');
  return [...isOpen, ...paidSince, ...invoicedSince];
}

/** `mustBePaid`: only invoices with a payment after the day. */
function invoicesWithLater({ garage, period: { last } }: Books, mustBePaid = false) {
  const later = Payment.of(garage)
    .select('order_id', sumOfSums('amount', 'rounding', 'paid'))
    .where('paid_at', '>', last)
    .groupBy('order_id')
    .as('later');
  const invoices = Order.of(garage, 'o');
  if (mustBePaid) invoices.join(later, 'later.order_id', 'o.id');
  else invoices.leftJoin(later, 'later.order_id', 'o.id');
  invoices.modify(withCredited).where('o.is_invoiced', 1).modify(ofSales).having('open', '<>', 0);
  return selected(invoices, {
    payer: whole(payerOfOrder('o')),
    due: orNull(text(instant('o.due_date'))),
    open: decimal(openAt(last)),
  });
}

const NAMES = {
  ...columns(Contact, Contact.tableName, 'id', 'print_name', 'company_name'),
  ...columns(Contact, Contact.tableName, 'first_name', 'prefix', 'last_name'),
};

async function readNames(
  { garage }: Books,
  contacts: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const names = new Map<number, string>();
  for (const some of portionsOf(contacts, CONTACTS_A_STATEMENT)) {
    const rows = await selected(Contact.of(garage).whereIn('id', some), NAMES);
    for (const contact of rows) names.set(contact.id, nameOf(contact));
  }
  return names;
}
