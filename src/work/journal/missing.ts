// Finds fields that a journal needs and that are empty: turnover groups of lines, and ledger accounts. A journal with a
// gap can't be booked, so the whole journal is refused before its job starts. The refusal names each empty field with
// its record.

import type { QueryBuilder } from 'objection';
import {
  bought,
  invoicesOf,
  isOfPurchase,
  type LineQuery,
  linesByCode,
  linesOf as linesOfPeriod,
  ofPurchases,
  ofSales,
  onDays,
  TYPES,
  withCredited,
} from '../../business/books/invoice-lines.ts';
import { regimesIn } from '../../business/books/period.ts';
import { type Violation, violation } from '../../core/errors.ts';
import type { BaseModel } from '../../core/model/statements/base-model.ts';
import { columns, selected } from '../../core/model/statements/selected.ts';
import { Order } from '../../core/resources/order.ts';
import { OrderLine } from '../../core/resources/order-line.ts';
import { Payment } from '../../core/resources/payment.ts';
import { TARGETS } from '../../core/trade/kinds/order-type.ts';
import { methodRow, PAYMENT_METHODS } from '../../core/trade/kinds/payment-method.ts';
import { LISTS } from '../../core/trade/lists.ts';
import {
  type AccountField,
  accountOf,
  CREDITORS,
  DEBTORS,
  DEPOSITS,
  INPUT_VAT,
  type LineToBook,
  lineAccount,
  MARGIN_TURNOVER,
  MARGIN_VAT,
  NO_STOCK,
  ROUNDING,
  VAT_HIGH,
} from '../../core/trade/posting.ts';
import { cents } from '../../core/trade/totals.ts';
import type { Side } from '../../core/trade/vat-box.ts';
import { OWED_BY_BUYER, SUMMED } from '../../core/trade/vat-code.ts';
import { isGlobal, type Regime } from '../../core/trade/vat-regime.ts';
import { readCarCosts } from './car-costs.ts';
import { BEHIND_INVOICE, methodsOf } from './entries.ts';
import { MARGIN, PURCHASES, SALES } from './journals.ts';
import { countsOverPeriods } from './margin-entries.ts';
import { isBought } from './order-to-book.ts';
import { inOrder } from './portions.ts';
import type { Scope } from './scope.ts';

/** The refusal names no more lines than this: a user with that many starts with these. */
const MOST_LINES = 1_000;
const { vatcodes } = LISTS;
const { INTERNAL_REVERSAL } = LISTS.ordertypes;
const { TRADE_IN, DEPOSIT } = LISTS.linekinds;
/** The methods whose payments go to an account of their own. */
const METHODS = PAYMENT_METHODS.filter((method) => methodRow(method).account !== null);

/** Returns no violation if nothing is missing. The period's invoices and payments decide which accounts are needed. */
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

/** The payments of the period and the journals, with their invoices. */
const paymentsOf = (scope: Scope) =>
  Payment.of(scope.garage, 'p')
    .join('orders as o', 'o.id', 'p.order_id')
    .modify(withCredited)
    .whereBetween('p.paid_at', [scope.period.first, scope.period.last])
    .whereIn('p.method', methodsOf(scope));

/** The lines of the invoices of the period and the journals. */
const linesOf = (scope: Scope): LineQuery => linesOfPeriod(scope).modify(ofJournals(scope));

/** Leaves only the journals that were asked for, of the two that hold invoices. */
const ofJournals =
  ({ journals }: Scope) =>
  <M extends BaseModel>(query: QueryBuilder<M, M[]>): void => {
    if (!journals.has(SALES)) query.modify(ofPurchases);
    if (!journals.has(PURCHASES)) query.modify(ofSales);
  };

/** Lines by which the garage buys or sells. A trade-in on a sale is a purchase. */
const linesOfSide = (scope: Scope, side: Side): LineQuery =>
  side === 'purchase'
    ? linesOf(scope).modify(bought)
    : linesOf(scope).modify(ofSales).whereNot('l.line_kind', TRADE_IN);

