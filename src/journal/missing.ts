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
  BEARING,
  CHARGED,
  CREDITORS,
  DEBTORS,
  DEPOSITS,
  INPUT_VAT,
  isPurchase,
  lineAccount,
  MARGIN_VAT,
  ROUNDING,
  VAT_HIGH,
} from '../trade/posting.ts';
import type { Scope } from './scope.ts';

/** More are not counted: who has that many starts with these. */
const MOST_LINES = 1_000;
const { TRADE_IN, DEPOSIT } = LISTS.linekinds;
const { VEHICLE_PURCHASE } = LISTS.ordertypes;
const { OFFSET, ...METHODS } = LISTS.paymentmethods;

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

/** The side of the books: `true` what the garage buys, `false` what it sells. */
type Side = boolean;

/** The invoices of the period, with the invoices that they credit. */
const invoices = ({ session, owner, period: { first, last } }: Scope) =>
  Order.of(session, owner, 'invoice')
    .leftJoin('orders as credited', 'credited.id', 'invoice.credited_order_id')
    .select('invoice.id')
    .where('invoice.is_invoiced', 1)
    .whereBetween('invoice.invoice_date', [first, last]);

/** The lines of these invoices. */
const lines = ({ session, owner, period: { first, last } }: Scope) =>
  OrderLine.of(session, owner)
    .join('orders as invoice', 'invoice.id', 'orderlines.order_id')
    .leftJoin('orders as credited', 'credited.id', 'invoice.credited_order_id')
    .where('invoice.is_invoiced', 1)
    .whereBetween('invoice.invoice_date', [first, last]);

/** The payments of the period, with their invoices. */
const payments = ({ session, owner, period: { first, last } }: Scope) =>
  Payment.of(session, owner)
    .join('orders as invoice', 'invoice.id', 'payments.order_id')
    .leftJoin('orders as credited', 'credited.id', 'invoice.credited_order_id')
    .select('payments.id')
    .whereBetween('payments.paid_at', [first, last]);

type Query = ReturnType<typeof invoices> | ReturnType<typeof lines> | ReturnType<typeof payments>;

/** Only orders of one side. */
function ofSide<Q extends Query>(query: Q, side: Side): Q {
  if (side)
    query.where((either) =>
      either.where('invoice.order_type', VEHICLE_PURCHASE).orWhere('credited.order_type', VEHICLE_PURCHASE),
    );
  else
    query
      .whereNot('invoice.order_type', VEHICLE_PURCHASE)
      .where((either) =>
        either.whereNull('credited.order_type').orWhereNot('credited.order_type', VEHICLE_PURCHASE),
      );
  return query;
}

/** Lines of what the garage buys, trade-ins on sales among them, or of what it sells. */
function linesOf(scope: Scope, side: Side) {
  if (!side) return ofSide(lines(scope), false).whereNot('orderlines.line_kind', TRADE_IN);
  return lines(scope).where((either) =>
    either
      .where('invoice.order_type', VEHICLE_PURCHASE)
      .orWhere('credited.order_type', VEHICLE_PURCHASE)
      .orWhere('orderlines.line_kind', TRADE_IN),
  );
}

/** Lines that post to an account of their group: texts do not. */
const posting = (scope: Scope) =>
  lines(scope)
    .whereNot('orderlines.line_kind', DEPOSIT)
    .where((some) => some.where('line_net', '<>', 0).orWhere('margin_vat', '<>', 0));

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
  const needed = [...(await accountsOfLines(scope)), ...(await accountsOfCosts(scope))];
  // Several types of order may need the same account.
  const byName = new Map(needed.map((one) => [`${one.group} ${one.field}`, one]));
  return [...byName.values()]
    .filter((one) => account(one) === undefined)
    .sort((one, other) => Number(one.group) - Number(other.group))
    .map(({ group, field }) => missing(field, 'turnovergroup', group));
}

/** The accounts of groups that nets of lines go to. */
async function accountsOfLines(scope: Scope): Promise<AccountField[]> {
  const rows = await posting(scope)
    .distinct('turnover_group_id', 'line_kind', 'invoice.order_type', 'credited.order_type as credited_type')
    .whereIn('turnover_group_id', [...scope.ledger.incomplete])
    .castTo<
      {
        turnover_group_id: number;
        line_kind: number;
        order_type: number;
        credited_type: number | null;
      }[]
    >();
  return rows.map(({ order_type, credited_type, ...line }) =>
    lineAccount(line, isPurchase(order_type, Number(credited_type)), scope.ledger),
  );
}

/** The accounts for what goods from stock have cost. */
async function accountsOfCosts(scope: Scope): Promise<AccountField[]> {
  const { incomplete, hasStock } = scope.ledger;
  const groups = incomplete.filter(hasStock);
  if (groups.length === 0) return [];
  const rows = await linesOf(scope, false)
    .distinct('turnover_group_id')
    .whereIn('turnover_group_id', groups)
    .whereNot('orderlines.line_kind', DEPOSIT)
    .whereNot('orderlines.purchase_price', 0)
    .whereNot('orderlines.quantity', 0);
  return rows.map(({ turnover_group_id }) => ({ group: turnover_group_id, field: 'cost_ledger_account' }));
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

const hasParty = async (scope: Scope, side: Side) =>
  (await any(ofSide(invoices(scope), side))) || any(ofSide(payments(scope), side));

/** Lines whose VAT is on the invoice. The VAT of a line may be 0, and that of the invoice not: it is rounded for all lines. */
const withVat = (scope: Scope, side: Side, code: number, column: string) =>
  linesOf(scope, side)
    .where('orderlines.vat_code', code)
    .where((some) => some.whereNot('orderlines.line_vat', 0).orWhereNot(`invoice.${column}`, 0));

/** Lines of purchases whose VAT the garage owes. */
const charged = (scope: Scope) =>
  linesOf(scope, true)
    .whereIn('orderlines.vat_code', [...CHARGED])
    .whereNot('orderlines.line_net', 0);

const hasInputVat = async (scope: Scope): Promise<boolean> => {
  for (const [code, , column] of BEARING) if (await any(withVat(scope, true, code, column))) return true;
  return any(charged(scope));
};

/** The accounts of the garage, and what needs them. */
const NEEDS: readonly (readonly [AccountField, isNeeded: (scope: Scope) => Promise<boolean>])[] = [
  [DEBTORS, (scope) => hasParty(scope, false)],
  [CREDITORS, (scope) => hasParty(scope, true)],
  ...BEARING.map(
    ([code, account, column]) =>
      [
        account,
        async (scope: Scope) =>
          (await any(withVat(scope, false, code, column))) ||
          (account === VAT_HIGH && (await any(charged(scope)))),
      ] as const,
  ),
  [INPUT_VAT, hasInputVat],
  [
    MARGIN_VAT,
    async (scope) =>
      scope.ledger.isMarginPosted && any(linesOf(scope, false).whereNot('orderlines.margin_vat', 0)),
  ],
  [DEPOSITS, (scope) => any(lines(scope).where('line_kind', DEPOSIT).whereNot('line_net', 0))],
  [ROUNDING, (scope) => any(payments(scope).whereNot('payments.rounding', 0))],
  ...Object.values(METHODS).map(
    (method) =>
      [
        accountOf(method, false),
        (scope: Scope) => any(payments(scope).where('payments.method', method)),
      ] as const,
  ),
];
