// Makes the orders of a slice from their plans. The service's own rules compute the amounts.
import { Order } from '../../core/resources/order.ts';
import { OrderLine } from '../../core/resources/order-line.ts';
import { Decimal, roundTo } from '../../core/trade/decimal.ts';
import { LISTS } from '../../core/trade/lists.ts';
import { depositLines } from '../../core/trade/order-case/deposit.ts';
import { type LineToSettle, orderAmounts, settledAmounts, sumUp } from '../../core/trade/settle.ts';
import { cents, lineTotals, priceWithVat } from '../../core/trade/totals.ts';
import { percentageOn } from '../../core/trade/vat-code.ts';
import { midnight, quarterAfterOpening, RATE_DAY, shareOf } from './calendar.ts';
import { isPerson } from './contacts.ts';
import type { Draft, RecordOf } from './drafts.ts';
import { REMARKS } from './names.ts';
import { codeAbroad, contentOf, type LineDraft, type Plan, type World } from './plans.ts';
import { buyerOf, type Pair } from './vehicles.ts';

const { WORKSHOP, VEHICLE_SALES, VEHICLE_PURCHASE, INTERNAL_REVERSAL } = LISTS.ordertypes;
const { READY, INVOICE, CANCELLED } = LISTS.orderstatuses;
const { HIGH, LOW } = LISTS.vatcodes;
/** Of thirty orders these are deposits, if one of the next four orders is the sale of a car. Both are invoices. */
const DEPOSIT_PLACES = [8, 20];
const NEXT_ORDERS = 4;
/** A deposit is a tenth of the sale, in steps of so many cents. */
const STEP = 5_000n;
/** The part of its mileage that a car had when the work of a seed begins. */
const FIRST_SHARE = 0.6;

/** An order with its lines, not yet written. */
export interface Sheet {
  readonly plan: Plan;
  readonly pair: Pair;
  readonly order: RecordOf<typeof Order>;
  readonly lines: RecordOf<typeof OrderLine>[];
  /** The invoice that this credit note takes back. */
  readonly credited?: Sheet;
  /** The sale that this deposit is paid for. */
  readonly target?: Sheet;
}

/** Makes the orders in the order of their plans. Each invoice of the workshop is credited once at most. */
export function makeOrders(plans: readonly Plan[], world: World): Sheet[] {
  const creditable: Sheet[] = [];
  const sales = new Map<Plan, Sheet>();
  return plans.map((plan, place) => {
    const sale = saleAfter(plans, place);
    if (sale) {
      const target = makeOrder(sale, world);
      sales.set(sale, target);
      return depositOf(plan, target, world);
    }
    const credited = plan.type === INTERNAL_REVERSAL ? creditable.shift() : undefined;
    if (credited) return credit(plan, credited, world);
    const sheet = sales.get(plan) ?? makeOrder(plan, world);
    if (sheet.order.order_type === WORKSHOP && plan.status === INVOICE) creditable.push(sheet);
    return sheet;
  });
}

/** The plan of the sale that a deposit is paid for; undefined: there is none. */
function saleAfter(plans: readonly Plan[], place: number): Plan | undefined {
  if (!DEPOSIT_PLACES.includes(Number(plans[place]?.index) % 30)) return undefined;
  const sale = plans.slice(place + 1, place + 1 + NEXT_ORDERS).find(({ type }) => type === VEHICLE_SALES);
  return sale?.status === CANCELLED ? undefined : sale;
}

function makeOrder(plan: Plan, world: World): Sheet {
  const { random, setup } = world;
  const { pair, lines, ...content } = contentOf(plan, world);
  const { car, contact, payer } = pair;
  const isConsumer = isPerson(buyerOf(pair));
  const isVatIncluded = isConsumer && content.order_type !== VEHICLE_PURCHASE;
  // Nobody has read the mileage of a car that is still to come.
  const isRead = car.mileage !== null && (plan.status === READY || plan.status === INVOICE);
  const order = {
    ...content,
    is_vat_included: isVatIncluded ? 1 : 0,
    order_date: midnight(-random.whole(0, 6), plan.at),
    ...{ contact_id: contact.id, invoice_contact_id: payer?.id, vehicle_id: car.id },
    employee_id: random.pick(setup.advisors).id,
    mileage: isRead ? Math.round(Number(car.mileage) * mileageShareAt(plan.at)) : null,
    reference: isConsumer ? `Klantkaart ${contact.contact_number}` : random.filled('PO-#####'),
    remarks_internal: random.maybe(0.15, REMARKS),
  };
  return add(world, { plan, pair }, order, isVatIncluded ? lines.map(withVat) : lines);
}

