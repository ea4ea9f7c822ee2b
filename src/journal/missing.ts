// What a journal needs and the garage lacks: turnover groups of lines, and ledger accounts. A journal with a gap can't be
// booked, so all of it is refused before the job starts, each entry with its record. Only what is empty is looked for.

import { type Violation, violation } from '../errors.ts';
import { Order } from '../resources/order.ts';
import { OrderLine } from '../resources/order-line.ts';
import { Payment } from '../resources/payment.ts';
import { LISTS } from '../trade/lists.ts';
import {
  type AccountField,
  accountOf,
  DEBTORS,
  groupAccount,
  isPurchase,
  MARGIN_VAT,
  VAT_HIGH,
  VAT_LOW,
} from '../trade/posting.ts';
import type { Scope } from './scope.ts';

/** More are not counted: who has that many starts with these. */
const MOST_LINES = 1_000;

/** Empty where nothing is missing. Invoices and payments of the period decide which accounts it needs. */
export async function missingForJournal(scope: Scope): Promise<Violation[]> {
  return [
    ...(await linesWithoutGroup(scope)),
    ...(await groupsWithoutAccount(scope)),
    ...(await missingOfGarage(scope)),
  ];
}

const missing = (field: string, resource: string, id: unknown): Violation => ({
  ...violation('field_empty', { field }),
  resource,
  id: Number(id),
});

const invoices = ({ session, owner, period: { first, last } }: Scope) =>
  Order.of(session, owner).select('id').where('is_invoiced', 1).whereBetween('invoice_date', [first, last]);

/** The lines of these invoices, with the types that say which way they post. */
const lines = ({ session, owner, period: { first, last } }: Scope) =>
  OrderLine.of(session, owner)
    .join('orders as invoice', 'invoice.id', 'orderlines.order_id')
    .leftJoin('orders as credited', 'credited.id', 'invoice.credited_order_id')
    .where('invoice.is_invoiced', 1)
    .whereBetween('invoice.invoice_date', [first, last]);

/** The type of an invoice, and of the invoice that it credits. */
type Types = { order_type: number; credited_type: number | null };

/** Lines that post something: texts do not. */
const posting = (scope: Scope) =>
  lines(scope).where((some) => some.where('line_net', '<>', 0).orWhere('margin_vat', '<>', 0));

const payments = ({ session, owner, period: { first, last } }: Scope) =>
  Payment.of(session, owner).select('id').whereBetween('paid_at', [first, last]);

async function linesWithoutGroup(scope: Scope): Promise<Violation[]> {
  const rows = await posting(scope)
    .select('orderlines.id')
    .whereNull('orderlines.turnover_group_id')
    .orderBy('orderlines.id')
    .limit(MOST_LINES);
  return rows.map(({ id }) => missing('turnover_group_id', 'orderline', id));
}

async function groupsWithoutAccount(scope: Scope): Promise<Violation[]> {
  const { incomplete, account } = scope.ledger;
  if (incomplete.length === 0) return [];
  const rows = await posting(scope)
    .distinct('turnover_group_id', 'invoice.order_type', 'credited.order_type as credited_type')
    .whereIn('turnover_group_id', [...incomplete])
    .orderBy('turnover_group_id')
    .castTo<(Types & { turnover_group_id: number })[]>();
  const needed = rows.map(({ turnover_group_id, order_type, credited_type }) =>
    groupAccount(turnover_group_id, isPurchase(order_type, Number(credited_type))),
  );
  // Several types of order may need the same account.
  const byName = new Map(needed.map((one) => [`${one.group} ${one.field}`, one]));
  return [...byName.values()]
    .filter((one) => account(one) === undefined)
    .map(({ group, field }) => missing(field, 'turnovergroup', group));
}

async function missingOfGarage(scope: Scope): Promise<Violation[]> {
  const found: Violation[] = [];
  for (const [account, isNeeded] of NEEDS) {
    if (scope.ledger.account(account) !== undefined || !(await isNeeded(scope))) continue;
    found.push(missing(account.field, 'owner', scope.owner));
  }
  return found;
}

const any = async (query: { first(): PromiseLike<unknown> }): Promise<boolean> =>
  (await query.first()) !== undefined;

/** The accounts of the garage, and what needs them. */
const NEEDS: readonly (readonly [AccountField, isNeeded: (scope: Scope) => Promise<boolean>])[] = [
  [DEBTORS, async (scope) => (await any(invoices(scope).whereNot('total_gross', 0))) || any(payments(scope))],
  [VAT_HIGH, (scope) => any(invoices(scope).whereNot('vat_high', 0))],
  [VAT_LOW, (scope) => any(invoices(scope).whereNot('vat_low', 0))],
  [MARGIN_VAT, hasMargin],
  ...Object.values(LISTS.paymentmethods).map(
    (method) => [accountOf(method), (scope: Scope) => any(payments(scope).where({ method }))] as const,
  ),
];

async function hasMargin(scope: Scope): Promise<boolean> {
  const rows = await lines(scope)
    .distinct('invoice.order_type', 'credited.order_type as credited_type')
    .where('margin_vat', '<>', 0)
    .castTo<Types[]>();
  return rows.some(({ order_type, credited_type }) => !isPurchase(order_type, Number(credited_type)));
}
