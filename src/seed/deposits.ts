// Deposits of the sales of cars: an invoice of about a tenth, some days before the sale. The invoice of the sale takes
// it off.
import { depositsByCode } from '../trade/deposit.ts';
import { LISTS } from '../trade/lists.ts';
import { cents, euros } from '../trade/totals.ts';
import { quarterAfterOpening } from './calendar.ts';
import { type LineDraft, settle } from './lines.ts';
import type { Plan, Sheet } from './orders.ts';
import type { Setup } from './setup.ts';

const { VEHICLE_SALES } = LISTS.ordertypes;
const { CANCELLED, INVOICE } = LISTS.orderstatuses;
const { DEPOSIT } = LISTS.linekinds;
const { HIGH, LOW } = LISTS.vatcodes;

/** Their places in thirty orders in a row: before the sale of a car, and invoices themselves. */
const PLACES: readonly number[] = [8, 20];
const CYCLE = 30;
/** The sale is one of so many next orders. */
const NEXT_ORDERS = 4;
/** In cents. */
const STEP = 5_000n;
const SHARE = 10n;
const AMOUNTS = [
  'total_net',
  'total_vat',
  'total_gross',
  'net_high',
  'net_low',
  'vat_high',
  'vat_low',
] as const;

export const isDepositPlace = (index: number): boolean => PLACES.includes(index % CYCLE);

/** The plan of the sale that a deposit is paid for; undefined: there is none. */
export function plannedTarget(plans: readonly Plan[], index: number): Plan | undefined {
  if (!plans[index]?.isDeposit) return undefined;
  const target = plans.slice(index + 1, index + 1 + NEXT_ORDERS).find(({ type }) => type === VEHICLE_SALES);
  return target?.status === CANCELLED ? undefined : target;
}

/** The deposit of a settled sale. Takes it off the sale if the sale is an invoice. */
export function depositOf(plan: Plan, target: Sheet, setup: Setup): Sheet {
  const { order_type, contact_id, invoice_contact_id, vehicle_id, employee_id, reference } = target.order;
  const tenth = cents(String(target.order.total_gross)) / SHARE;
  const amount = tenth < STEP ? STEP : tenth - (tenth % STEP);
  const lines = [...depositsByCode(amount, grossesOf(target))].map(
    ([vat_code, part]): LineDraft => ({
      line_kind: DEPOSIT,
      description: 'Aanbetaling 🤝',
      quantity: '1',
      price: euros(part),
      discount_percentage: null,
      purchase_price: null,
      vat_code,
    }),
  );
  const order = {
    ...{ order_type, contact_id, invoice_contact_id, vehicle_id, employee_id, reference },
    is_vat_included: 1,
    order_status: plan.status,
    order_date: quarterAfterOpening(plan.at, 0),
  };
  const settling = { order_type: Number(order_type), vehicle_id: vehicle_id ?? null, is_vat_included: 1 };
  Object.assign(order, settle(lines, setup, settling, undefined));
  const { buyer, customer, car } = target;
  const deposit = { plan, order, lines, buyer, customer, car, target };
  if (target.plan.status === INVOICE) deduct(target, deposit);
  return deposit;
}

/** The gross amount of the sale for each VAT code, in cents. */
function grossesOf({ order, lines }: Sheet): Map<number, bigint> {
  const grosses = new Map<number, bigint>([
    [HIGH, cents(String(order.vat_high))],
    [LOW, cents(String(order.vat_low))],
  ]);
  for (const { vat_code, line_net } of lines)
    grosses.set(vat_code, (grosses.get(vat_code) ?? 0n) + cents(line_net ?? '0'));
  return grosses;
}

function deduct(target: Sheet, { order: deposit, lines }: Sheet): void {
  const { order } = target;
  const last = target.lines.length;
  const minus = (amount: string | null | undefined) => euros(-cents(amount ?? '0'));
  const taken = lines.map((line, index) => ({
    ...line,
    sort_order: last + index + 1,
    quantity: '-1',
    price: String(order.is_vat_included === 1 ? line.line_gross : line.line_net),
    line_net: minus(line.line_net),
    line_vat: minus(line.line_vat),
    line_gross: minus(line.line_gross),
  }));
  target.lines.push(...taken);
  for (const column of AMOUNTS)
    order[column] = euros(cents(String(order[column])) - cents(String(deposit[column])));
}

/** The orders of the deposits, which name their sales. The sales are written. */
export const depositOrders = (sheets: readonly Sheet[]): Sheet['order'][] =>
  sheets.flatMap(({ order, target }) =>
    target ? [Object.assign(order, { deposit_of_order_id: target.order.id })] : [],
  );

/** Lets the invoices of the sales name the deposits that they take off. The lines of the deposits are written. */
export function nameDeposits(sheets: readonly Sheet[]): void {
  for (const { order, lines, target } of sheets) {
    if (target?.plan.status !== INVOICE) continue;
    target.lines.slice(-lines.length).forEach((line, index) => {
      line.credited_line_id = Number(lines[index]?.id);
      line.description = `Af: aanbetaling, factuur ${order.invoice_number}`;
    });
  }
}