/** Lines of deposits, and all lines of their credit notes, whatever kinds these have. */
const ofDeposits = (lines: LineQuery): void =>
  void lines.where((any) =>
    any
      .where('l.line_kind', DEPOSIT)
      .orWhere((notes) => notes.whereNotNull('c.deposit_of_order_id').whereIn('c.order_type', [...TARGETS])),
  );

const ofNoDeposit = (lines: LineQuery): void =>
  void lines
    .whereNot('l.line_kind', DEPOSIT)
    .where((any) => any.whereNull('c.deposit_of_order_id').orWhereNotIn('c.order_type', [...TARGETS]));

/** Lines that post to an account of their group. Text lines post nothing. */
const posting = (scope: Scope) =>
  linesOf(scope)
    .modify(ofNoDeposit)
    .where((some) => some.where('line_net', '<>', 0).orWhere('margin_vat', '<>', 0));

async function linesWithoutGroup(scope: Scope): Promise<Violation[]> {
  const rows = await posting(scope)
    .select('l.id')
    .whereNull('l.turnover_group_id')
    .orderBy('l.id')
    .limit(MOST_LINES);
  return rows.map(({ id }) => missing('turnover_group_id', 'orderline', id));
}

async function groupsWithoutAccount(scope: Scope): Promise<Violation[]> {
  const { incomplete, account } = scope.ledger;
  if (incomplete.length === 0) return [];
  const needed = [
    ...(await accountsOfLines(scope)),
    ...(await accountsOfCosts(scope)),
    ...(await accountsOfCredits(scope)),
  ];
  // Several types of order may need the same account.
  const byName = new Map(needed.map((one) => [`${one.group} ${one.field}`, one]));
  return [...byName.values()]
    .filter((one) => account(one) === undefined)
    .sort((one, other) => Number(one.group) - Number(other.group))
    .map(({ group, field }) => missing(field, 'turnovergroup', group));
}

/** The accounts of groups for the nets of lines. */
async function accountsOfLines(scope: Scope): Promise<AccountField[]> {
  const lines = posting(scope).whereIn('turnover_group_id', [...scope.ledger.incomplete]);
  const rows = await selected(lines.distinct(), {
    ...columns(OrderLine, 'l', 'turnover_group_id', 'line_kind'),
    ...TYPES,
  });
  return rows.map((row) => lineAccount(row, isOfPurchase(row), scope.ledger));
}

/** The accounts of groups for the cost of goods from stock. */
async function accountsOfCosts(scope: Scope): Promise<AccountField[]> {
  const { incomplete, hasStock } = scope.ledger;
  const groups = incomplete.filter(hasStock);
  if (groups.length === 0) return [];
  const rows = await linesOfSide(scope, 'sale')
    .modify(ofNoDeposit)
    .distinct('turnover_group_id')
    .whereIn('turnover_group_id', groups)
    .whereNot('l.purchase_price', 0)
    .whereNot('l.quantity', 0);
  return rows.map(({ turnover_group_id }) => ({ group: turnover_group_id, field: 'cost_ledger_account' }));
}

/** The accounts of groups for the cost of cars that credit notes take back. */
async function accountsOfCredits(scope: Scope): Promise<AccountField[]> {
  const { incomplete, hasStock } = scope.ledger;
  if (!incomplete.some(hasStock)) return [];
  const rows = inOrder(scope, [Order.resource, 'book_date'], [CREDIT, BEHIND_INVOICE], (orders) =>
    orders.where({ 'orders.is_invoiced': 1, 'orders.order_type': INTERNAL_REVERSAL }),
  );
  const needed: AccountField[] = [];
  for await (const notes of rows) {
    const costsOf = await readCarCosts(scope, notes);
    for (const note of notes) {
      const [cars, purchase] = [costsOf(note), isBought(note)];
      if (!cars || !scope.journals.has(purchase ? PURCHASES : SALES)) continue;
      for (const line of cars.unstocked) if (posts(line)) needed.push(lineAccount(line, purchase, NO_STOCK));
      for (const { turnover_group_id: group } of cars.returned)
        if (hasStock(group)) needed.push({ group, field: 'cost_ledger_account' });
    }
  }
  return needed;
}
const CREDIT = columns(Order, Order.tableName, 'order_type', 'credited_order_id');

