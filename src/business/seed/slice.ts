// One slice of the orders, with the customers, cars and documents that come with them.

import { InvoiceParty } from '../../core/resources/invoice-party.ts';
import { Order } from '../../core/resources/order.ts';
import { OrderLine } from '../../core/resources/order-line.ts';
import { LISTS } from '../../core/trade/lists.ts';
import type { Parties } from '../invoicing/invoice/invoice-parties.ts';
import { addCustomer, type ContactRecord } from './contacts.ts';
import type { Part } from './drafts.ts';
import { deduct, isInvoice, numberInvoices, partiesOf, payInvoices } from './invoices.ts';
import { makeOrders, type Plan, planOrders, type Sheet } from './orders.ts';
import { times } from './random.ts';
import type { Setup } from './setup.ts';
import {
  addBoughtCar,
  addOwnCar,
  addPurchasedCar,
  addSoldCar,
  FEWEST_OWN,
  type Pair,
  serialOf,
} from './vehicles.ts';
import { addAppointments, addApproval, addDocuments, addReading, addTyres, addWork } from './workshop.ts';

const { VEHICLE_SALES, VEHICLE_PURCHASE } = LISTS.ordertypes;
const { PERSON, COMPANY } = LISTS.contactkinds;
const LEASED = 0.06;
/** Of six sales in a row the ones to dealers abroad. */
const DEALER_PLACES = [1, 3];
const MOST_REGULARS = 600;

/** The values that all slices share. */
interface Ground {
  readonly seller: Parties['seller'];
  readonly setup: Setup;
  /** The number of orders in all slices together. */
  readonly orders: number;
}

/**
 * Writes the orders `from` up to `to`, counted from 0. Customers of earlier slices, the `regulars`, come back. Answers
 * the regulars of the next slice.
 */
export async function addSlice(
  part: Part,
  ground: Ground,
  { from, to, regulars: earlier }: { from: number; to: number; regulars: readonly Pair[] },
): Promise<readonly Pair[]> {
  const { drafts, random } = part;
  const { seller, setup, orders } = ground;
  const plans = planOrders(random, from, to, orders);
  const { own, bought, traded } = await addFleet(part, plans, setup);
  const regulars = [...earlier, ...own];
  const sheets = makeOrders(random, plans, { setup, regulars, bought, traded });
  const invoices = sheets.filter(isInvoice);
  await numberInvoices(part, seller, invoices);
  sheets.forEach(deduct);
  payInvoices(part, invoices);
  addOrders(part, sheets, ground);
  addAppointments(part, sheets, setup, { from, all: orders });
  const firstSet = await drafts.reserve('tyreset', 0);
  for (const [index, pair] of own.entries()) addTyres(part, pair, firstSet + index);
  await addDocuments(part, Math.max(6, Math.round(plans.length / 50)), { pairs: own, sheets });
  await drafts.write();
  return regulars.slice(-MOST_REGULARS);
}

/** Adds the orders with all that hangs on them. */
function addOrders(part: Part, sheets: readonly Sheet[], { seller, setup }: Ground): void {
  const { drafts } = part;
  for (const sheet of sheets) {
    const { order, lines, plan } = sheet;
    addWork(part, sheet, setup);
    drafts.add(Order, order);
    for (const line of lines) drafts.add(OrderLine, Object.assign(line, { order_id: order }));
    addReading(part, sheet);
    const approval_number = addApproval(part, sheet, plan.index % 4 === 3);
    if (isInvoice(sheet)) drafts.add(InvoiceParty, partiesOf(seller, sheet, approval_number));
  }
}

/** Writes the customers of the slice, each with a car: their own, or one that the garage bought, buys or sells. */
async function addFleet(part: Part, plans: readonly Plan[], { leaseCompanies, dealers }: Setup) {
  const { drafts, random } = part;
  let number = await drafts.reserve('contact', 0);
  const newcomer = (): ContactRecord => {
    number += 1;
    return addCustomer(part, number - 1, leaseCompanies);
  };
  const year = Number(plans[0]?.at.getUTCFullYear());
  const own = times(Math.max(FEWEST_OWN, Math.round(plans.length / 6)), (nth) => {
    // A lease company pays for the first car, and for some others.
    const payer = nth === 0 || random.chance(LEASED) ? random.pick(leaseCompanies) : undefined;
    return addOwnCar(part, { contact: newcomer(), payer }, year, nth);
  });
  const bought = times(Math.max(3, Math.round(plans.length / 12)), (nth) =>
    addBoughtCar(part, newcomer(), nth),
  );
  const invoicesOf = (type: number) => plans.filter((plan) => plan.type === type && isInvoice({ plan }));
  const sold = invoicesOf(VEHICLE_SALES).map((plan, nth): [Plan, Pair] => {
    const customer = newcomer();
    const dealer = dealers[DEALER_PLACES.indexOf(nth % 6)];
    const contact = dealer ?? customer;
    // Every second buyer trades a car in, if that is a private person.
    const isTradeIn = nth % 2 === 0 && contact.contact_kind === PERSON;
    const traded = isTradeIn ? addPurchasedCar(part, contact, plan.at, serialOf(newcomer())).car : undefined;
    return [plan, addSoldCar(part, { contact, traded }, plan.at, dealer !== undefined, serialOf(customer))];
  });
  // A lease company, a company, a private person and the dealers abroad sell in turn.
  const contacts = [...own, ...bought].map(({ contact }) => contact);
  const of = (kind: number) => contacts.filter(({ contact_kind }) => contact_kind === kind);
  const groups = [leaseCompanies, of(COMPANY), of(PERSON), ...dealers.map((dealer) => [dealer])];
  const sellers = groups.filter(({ length }) => length > 0);
  const purchased = invoicesOf(VEHICLE_PURCHASE).map((plan, nth): [Plan, Pair] => {
    const seller = random.pick(sellers[nth % sellers.length] ?? contacts);
    return [plan, addPurchasedCar(part, seller, plan.at, serialOf(newcomer()))];
  });
  await drafts.write();
  return { own, bought, traded: new Map([...sold, ...purchased]) };
}
