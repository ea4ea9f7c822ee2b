// Plans the orders of a slice: when, which type and which state, and the car, the contact and the lines of each. Types
// and states come in a fixed cycle: sixty orders in a row hold all of them.
import type { Order } from '../../core/resources/order.ts';
import type { OrderLine } from '../../core/resources/order-line.ts';
import { LISTS } from '../../core/trade/lists.ts';
import type { Line } from '../../core/trade/totals.ts';
import type { Parties } from '../invoicing/invoice/invoice-parties.ts';
import { instantAt, midnight, quarterAfterOpening } from './calendar.ts';
import { type ContactRecord, isPerson } from './contacts.ts';
import type { Draft, Part } from './drafts.ts';
import { COMPLAINTS, IN_ZURICH, LINE_REMARKS } from './names.ts';
import { inTurn, type Random, times } from './random.ts';
import { type ArticleRecord, articleColumns, type Setup } from './setup.ts';
import { isForSale, isUnderMargin, type Pair, type VehicleRecord } from './vehicles.ts';

const { WORKSHOP, VEHICLE_SALES, VEHICLE_PURCHASE, INTERNAL_REVERSAL, BPM } = LISTS.ordertypes;
const { QUOTATION, ORDER, PLANNED, IN_PROGRESS, WAITING, READY, INVOICE, CANCELLED } = LISTS.orderstatuses;
const { SUPPLIER_INVOICE, SELF_BILLED, STATEMENT } = LISTS.purchaseproofs;
const { HIGH, REVERSE_CHARGE, MARGIN, OUTSIDE, INTRA_COMMUNITY, EXPORT } = LISTS.vatcodes;
const { LITRE, HOUR } = LISTS.unittypes;
const KINDS = LISTS.linekinds;
/** The types of ten orders in a row, by place; all others are work. */
const TYPES: Record<number, number> = { 1: VEHICLE_SALES, 4: INTERNAL_REVERSAL, 7: VEHICLE_PURCHASE, 9: BPM };
const OPEN = [QUOTATION, ORDER, PLANNED, IN_PROGRESS, WAITING, READY, CANCELLED];
/** One of ten orders in a row is for a leased car, if the order is work. */
const LEASED_PLACE = 5;
const DAYS_IN_THE_MAIL = 2;

/** One transaction of orders: the orders `from` up to `to`, counted from 0, of `all`. */
export interface Slice extends Part {
  readonly seller: Parties['seller'];
  readonly setup: Setup;
  readonly from: number;
  readonly to: number;
  readonly all: number;
}

/** A slice with those who may stand on its orders. */
export interface World extends Slice {
  /** The customers who come to the workshop. */
  readonly regulars: readonly Pair[];
  /** The cars that the garage bought. Some are for sale. */
  readonly bought: readonly Pair[];
  /** The cars that invoices sell or buy. */
  readonly traded: ReadonlyMap<Plan, Pair>;
}

export interface Plan {
  readonly index: number;
  readonly type: number;
  readonly status: number;
  /** When the order was invoiced, or else made. Rises from plan to plan. */
  readonly at: Date;
}

export const planOrders = ({ random, from, to, all }: Slice): Plan[] =>
  times(to - from, (place) => {
    const index = from + place;
    // 3, 7 and 10 share no divisor, so that each type comes in each state.
    const status = index % 3 === 2 ? INVOICE : inTurn(OPEN, index);
    const at = instantAt((index + random.next()) / all);
    return { index, type: TYPES[index % 10] ?? WORKSHOP, status, at };
  });

export type LineDraft = Draft<typeof OrderLine> & Pick<Line, 'price' | 'vat_code'>;

/** The fields, the car and the lines of an order. They depend on its type. */
type Content = Draft<typeof Order> & { readonly pair: Pair; readonly lines: LineDraft[] };

/** A credit note that finds no invoice becomes work. */
export const contentOf = (plan: Plan, world: World): Content => (CONTENTS[plan.type] ?? work)(plan, world);

const CONTENTS: Readonly<Record<number, (plan: Plan, world: World) => Content>> = {
  [VEHICLE_SALES]: sale,
  [VEHICLE_PURCHASE]: purchase,
  [BPM]: bpm,
};

/** One to six lines, the first one labour. */
function work({ at, index }: Plan, { random, regulars, setup }: World): Content {
  const { mechanics, labour, goods } = setup;
  const leased = index % 10 === LEASED_PLACE ? regulars.filter(({ payer }) => payer) : regulars;
  const hours = articleLine(random.pick(labour), `${random.whole(1, 24) * 0.25}`);
  const lines: LineDraft[] = [{ ...hours, line_kind: KINDS.LABOUR, employee_id: random.pick(mechanics).id }];
  for (let count = random.pick([0, 1, 1, 2, 2, 2, 3, 3, 4]); count > 0; count -= 1) {
    const article = random.pick(goods);
    const isMeasured = article.unit_type === LITRE || article.unit_type === HOUR;
    const quantity = isMeasured ? random.whole(5, 64) / 10 : random.pick([1, 1, 1, 2, 4]);
    const discount_percentage = random.maybe(0.12, ['5', '10', '12.5', '25']);
    lines.push({ ...articleLine(article, `${quantity}`), discount_percentage });
  }
  if (random.chance(0.1)) lines.push(plainLine(KINDS.TEXT, random.pick(LINE_REMARKS), '0', HIGH));
  return {
    pair: random.pick(leased),
    lines,
    order_type: WORKSHOP,
    description: random.pick(COMPLAINTS),
    appointment_at: quarterAfterOpening(at, random.whole(0, 14)),
    planned_out_at: quarterAfterOpening(at, random.whole(18, 37)),
  };
}