/** Whether a line posts to an account of its group. If it has no group, `linesWithoutGroup` names the line. */
const posts = ({ turnover_group_id, line_net, margin_vat }: LineToBook): boolean =>
  turnover_group_id !== null && [line_net, margin_vat].some((amount) => cents(amount ?? '0') !== 0n);

async function missingOfGarage(scope: Scope): Promise<Violation[]> {
  const found: Violation[] = [];
  for (const [account, isNeeded] of NEEDS) {
    if (scope.ledger.account(account) !== undefined || !(await isNeeded(scope))) continue;
    found.push(missing(account.field, 'owner', scope.garage.owner));
  }
  const isUnsaid = regimesIn(scope).some((regime) => isGlobal(regime) && regime.vat_period === null);
  if (isUnsaid && (await hasMarginEntry(scope)))
    found.push(missing('vat_period', 'owner', scope.garage.owner));
  return found;
}

const has = async (query: { first(): PromiseLike<unknown> }): Promise<boolean> =>
  (await query.first()) !== undefined;

const of = (side: Side) => (side === 'purchase' ? ofPurchases : ofSales);

const hasParty = async (scope: Scope, side: Side) =>
  (await has(invoicesOf(scope).select('o.id').modify(ofJournals(scope)).modify(of(side)))) ||
  has(paymentsOf(scope).select('p.id').modify(of(side)));

/**
 * Lines with VAT on their invoice. The VAT of a line may be 0 while its invoice has VAT, which is rounded for all lines
 * together.
 */
const withVat = (scope: Scope, side: Side, code: number, column: string) =>
  linesOfSide(scope, side)
    .where('l.vat_code', code)
    .where((some) => some.whereNot('l.line_vat', 0).orWhereNot(`o.${column}`, 0));

/** Lines of purchases if the garage itself owes their VAT. */
const charged = (scope: Scope) =>
  linesOfSide(scope, 'purchase')
    .whereIn('l.vat_code', [...OWED_BY_BUYER])
    .whereNot('l.line_net', 0);

const hasInputVat = async (scope: Scope): Promise<boolean> => {
  for (const { code, vat } of SUMMED) if (await has(withVat(scope, 'purchase', code, vat))) return true;
  return has(charged(scope));
};

/** Whether the journal has a sale with VAT within its margin on the days of these regimes. */
export const hasMarginSale = (scope: Scope, regimes: readonly Regime[]): Promise<boolean> =>
  has(linesOfSide(scope, 'sale').whereNot('l.margin_vat', 0).modify(onDays(scope, regimes)));

/** Whether the journal may have an entry for the margins of a period or a year. */
const hasMarginEntry = async (scope: Scope): Promise<boolean> =>
  scope.journals.has(MARGIN) &&
  scope.ledger.account(MARGIN_TURNOVER) !== undefined &&
  countsOverPeriods(scope) &&
  has(linesByCode(scope, [vatcodes.MARGIN], true).select('l.id'));

/** The accounts of the garage. The function tells whether the period needs the account. */
const NEEDS: readonly (readonly [AccountField, isNeeded: (scope: Scope) => Promise<boolean>])[] = [
  [DEBTORS, (scope) => hasParty(scope, 'sale')],
  [CREDITORS, (scope) => hasParty(scope, 'purchase')],
  ...SUMMED.map(
    ({ code, vat, account: field }) =>
      [
        { field },
        async (scope: Scope) =>
          (await has(withVat(scope, 'sale', code, vat))) ||
          (field === VAT_HIGH.field && (await has(charged(scope)))),
      ] as const,
  ),
  [INPUT_VAT, hasInputVat],
  [
    MARGIN_VAT,
    async (scope) => {
      const regimes = regimesIn(scope).filter((regime) => !isGlobal(regime));
      return (await hasMarginSale(scope, regimes)) || hasMarginEntry(scope);
    },
  ],
  [DEPOSITS, (scope) => has(linesOf(scope).modify(ofDeposits).whereNot('line_net', 0))],
  [ROUNDING, (scope) => has(paymentsOf(scope).whereNot('p.rounding', 0))],
  ...METHODS.map(
    (method) =>
      [accountOf(method, false), (scope: Scope) => has(paymentsOf(scope).where('p.method', method))] as const,
  ),
];
