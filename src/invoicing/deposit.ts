// Deposits: invoices that a buyer pays before the order is an invoice. A deposit names its order, the target. All
// deposits of an order together never exceed the order. A deposit can't become an invoice after its order did.

import { problem, type Violation, violation } from '../errors.ts';
import { refuse } from '../model/check.ts';
import { claimRecord, type Identified, lockRecord, lockRecords } from '../model/find.ts';
import { sumOf } from '../model/fragment.ts';
import type { Garage } from '../model/garage.ts';
import { changeAlong } from '../model/store.ts';
import { Order, type OrderChange, type OrderRow } from '../resources/order.ts';
import { OrderLine } from '../resources/order-line.ts';
import { isDeposit, takesDeposits } from '../trade/deposit.ts';
import { LISTS } from '../trade/lists.ts';
import { frozenState } from '../trade/order-status.ts';
import { payerOf } from '../trade/payer.ts';
import { cents } from '../trade/totals.ts';
import { readRestOfLines } from './credit-rest.ts';

const { CANCELLED } = LISTS.orderstatuses;
const { INTERNAL_REVERSAL } = LISTS.ordertypes;
const { HIGH, LOW } = LISTS.vatcodes;

/** The validation that refuses deposits of more than their order. */
export const EXCEEDS_ORDER = 'deposit exceeds the order';
export const NO_TARGET = 'sale or workshop order';

/** Refuses to cancel an order if the buyer has paid, or must pay, a deposit for it. */
export const HELD_BY_DEPOSIT = violation('record_held', { field: 'id', resource: 'order' });

/** Net and VAT in cents. */
export interface Taxed {
  readonly net: bigint;
  readonly vat: bigint;
}

/** Net and VAT of each VAT code, in cents. */
type ByCode = ReadonlyMap<number, Taxed>;

export const grossOf = ({ net, vat }: Taxed): bigint => net + vat;

/** An invoiced deposit, and its rest after its credit notes. */
export interface Deposit {
  readonly order: OrderRow & Identified;
  readonly rest: ByCode;
}

/** Locks and writes the order that deposits are paid for, so that other deposits of the order wait. Throws Problem. */
export async function claimTarget(garage: Garage, id: number): Promise<OrderRow | undefined> {
  const target = await lockRecord(garage, Order.resource, id);
  if (!target) return undefined;
  const state = frozenState(target.order_status);
  if (state !== undefined) throw problem('record_frozen', { resource: 'order', state });
  await claimRecord(garage, Order.resource, id);
  return target;
}

/** Whether the order takes deposits: it is a sale or work, and not itself a deposit. */
export const isTarget = (order: OrderRow): boolean => takesDeposits(order.order_type) && !isDeposit(order);

/** Called when an order is invoiced. A deposit must fit its target as the target is now. Throws Problem. */
export async function demandFittingDeposit({ next, garage }: OrderChange): Promise<void> {
  if (!isDeposit(next) || next.deposit_of_order_id === null) return;
  const target = await claimTarget(garage, next.deposit_of_order_id);
  if (!target) return;
  const wrong = (field: keyof OrderRow & string, value: unknown, validation: string) =>
    violation('value_invalid', { field, value, validation });
  const invoiced = (await readDeposits(garage, target.id)).filter(
    ({ id, is_invoiced }) => is_invoiced === 1 && id !== next.id,
  );
  const taken = await sumOfDeposits(garage, invoiced);
  const found: Violation[] = [];
  if (!isTarget(target)) found.push(wrong('deposit_of_order_id', target.id, NO_TARGET));
  if (payerOf(next) !== payerOf(target))
    found.push(wrong('invoice_contact_id', next.invoice_contact_id, 'payer of the order'));
  if (taken + cents(next.total_gross ?? '0') > cents(target.total_gross ?? '0'))
    found.push(wrong('total_gross', Number(next.total_gross), EXCEEDS_ORDER));
  refuse(found);
}

/** The deposits of an order, without cancelled ones. */
export const readDeposits = (garage: Garage, target: number): Promise<OrderRow[]> =>
  Order.of(garage)
    .where('deposit_of_order_id', target)
    .whereNot('order_status', CANCELLED)
    .orderBy('id')
    .castTo<OrderRow[]>()
    .then((rows) => rows.filter(isDeposit));

/** The sum of these deposits less their credit notes, in cents. */
export async function sumOfDeposits(garage: Garage, deposits: readonly OrderRow[]): Promise<bigint> {
  const credits = await readCredits(garage, deposits);
  return [...deposits, ...credits].reduce((sum, { total_gross }) => sum + cents(total_gross ?? '0'), 0n);
}

/** The credit notes of these orders, only those that are invoices. */
async function readCredits(garage: Garage, orders: readonly OrderRow[]): Promise<OrderRow[]> {
  if (orders.length === 0) return [];
  return Order.of(garage)
    .whereIn(
      'credited_order_id',
      orders.map(({ id }) => id),
    )
    .where({ order_type: INTERNAL_REVERSAL, is_invoiced: 1 })
    .castTo<OrderRow[]>();
}

