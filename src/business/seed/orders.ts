// Plans the orders of a slice and makes them. Types and states come in a fixed cycle: sixty orders in a row hold all of
// them.
import type { Order } from '../../core/resources/order.ts';
import { depositsByCode } from '../../core/trade/deposit.ts';
import { LISTS } from '../../core/trade/lists.ts';
import { cents, euros } from '../../core/trade/totals.ts';
import { instantAt, midnight, quarterAfterOpening, RATE_DAY, shareOf } from './calendar.ts';
import type { ContactRecord } from './contacts.ts';
import type { Draft } from './drafts.ts';
import {
  bpmLines,
  codeAbroad,
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
import { isForSale, type Pair } from './vehicles.ts';

const { WORKSHOP, VEHICLE_SALES, VEHICLE_PURCHASE, INTERNAL_REVERSAL, BPM } = LISTS.ordertypes;
const { QUOTATION, ORDER, PLANNED, IN_PROGRESS, WAITING, READY, INVOICE, CANCELLED } = LISTS.orderstatuses;
const { PERSON } = LISTS.contactkinds;
const { SUPPLIER_INVOICE, SELF_BILLED, STATEMENT } = LISTS.purchaseproofs;
const { HIGH, LOW } = LISTS.vatcodes;
/** The types of ten orders in a row, by place; all others are work. */
const TYPES = new Map<number, number>([
  [1, VEHICLE_SALES],
  [4, INTERNAL_REVERSAL],
  [7, VEHICLE_PURCHASE],
  [9, BPM],
]);
const OPEN = [QUOTATION, ORDER, PLANNED, IN_PROGRESS, WAITING, READY, CANCELLED];
/** Of ten orders one is for a leased car, if it is work. */
const LEASED_PLACE = 5;
/** Of thirty orders these are deposits, if one of the next four orders is the sale of a car. Both are invoices. */
const DEPOSIT_PLACES: readonly number[] = [8, 20];
const NEXT_ORDERS = 4;
/** A deposit is a tenth of the sale, in steps of so many cents. */
const STEP = 5_000n;
const DAYS_IN_THE_MAIL = 2;
/** The part of its mileage that a car had when the work of a seed begins. */
const FIRST_SHARE = 0.6;

export interface Plan {
  readonly index: number;
  readonly type: number;
  readonly status: number;
  /** When the order was invoiced, or else made. Rises from plan to plan. */
  readonly at: Date;
}

/** Plans the orders `from` up to `to`, counted from 0, of `all` orders. */
export const planOrders = (random: Random, from: number, to: number, all: number): Plan[] =>
  Array.from({ length: to - from }, (_, place) => {
    const index = from + place;
    // 3, 7 and 10 share no divisor, so that each type comes in each state.
    const status = index % 3 === 2 ? INVOICE : (OPEN[index % 7] ?? ORDER);
    const at = instantAt((index + random.next()) / all);
    return { index, type: TYPES.get(index % 10) ?? WORKSHOP, status, at };
  });

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

/** Who and what may stand on an order. */
export interface World {
  readonly setup: Setup;
  /** The customers who come to the workshop. */
  readonly regulars: readonly Pair[];
  /** The cars that the garage bought. Some are for sale. */
  readonly bought: readonly Pair[];
  /** The cars that invoices sell or buy. */
  readonly traded: ReadonlyMap<Plan, Pair>;
}

/** Makes the orders in the order of their plans. Each invoice of the workshop is credited once at most. */
export function makeOrders(random: Random, plans: readonly Plan[], world: World): Sheet[] {
  const creditable: Sheet[] = [];
  const sales = new Map<Plan, Sheet>();
  return plans.map((plan, place) => {
    const sale = saleAfter(plans, place);
    if (sale) {
      const target = makeOrder(random, sale, world);
      sales.set(sale, target);
      return depositOf(plan, target, world.setup);
    }
    const credited = plan.type === INTERNAL_REVERSAL ? creditable.shift() : undefined;
    const sheet =
      sales.get(plan) ??
      (credited ? credit(random, plan, credited, world.setup) : makeOrder(random, plan, world));
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

function makeOrder(random: Random, plan: Plan, world: World): Sheet {
  const { pair, lines, ...content } = contentOf(random, plan, world);
  const { car, contact, payer } = pair;
  const buyer = payer ?? contact;
  const isConsumer = buyer.contact_kind === PERSON && content.order_type !== VEHICLE_PURCHASE;
  const order = {
    ...content,
    is_vat_included: isConsumer ? 1 : 0,
    order_date: midnight(-random.whole(0, 6), plan.at),
    ...{ contact_id: contact.id, invoice_contact_id: payer?.id, vehicle_id: car.id },
    employee_id: random.pick(world.setup.advisors).id,
    mileage: mileageAt(car, plan),
    reference:
      buyer.company_name === null ? `Klantkaart ${contact.contact_number}` : `PO-${random.digits(5)}`,
    remarks_internal: random.maybe(0.15, REMARKS),
  };
  const sheet = {
    plan,
    order,
    lines: isConsumer ? lines.map(withVat) : lines,
    buyer,
    customer: contact,
    car,
  };
  return settled(sheet, world.setup);
}

/** The columns and lines that depend on the type of the order. A credit note that finds no invoice becomes work. */
function contentOf(random: Random, plan: Plan, { setup, regulars, bought, traded }: World) {
  const { type, at, index } = plan;
  if (type === VEHICLE_SALES) {
    const open = () => ({
      car: random.pick(bought.filter(isForSale)).car,
      contact: random.pick(regulars).contact,
    });
    const pair: Pair = traded.get(plan) ?? open();
    const description = 'Verkoop occasion, aflevering met bloemen 💐';
    return { pair, lines: saleLines(random, setup, pair), order_type: type, description };
  }
  if (type === VEHICLE_PURCHASE) {
    const pair = traded.get(plan) ?? random.pick(bought);
    const description = `Inkoop ${pair.car.make}, tellerstand gecontroleerd ✔`;
    return {
      pair,
      ...proofOf(random, pair, at),
      lines: purchaseLines(pair.car),
      order_type: type,
      description,
    };
  }
  if (type === BPM)
    return {
      pair: random.pick(bought),
      lines: bpmLines(random),
      order_type: type,
      description: 'Bpm-aangifte import 🇪🇺',
    };
  const leased = index % 10 === LEASED_PLACE ? regulars.filter(({ payer }) => payer !== undefined) : regulars;
  return {
    pair: random.pick(leased),
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

/**
 * A car never runs backwards: readings rise with the time of the orders, up to the mileage of the car today. Nobody has
 * read the mileage of a car that is still to come.
 */
const mileageAt = ({ mileage }: Pair['car'], { status, at }: Plan): number | null =>
  mileage === null || !(status === READY || status === INVOICE)
    ? null
    : Math.round(mileage * (FIRST_SHARE + (1 - FIRST_SHARE) * shareOf(at)));

/** Sets the amounts of the order and of its lines. */
function settled(sheet: Sheet, setup: Setup): Sheet {
  const { plan, order, lines, buyer, car, target } = sheet;
  const { order_type = WORKSHOP, is_vat_included = 0 } = order;
  const code = target ? undefined : codeAbroad(buyer, order_type);
  const amounts = settle(
    lines,
    setup,
    { order_type, is_vat_included, vehicle_id: car.id, day: RATE_DAY },
    code,
  );
  Object.assign(order, amounts, { order_status: plan.status });
  return sheet;
}

/** What an order that follows from another one has in common with it. */
function copyOf({ order, buyer, customer, car }: Sheet, plan: Plan) {
  const { order_type, contact_id, invoice_contact_id, vehicle_id, employee_id, reference } = order;
  const same = { order_type, contact_id, invoice_contact_id, vehicle_id, employee_id, reference };
  return { same: { ...same, order_date: quarterAfterOpening(plan.at, 0) }, people: { buyer, customer, car } };
}

/** Takes back all lines of an invoice, or only the first one. */
function credit(random: Random, plan: Plan, credited: Sheet, setup: Setup): Sheet {
  const { same, people } = copyOf(credited, plan);
  const { order, lines } = credited;
  const taken = lines.slice(0, random.chance(0.4) ? 1 : undefined).map((line) => ({
    ...line,
    quantity: `-${line.quantity}`,
    credited_line_id: line,
  }));
  const description = 'Creditnota: coulance, excuses aangeboden 🙏';
  const { is_vat_included } = order;
  const note = { ...same, is_vat_included, order_type: plan.type, description, credited_order_id: order };
  return settled({ plan, order: note, lines: taken, ...people, credited }, setup);
}

/** The deposit of a settled sale. */
function depositOf(plan: Plan, target: Sheet, setup: Setup): Sheet {
  const { same, people } = copyOf(target, plan);
  const tenth = cents(String(target.order.total_gross)) / 10n;
  const amount = tenth < STEP ? STEP : tenth - (tenth % STEP);
  const lines = [...depositsByCode(amount, grossesOf(target))].map(
    ([vat_code, part]): LineDraft => ({
      ...{ line_kind: LISTS.linekinds.DEPOSIT, description: 'Aanbetaling 🤝', quantity: '1' },
      ...{ price: euros(part), discount_percentage: null, purchase_price: null, vat_code },
    }),
  );
  const order = { ...same, is_vat_included: 1, deposit_of_order_id: target.order };
  return settled({ plan, order, lines, ...people, target }, setup);
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
