// What customers owed at the end of a day, by age. The list starts from today's open amounts and adds what was paid
// after that day. Purchases are left out. A credit note that is not settled yet counts below 0.
import { DateTime } from 'luxon';
import { instant, payerOfOrder, sumOf, sumOfSums } from '../../core/model/statements/fragment.ts';
import { sortedInPieces } from '../../core/model/statements/piece.ts';
import { type Marker, prepared } from '../../core/model/statements/prepared.ts';
import { columns, selected } from '../../core/model/statements/selected.ts';
import { Contact } from '../../core/resources/contact.ts';
import { Order } from '../../core/resources/order.ts';
import { Payment } from '../../core/resources/payment.ts';
import { portionsOf } from '../../core/trade/grouped.ts';
import { nameOf } from '../../core/trade/identity/printed-name.ts';
import { startOf } from '../../core/trade/time/day.ts';
import { formatTimestamp } from '../../core/trade/time/timestamp.ts';
import { cents, euros } from '../../core/trade/totals.ts';
import { oldestOpen, openAt, openSince } from './fragment.ts';
import { ofSales, withCredited } from './invoice-lines.ts';
import type { Books } from './period.ts';

export const AGES = ['not_due', 'days_30', 'days_60', 'days_90', 'older'] as const;
type Age = (typeof AGES)[number];
/** The most days past due of each age. `older` has no limit. */
const MOST_DAYS = { not_due: 0, days_30: 30, days_60: 60, days_90: 90 } as const;
const CONTACTS_A_STATEMENT = 1_000;
/** The columns that a name is made of. */
const NAMES = {
  ...columns(Contact, Contact.tableName, 'id', 'print_name', 'company_name'),
  ...columns(Contact, Contact.tableName, 'first_name', 'prefix', 'last_name'),
};
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

/** What one payer owes. Amounts are exact, as text. */
type Debt = Readonly<Record<keyof typeof MOST_DAYS | 'total', string>> & {
  readonly payer: number;
  readonly oldest: string | null;
};

/**
 * The debtors at the end of the last day of `books`, sorted by name. All of them at once, so their sum equals the
 * balance of the debtors' account. A garage may have any number of debtors, so others have their round in between.
 */
export async function readDebtors(books: Books): Promise<Debtor[]> {
  const debts = new Map((await readDebts(books)).map((debt) => [debt.payer, debt]));
  const debtors: Debtor[] = [];
  for (const payers of portionsOf([...debts.keys()], CONTACTS_A_STATEMENT))
    for (const contact of await selected(Contact.of(books.garage).whereIn('id', payers), NAMES)) {
      const debt = debts.get(contact.id);
      if (debt) debtors.push(debtorOf(debt, nameOf(contact)));
    }
  return sortedInPieces(
    debtors,
    (one, other) => byName.compare(one.name, other.name) || one.contact_id - other.contact_id,
  );
}

function debtorOf({ payer, total, oldest, ...since }: Debt, name: string): Debtor {
  const amounts: [Age, number][] = [];
  let younger = 0n;
  for (const age of AGES) {
    const untilAge = cents(age === 'older' ? total : since[age]);
    amounts.push([age, Number(euros(untilAge - younger))]);
    younger = untilAge;
  }
  return {
    contact_id: payer,
    name,
    ...(Object.fromEntries(amounts) as Record<Age, number>),
    total: Number(total),
    oldest_due_date: oldest === null ? null : formatTimestamp(oldest),
  };
}

/** The first instants of the ages: an invoice is due on its day, and late on the next one. */
const beginningsOf = ({ period: { to, timezone } }: Books): Record<string, string> =>
  Object.fromEntries(
    Object.entries(MOST_DAYS).map(([age, days]) => {
      const day = DateTime.fromISO(to).minus({ days }).toFormat('yyyy-MM-dd');
      return [age, startOf(day, timezone)];
    }),
  );

/**
 * What each payer owed at the end of the day: in all, and for each age what was that young or younger. An invoice of a
 * later date counts if it was paid before. Three reads, each with its own index: invoices that are open today, invoices
 * that were paid since, and invoices that were made since but paid before.
 */
const readDebts = (books: Books): Promise<Debt[]> =>
  prepared('debts', (mark) => {
    const isOpen = invoicesWithLater(mark).where((any) =>
      any.where('o.amount_open', '<', 0).orWhere('o.amount_open', '>', 0),
    );
    const paidSince = invoicesWithLater(mark, true).where('o.amount_open', 0);
    const invoicedSince = invoicesWithLater(mark)
      .where('o.amount_open', 0)
      .where('o.book_date', '>', mark('last'))
      .whereNull('later.paid');
    const sums = Object.keys(MOST_DAYS).map((age) => openSince(mark(age)).as(age));
    return Order.ofAllOwners('part')
      .from(isOpen.unionAll([paidSince, invoicedSince]).as('i'))
      .select('i.payer', ...sums, sumOf('i.open').as('total'), oldestOpen().as('oldest'))
      .where('i.open', '<>', 0)
      .groupBy('i.payer');
  }).rows<Debt>(books.garage, { last: books.period.last, ...beginningsOf(books) });

/** `mustBePaid`: only invoices with a payment after the day. */
function invoicesWithLater(mark: Marker, mustBePaid = false) {
  const later = Payment.ofMarked(mark)
    .select('order_id', sumOfSums('amount', 'rounding', 'paid'))
    .where('paid_at', '>', mark('last'))
    .groupBy('order_id')
    .as('later');
  const invoices = Order.ofMarked(mark, 'o');
  if (mustBePaid) invoices.join(later, 'later.order_id', 'o.id');
  else invoices.leftJoin(later, 'later.order_id', 'o.id');
  return invoices
    .modify(withCredited)
    .where('o.is_invoiced', 1)
    .modify(ofSales)
    .select(payerOfOrder('o').as('payer'), instant('o.due_date').as('due'), openAt(mark('last')).as('open'));
}
