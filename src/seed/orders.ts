// Plans the orders of a slice and makes them. Types and states come in a fixed cycle, so that sixty orders in a row
// hold all of them.
import type { Order } from '../resources/order.ts';
import { LISTS } from '../trade/lists.ts';
import { instantAt, midnight, quarterAfterOpening, shareOf } from './calendar.ts';
import type { ContactRecord } from './contacts.ts';
import { depositOf, isDepositPlace, plannedTarget } from './deposits.ts';
import {
  bpmLines,
  codeAbroad,
  creditLines,
  type LineDraft,
  purchaseLines,
  saleLines,
  settle,
  withVat,
  workLines,
} from './lines.ts';
import { COMPLAINTS, REMARKS } from './names.ts';
import type { Random } from './random.ts';
import type { Setup } from './setup.ts';
import { type Fleet, isForSale, type Pair } from './vehicles.ts';
import type { Draft } from './writer.ts';

const { WORKSHOP, VEHICLE_SALES, VEHICLE_PURCHASE, INTERNAL_REVERSAL, BPM } = LISTS.ordertypes;
const { QUOTATION, ORDER, PLANNED, IN_PROGRESS, WAITING, READY, INVOICE, CANCELLED } = LISTS.orderstatuses;
const { PERSON } = LISTS.contactkinds;
const { SUPPLIER_INVOICE, SELF_BILLED, STATEMENT } = LISTS.purchaseproofs;
/** The types of ten orders in a row, by place; all others are work. */
const TYPES = new Map<number, number>([
  [1, VEHICLE_SALES],
  [4, INTERNAL_REVERSAL],
  [7, VEHICLE_PURCHASE],
  [9, BPM],
]);
/** The part of its mileage that a car had when the work of a seed begins. */
const FIRST_SHARE = 0.6;
const LEASED_PLACE = 5;
const DAYS_IN_THE_MAIL = 2;
const OPEN = [QUOTATION, ORDER, PLANNED, IN_PROGRESS, WAITING, READY, CANCELLED];

export interface Plan {
  readonly type: number;
  readonly status: number;
  /** When the order was invoiced, or else made. Rises from plan to plan. */
  readonly at: Date;
  /** Work, unless the sale of a car follows: then the deposit of that sale. */
  readonly isDeposit: boolean;
}

/** Plans the orders `from` up to `to`, counted from 0, of `all` orders. */
export function planOrders(random: Random, from: number, to: number, all: number): Plan[] {
  return Array.from({ length: to - from }, (_, place) => {
    const index = from + place;
    const type = TYPES.get(index % 10) ?? WORKSHOP;
    // 3, 7 and 10 share no divisor, so that each type comes in each state.
    const status = index % 3 === 2 ? INVOICE : (OPEN[index % 7] ?? ORDER);
    return { type, status, at: instantAt((index + random.next()) / all), isDeposit: isDepositPlace(index) };
  });
}

/** An order with its lines. */
export interface Sheet {
  readonly plan: Plan;
  readonly order: Draft<typeof Order>;
  readonly lines: LineDraft[];
  /** Who gets the invoice. */
  readonly buyer: ContactRecord;
  /** Whose order it is: the buyer, unless another contact pays. */
  readonly customer: ContactRecord;
  readonly car: Pair['car'];
  /** The invoice that this credit note takes back. */
  readonly credited?: Sheet;
  /** The sale that this deposit is paid for. */
  readonly target?: Sheet;
}

interface World extends Fleet {
  readonly setup: Setup;
  /** The customers who come to the workshop. */
  readonly regulars: readonly Pair[];
}

/** The cars that wait for the invoices of this slice. */
interface Waiting {
  readonly sold: Pair[];
  readonly purchased: Pair[];
}

/** Makes the orders in the order of their plans. Each invoice of the workshop is credited once at most. */
export function makeOrders(random: Random, plans: readonly Plan[], world: World): Sheet[] {
  const waiting: Waiting = { sold: [...world.sold], purchased: [...world.purchased] };
  const creditable: Sheet[] = [];
  const made = new Map<Plan, Sheet>();
  const settled = (sheet: Sheet) => {
    const { order, lines, buyer } = sheet;
    const settling = settlingOf(order);
    Object.assign(order, settle(lines, world.setup, settling, codeAbroad(buyer, settling.order_type)));
    return sheet;
  };
  return plans.map((plan, index) => {
    const early = made.get(plan);
    if (early) return early;
    const targetPlan = plannedTarget(plans, index);
    if (targetPlan) {
      const target = settled(makeOrder(random, targetPlan, world, waiting));
      made.set(targetPlan, target);
      return depositOf(plan, target, world.setup);
    }
    const credited = plan.type === INTERNAL_REVERSAL ? creditable.shift() : undefined;
    const sheet = settled(
      credited ? credit(random, plan, credited) : makeOrder(random, plan, comingTo(world, index), waiting),
    );
    const { order } = sheet;
    if (order.order_type === WORKSHOP && plan.status === INVOICE) creditable.push(sheet);
    return sheet;
  });
}

