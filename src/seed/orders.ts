// Orders with their lines, as planned: who, which car, when, in which words. Nothing is written here.
import { LISTS } from '../trade/lists.ts';
import { databaseTime } from '../trade/timestamp.ts';
import { quarterBefore, whenOpen } from './calendar.ts';
import { known, type World } from './fleet.ts';
import type { Draft } from './insert.ts';
import { idOf } from './insert.ts';
import { bpmLines, creditLines, purchaseLines, saleLines, settle, shiftVat, workLines } from './lines.ts';
import { isCreditable, type Plan } from './plan.ts';
import type { Random } from './random.ts';
import { isForSale } from './vehicles.ts';

const { WORKSHOP, VEHICLE_SALES, VEHICLE_PURCHASE, INTERNAL_REVERSAL, BPM } = LISTS.ordertypes;
const { INVOICE, QUOTATION, CANCELLED } = LISTS.orderstatuses;

const COMPLAINTS = [
  'Grote beurt + APK 🔧',
  'Remmen piepen bij lage snelheid, klant Zoë belt terug ☎️',
  'Motorstoring: lampje brandt sinds gisteren ⚠️',
  'Airco koelt niet meer — gaarne controleren vóór de vakantie ☀️',
  'Winterbanden monteren, zomerset in opslag ❄️',
  "Ruit gesprongen na steenslag, schade via verzekering 'Écht Zeker'",
  'Kleine beurt; olie op peil & ruitenwissers vervangen',
  'Geräusch vorne links beim Bremsen – Kunde: Herr Größmann',
];
const SALE_WORDS = [
  'Verkoop occasion, aflevering met bloemen 💐',
  'Rijklaar geleverd, inclusief garantie één jaar',
];
const INTERNAL_REMARKS = ['Leenauto meegegeven 🚙', 'Korting besproken met René', 'Sleutel in kluis nº 7 🔑'];

/** An order and its lines; `buyer` is who gets the invoice. */
export interface Sheet {
  readonly plan: Plan;
  readonly order: Draft;
  readonly lines: readonly Draft[];
  readonly buyer: Draft;
  /** The invoice that this credit note takes back. */
  readonly credits?: Sheet;
}

/** Makes the sheets of the plans, in their order. Takes what is credited out of `creditable`, adds new invoices. */
export function fillIn(random: Random, plans: readonly Plan[], world: World, creditable: Sheet[]): Sheet[] {
  return plans.map((plan) => {
    const sheet =
      plan.type === INTERNAL_REVERSAL ? credit(random, plan, creditable) : fresh(random, plan, world);
    Object.assign(sheet.order, settle(sheet.lines, plan.type === INTERNAL_REVERSAL));
    if (plan.status === INVOICE && isCreditable(plan.type)) creditable.push(sheet);
    return sheet;
  });
}

/** Names the invoice that a credit note takes back. To be called once that is written. */
export function referToInvoice({ order, credits }: Sheet): void {
  if (!credits) return;
  order.credited_order_id = idOf(credits.order);
  order.description = `Creditnota op ${credits.order.invoice_number}: coulance, excuses aangeboden 🙏`;
}

function fresh(random: Random, plan: Plan, world: World): Sheet {
  const { catalogue } = world;
  const make = MAKERS[plan.type];
  if (!make) throw new Error(`No orders are made of type ${plan.type}`);
  const { car, contact, payer, lines, ...words } = make(random, plan, world);
  const buyer = payer ?? contact;
  const started = plan.status === INVOICE ? random.whole(0, 6) : 0;
  const order: Draft = {
    ...base(plan),
    ...words,
    order_date: quarterBefore(plan.at, started),
    contact_id: idOf(contact),
    invoice_contact_id: payer ? idOf(payer) : null,
    vehicle_id: idOf(car),
    employee_id: random.pick(catalogue.advisors).id ?? null,
    mileage: typeof car.mileage === 'number' ? Math.round(car.mileage * (0.55 + random.next() * 0.45)) : null,
    reference: buyer.company_name && random.chance(0.6) ? `PO-${random.whole(10_000, 99_999)}` : null,
    remarks_internal: random.chance(0.15) ? random.pick(INTERNAL_REMARKS) : null,
  };
  return { plan, order, lines: buyer.is_vat_shifted === 1 ? shiftVat(lines, catalogue) : lines, buyer };
}

interface Content {
  car: Draft;
  contact: Draft;
  payer?: Draft;
  lines: Draft[];
  description: string;
  appointment_at?: string;
  planned_out_at?: string;
}

const MAKERS: Readonly<Record<number, (random: Random, plan: Plan, world: World) => Content>> = {
  [WORKSHOP]: (random, plan, world) => {
    const { car, contact, payer } = known(random, world.pairs, world.carried.pairs, plan.progress);
    const isAgreed = plan.status !== QUOTATION && plan.status !== CANCELLED;
    const inDays = plan.status === INVOICE ? 0 : random.whole(0, 9);
    const appointment_at = whenOpen(plan.at, inDays, random.whole(0, 14));
    const planned_out_at = whenOpen(plan.at, inDays, random.whole(18, 37));
    return {
      car,
      contact,
      payer,
      lines: workLines(random, world.catalogue),
      description: random.pick(COMPLAINTS),
      ...(isAgreed ? { appointment_at, planned_out_at } : {}),
    };
  },
  [VEHICLE_SALES]: (random, plan, world) => {
    const isOpen = plan.status !== INVOICE;
    const sold = world.sold.get(plan);
    const car = sold?.car ?? random.pick(world.unsold.filter((one) => isForSale(one.car))).car;
    const contact = sold?.contact ?? someone(random, plan, world);
    const lines = saleLines(random, world.catalogue, car, isOpen);
    return { car, contact, lines, description: random.pick(SALE_WORDS) };
  },
  [VEHICLE_PURCHASE]: (random, _, world) => {
    const { car, contact } = random.pick(world.unsold);
    const lines = purchaseLines(random, world.catalogue, car);
    return {
      car,
      contact,
      lines,
      description: `Inkoop ${car.make} ${car.model}, tellerstand gecontroleerd ✔`,
    };
  },
  [BPM]: (random, plan, world) => {
    const { car } = random.pick(world.unsold);
    const lines = bpmLines(random, world.catalogue);
    return { car, contact: someone(random, plan, world), lines, description: 'Bpm-aangifte import 🇪🇺' };
  },
};

const someone = (random: Random, plan: Plan, { customers, carried }: World) =>
  known(random, customers, carried.customers, plan.progress);

/** Each invoice is credited once at most, so that its credit notes never exceed it. */
function credit(random: Random, plan: Plan, creditable: Sheet[]): Sheet {
  const [credits] = creditable.splice(random.whole(0, creditable.length - 1), 1);
  if (!credits) throw new Error('There is no invoice to credit');
  const { contact_id, invoice_contact_id, vehicle_id, employee_id, mileage } = credits.order;
  const order: Draft = {
    ...base(plan),
    order_date: databaseTime(plan.at),
    contact_id: contact_id ?? null,
    invoice_contact_id: invoice_contact_id ?? null,
    vehicle_id: vehicle_id ?? null,
    employee_id: employee_id ?? null,
    mileage: mileage ?? null,
  };
  const lines = creditLines(random, credits.lines, credits.plan.type === WORKSHOP);
  return { plan, order, lines, buyer: credits.buyer, credits };
}

const base = ({ type, status }: Plan): Draft => ({ order_type: type, order_status: status });