/** Net and VAT of each of these orders, by VAT code. */
export async function readByCode(garage: Garage, orders: readonly OrderRow[]): Promise<Map<number, ByCode>> {
  const rows = await OrderLine.of(garage)
    .select('order_id', 'vat_code', sumOf('line_net', 'net'))
    .whereIn(
      'order_id',
      orders.map(({ id }) => id),
    )
    .groupBy('order_id', 'vat_code')
    .castTo<{ order_id: number; vat_code: number; net: string }[]>();
  return new Map(
    orders.map((order) => {
      const codes = rows.filter(({ order_id }) => order_id === order.id);
      return [order.id, new Map(codes.map(({ vat_code, net }) => [vat_code, taxed(order, vat_code, net)]))];
    }),
  );
}

/** The order has the VAT of the high and the low rate. Other codes have no VAT. */
function taxed({ vat_high, vat_low }: OrderRow, code: number, net: string): Taxed {
  const vat = code === HIGH ? vat_high : code === LOW ? vat_low : '0';
  return { net: cents(net), vat: cents(String(vat)) };
}

/**
 * Locks the deposits of an order. The caller has locked the order. Invoiced deposits are also written, so that their
 * credit notes wait. Returns the invoiced deposits with a rest, and the open deposits: those that are no invoices yet.
 */
export async function claimDeposits(
  garage: Garage,
  target: number,
): Promise<{ invoiced: readonly Deposit[]; open: readonly (OrderRow & Identified)[] }> {
  const ids = (await readDeposits(garage, target)).map(({ id }) => id);
  if (ids.length === 0) return { invoiced: [], open: [] };
  const rows = (await lockRecords(garage, Order.resource, 'id', ids)).sort((one, other) => one.id - other.id);
  const orders = rows.filter(({ is_invoiced }) => is_invoiced === 1);
  for (const { id } of orders) await claimRecord(garage, Order.resource, id);
  const credits = await readCredits(garage, orders);
  const byCode = await readByCode(garage, [...orders, ...credits]);
  const invoiced = orders.map((order): Deposit => {
    const own = credits.filter(({ credited_order_id }) => credited_order_id === order.id);
    return { order, rest: sumOfCodes([order, ...own].flatMap(({ id }) => byCode.get(id) ?? [])) };
  });
  return {
    invoiced: invoiced.filter(({ rest }) => rest.size > 0),
    open: rows.filter(({ is_invoiced, order_status }) => is_invoiced === 0 && order_status !== CANCELLED),
  };
}

/** Adds up the amounts by code. Leaves out codes with a sum of 0. */
function sumOfCodes(all: readonly ByCode[]): ByCode {
  const sums = new Map<number, Taxed>();
  for (const [code, { net, vat }] of all.flatMap((codes) => [...codes])) {
    const before = sums.get(code) ?? { net: 0n, vat: 0n };
    sums.set(code, { net: before.net + net, vat: before.vat + vat });
  }
  return new Map([...sums].filter(([, { net, vat }]) => net !== 0n || vat !== 0n));
}

/**
 * Cancels deposits that are no invoices. Their order is an invoice or cancelled, so nobody has to pay them. Their
 * appointments and running time end as those of any cancelled order.
 */
export async function cancelDeposits(
  garage: Garage,
  open: readonly (OrderRow & Identified)[],
): Promise<void> {
  for (const previous of open) {
    const next = { ...previous, order_status: CANCELLED };
    const change = { next, previous, given: () => undefined, garage };
    await changeAlong(Order.resource, change);
  }
}

/** Called when an order is cancelled: cancels its open deposits. Throws Problem if a deposit is an invoice. */
export async function cancelWithDeposits({ next, previous, garage }: OrderChange): Promise<void> {
  const isNew = next.order_status === CANCELLED && previous?.order_status !== CANCELLED;
  if (!isNew || !isTarget(next)) return;
  const { invoiced, open } = await claimDeposits(garage, next.id);
  refuse(invoiced.length > 0 ? [HELD_BY_DEPOSIT] : []);
  await cancelDeposits(garage, open);
}

/** Whether the invoice of the order deducts this deposit, and no credit note undoes the deduction. */
export async function isDeducted(garage: Garage, deposit: OrderRow): Promise<boolean> {
  const target = deposit.deposit_of_order_id;
  if (!isDeposit(deposit) || target === null) return false;
  const lines = await OrderLine.of(garage)
    .select('id')
    .where('order_id', target)
    .whereIn('credited_line_id', OrderLine.of(garage).select('id').where('order_id', deposit.id));
  if (lines.length === 0) return false;
  const rest = await readRestOfLines(garage, target, { invoicedOnly: true });
  return lines.some(({ id }) => rest.get(id)?.quantity !== 0n);
}