/** One order of ten is for a leased car, if it is work. */
const comingTo = (world: World, index: number): World =>
  index % 10 === LEASED_PLACE
    ? { ...world, regulars: world.regulars.filter(({ payer }) => payer !== undefined) }
    : world;

/** The values of an order that decide about the amounts of its lines. */
const settlingOf = ({ order_type = WORKSHOP, vehicle_id = null, is_vat_included = 0 }: Sheet['order']) => ({
  order_type,
  vehicle_id,
  is_vat_included,
});

function credit(random: Random, plan: Plan, credited: Sheet): Sheet {
  const { contact_id, invoice_contact_id, vehicle_id, employee_id, is_vat_included, reference } =
    credited.order;
  const same = { contact_id, invoice_contact_id, vehicle_id, employee_id, is_vat_included, reference };
  const order = {
    ...same,
    order_type: plan.type,
    order_status: plan.status,
    order_date: quarterAfterOpening(plan.at, 0),
    description: 'Creditnota: coulance, excuses aangeboden 🙏',
  };
  return {
    plan,
    order,
    lines: creditLines(random, credited.lines),
    buyer: credited.buyer,
    customer: credited.customer,
    car: credited.car,
    credited,
  };
}

function makeOrder(random: Random, plan: Plan, world: World, waiting: Waiting): Sheet {
  const { car, contact, payer, lines, ...content } = contentOf(random, plan, world, waiting);
  const buyer = payer ?? contact;
  const isConsumer = buyer.contact_kind === PERSON && content.order_type !== VEHICLE_PURCHASE;
  const order = {
    ...content,
    is_vat_included: isConsumer ? 1 : 0,
    order_status: plan.status,
    order_date: midnight(-random.whole(0, 6), plan.at),
    contact_id: contact.id,
    invoice_contact_id: payer?.id,
    vehicle_id: car.id,
    employee_id: random.pick(world.setup.advisors).id,
    mileage: mileageAt(car, plan),
    reference:
      buyer.company_name === null ? `Klantkaart ${contact.contact_number}` : `PO-${random.digits(5)}`,
    remarks_internal: random.chance(0.15) ? random.pick(REMARKS) : null,
  };
  return { plan, order, lines: isConsumer ? lines.map(withVat) : lines, buyer, customer: contact, car };
}

/**
 * A car never runs backwards: readings rise with the time of the orders, up to the mileage of the car today. Nobody has
 * read the mileage of a car that is still to come.
 */
const mileageAt = ({ mileage }: Pair['car'], { status, at }: Plan): number | null =>
  mileage === null || !(status === READY || status === INVOICE)
    ? null
    : Math.round(mileage * (FIRST_SHARE + (1 - FIRST_SHARE) * shareOf(at)));

/** The columns and lines that depend on the type of the order. A credit note that finds no invoice becomes work. */
function contentOf(random: Random, { type, status, at }: Plan, world: World, waiting: Waiting) {
  const { setup, regulars, bought } = world;
  if (type === VEHICLE_SALES) {
    const { car } = random.pick(bought.filter(isForSale));
    const open = { car, contact: random.pick(regulars).contact };
    const { traded, ...pair }: Pair = (status === INVOICE && waiting.sold.shift()) || open;
    const lines = saleLines(random, setup, pair.car, { ...pair, traded });
    return { ...pair, lines, order_type: type, description: 'Verkoop occasion, aflevering met bloemen 💐' };
  }
  if (type === VEHICLE_PURCHASE) {
    const pair = (status === INVOICE && waiting.purchased.shift()) || random.pick(bought);
    const description = `Inkoop ${pair.car.make}, tellerstand gecontroleerd ✔`;
    const proof = proofOf(random, pair, at);
    return { ...pair, ...proof, lines: purchaseLines(pair.car), order_type: type, description };
  }
  if (type === BPM) {
    const pair = random.pick(bought);
    return { ...pair, lines: bpmLines(random), order_type: type, description: 'Bpm-aangifte import 🇪🇺' };
  }
  return {
    ...random.pick(regulars),
    lines: workLines(random, setup),
    order_type: WORKSHOP,
    description: random.pick(COMPLAINTS),
    appointment_at: quarterAfterOpening(at, random.whole(0, 14)),
    planned_out_at: quarterAfterOpening(at, random.whole(18, 37)),
  };
}

/** A private person signs a statement. A company makes out an invoice, unless it agreed that the garage does so. */
function proofOf(random: Random, { contact }: Pair, at: Date): Draft<typeof Order> {
  if (contact.contact_kind === PERSON) return { purchase_proof: STATEMENT };
  if (contact.self_billing_agreed_at !== null) return { purchase_proof: SELF_BILLED };
  const supplier_invoice_date = midnight(-DAYS_IN_THE_MAIL, at);
  return {
    purchase_proof: SUPPLIER_INVOICE,
    supplier_invoice_number: random.digits(9),
    supplier_invoice_date,
  };
}