/** The line for a consumer, whose prices include VAT, in whole cents. */
const withVat = (line: LineDraft): LineDraft => ({
  ...line,
  price: roundTo(new Decimal(priceWithVat(roundTo(line.price, 4), percentageOn(line.vat_code, RATE_DAY))), 2),
});

/** A car never runs backwards: readings rise with the time of the orders, up to the mileage of the car today. */
const mileageShareAt = (at: Date): number => FIRST_SHARE + (1 - FIRST_SHARE) * shareOf(at);

/** Takes back all lines of an invoice, or only the first one. */
function credit(plan: Plan, credited: Sheet, world: World): Sheet {
  const { order, lines, pair } = credited;
  const taken = lines.slice(0, world.random.chance(0.4) ? 1 : undefined);
  const back = taken.map((line) => ({ ...line, quantity: `-${line.quantity}`, credited_line_id: line }));
  const note = {
    ...sameAs(credited, plan),
    ...{ is_vat_included: order.is_vat_included, order_type: plan.type, credited_order_id: order },
    description: 'Creditnota: coulance, excuses aangeboden 🙏',
  };
  return add(world, { plan, pair, credited }, note, back);
}

/** The deposit of a sale. */
function depositOf(plan: Plan, target: Sheet, world: World): Sheet {
  const amounts = amountsOf(target);
  const tenth = cents(amounts.total_gross) / 10n;
  const amount = tenth < STEP ? STEP : tenth - (tenth % STEP);
  const order = { ...sameAs(target, plan), is_vat_included: 1, deposit_of_order_id: target.order };
  const lines = depositLines(amount, amounts, target.lines, 'Aanbetaling 🤝');
  return add(world, { plan, pair: target.pair, target }, order, lines);
}

/** What an order that follows from another one has in common with it. */
function sameAs({ order }: Sheet, plan: Plan) {
  const { order_type, contact_id, invoice_contact_id, vehicle_id, employee_id, reference } = order;
  const order_date = quarterAfterOpening(plan.at, 0);
  return { order_type, contact_id, invoice_contact_id, vehicle_id, employee_id, reference, order_date };
}

/** Adds an order with its lines, and sets the state, the turnover groups and the amounts. */
function add(
  { drafts, setup }: World,
  origin: Omit<Sheet, 'order' | 'lines'>,
  draft: Draft<typeof Order>,
  lines: readonly LineDraft[],
): Sheet {
  const { plan, pair, target } = origin;
  const order = drafts.add(Order, { ...draft, order_status: plan.status });
  const code = target ? undefined : codeAbroad(buyerOf(pair), order.order_type);
  const added = lines.map((given, index) => {
    const line = drafts.add(OrderLine, { ...given, order_id: order, sort_order: index + 1 });
    const isTaxed = line.vat_code === HIGH || line.vat_code === LOW;
    if (isTaxed && code !== undefined) Object.assign(line, { vat_code: code, turnover_group_id: null });
    line.turnover_group_id ??= setup.groups.find(({ vat_code }) => vat_code === line.vat_code)?.id ?? null;
    const percentage = percentageOn(line.vat_code, RATE_DAY);
    return Object.assign(line, lineTotals(line, percentage, order.is_vat_included === 1));
  });
  const sheet = { ...origin, order, lines: added };
  for (const [index, amounts] of settledAmounts(added, dated(order)).entries())
    Object.assign(added[index] ?? {}, amounts);
  Object.assign(order, amountsOf(sheet));
  return sheet;
}

const dated = (order: Sheet['order']) => ({ ...order, day: RATE_DAY });

/** The amounts of an order from those of its lines. */
export const amountsOf = ({ order, lines }: Sheet) =>
  orderAmounts(sumUp(lines as LineToSettle[], dated(order)));