/** A car under the margin scheme, or with VAT and its bpm, and perhaps a trade-in. */
function sale(plan: Plan, { random, setup, regulars, bought, traded: invoiced }: World): Content {
  const open = () => ({ ...random.pick(bought.filter(isForSale)), contact: random.pick(regulars).contact });
  const pair: Pair = invoiced.get(plan) ?? open();
  const { car, contact, traded } = pair;
  const isMargin = isUnderMargin(car);
  const price = isMargin ? String(car.sale_price) : (Number(car.sale_price) / 1.21).toFixed(4);
  const vehicle = plainLine(KINDS.VEHICLE, nameOf(car), price, isMargin ? MARGIN : HIGH);
  const lines: LineDraft[] = [
    { ...vehicle, vehicle_id: car.id, purchase_price: car.purchase_price },
    plainLine(KINDS.FEE, 'Kosten rijklaar maken 🧼', `${random.whole(195, 495)}`, HIGH),
  ];
  const isBpmDue = !isMargin && codeAbroad(contact, plan.type) === undefined;
  if (isBpmDue && car.bpm_amount) lines.push(plainLine(KINDS.BPM, 'Rest-bpm', car.bpm_amount, OUTSIDE));
  if (random.chance(0.5)) lines.push(articleLine(random.pick(setup.goods), '1'));
  if (traded) {
    const line = plainLine(KINDS.TRADE_IN, `Inruil ${nameOf(traded)}`, `-${traded.purchase_price}`, MARGIN);
    lines.push({ ...line, vehicle_id: traded.id });
  }
  return { pair, lines, order_type: plan.type, description: 'Verkoop occasion, aflevering met bloemen 💐' };
}

/** A car bought under the margin scheme, or with VAT. */
function purchase(plan: Plan, { random, bought, traded }: World): Content {
  const pair = traded.get(plan) ?? random.pick(bought);
  const { car } = pair;
  const code = isUnderMargin(car) ? MARGIN : HIGH;
  const line = plainLine(KINDS.VEHICLE, `Inkoop ${nameOf(car)}`, car.purchase_price ?? '0', code);
  const description = `Inkoop ${car.make}, tellerstand gecontroleerd ✔`;
  const lines = [{ ...line, vehicle_id: car.id }];
  return { pair, lines, ...proofOf(random, pair, plan.at), order_type: plan.type, description };
}

/** A private person signs a statement. A company makes out an invoice, unless it agreed that the garage does so. */
function proofOf(random: Random, { contact }: Pair, at: Date): Draft<typeof Order> {
  if (isPerson(contact)) return { purchase_proof: STATEMENT };
  if (contact.self_billing_agreed_at !== null) return { purchase_proof: SELF_BILLED };
  return {
    purchase_proof: SUPPLIER_INVOICE,
    supplier_invoice_number: random.filled('#########'),
    supplier_invoice_date: midnight(-DAYS_IN_THE_MAIL, at),
  };
}

function bpm({ type }: Plan, { random, bought }: World): Content {
  const due = `${random.whole(350, 7900)}`;
  const lines = [
    plainLine(KINDS.BPM, 'Bpm-aangifte geïmporteerd voertuig', due, OUTSIDE),
    plainLine(KINDS.FEE, 'Leges RDW-keuring', '58.80', OUTSIDE),
    plainLine(KINDS.FEE, 'Kentekenplaten (één paar)', '42.50', OUTSIDE),
  ];
  return { pair: random.pick(bought), lines, order_type: type, description: 'Bpm-aangifte import 🇪🇺' };
}

/** The code instead of HIGH and LOW: of a company abroad. Undefined: VAT is due. */
export function codeAbroad(contact: ContactRecord, order_type: number): number | undefined {
  const isPurchase = order_type === VEHICLE_PURCHASE;
  if (contact.country_id === IN_ZURICH.country_id) return isPurchase ? REVERSE_CHARGE : EXPORT;
  if (contact.is_vat_shifted === 0) return undefined;
  return isPurchase || order_type === VEHICLE_SALES ? INTRA_COMMUNITY : REVERSE_CHARGE;
}

const nameOf = ({ make, model, license_plate }: VehicleRecord) => `${make} ${model} ${license_plate}`;

const plainLine = (line_kind: number, description: string, price: string, vat_code: number): LineDraft => {
  return { line_kind, description, quantity: '1', price, vat_code };
};

function articleLine(article: ArticleRecord, quantity: string): LineDraft {
  const { price, vat_code, purchase_price } = article;
  return { ...articleColumns(article), line_kind: KINDS.ARTICLE, quantity, price, vat_code, purchase_price };
}
