// Fills a garage with records as years of work would leave them. Each slice of orders is one transaction with random
// numbers of its own: memory stays flat, and a slice that is tried again after a deadlock comes out the same.
import { problem } from '../../core/errors.ts';
import { findRecord } from '../../core/model/lists/find.ts';
import { columnsWithoutBytes } from '../../core/model/records/record.ts';
import { garageOf } from '../../core/model/statements/garage.ts';
import type { Database } from '../../core/model/statements/session.ts';
import { InvoiceParty } from '../../core/resources/invoice-party.ts';
import { Owner } from '../../core/resources/owner.ts';
import { LISTS } from '../../core/trade/lists.ts';
import { keepFiles } from '../../platform/storage/unused-file.ts';
import { addCustomer, type ContactRecord, isPerson } from './contacts.ts';
import { type Counts, Drafts, type Part } from './drafts.ts';
import { deduct, isInvoice, numberInvoices, partiesOf, payInvoices } from './invoices.ts';
import { makeOrders } from './orders.ts';
import { type Plan, planOrders, type Slice } from './plans.ts';
import { inTurn, Random, times } from './random.ts';
import { setUp } from './setup.ts';
import { addBoughtCar, addOwnCar, addPurchasedCar, addSoldCar, FEWEST_OWN, type Pair } from './vehicles.ts';
import { addAppointments, addApproval, addDocuments, addReading, addTyres, addWork } from './workshop.ts';

const MOST_ORDERS_A_SLICE = 1000;
const { VEHICLE_SALES, VEHICLE_PURCHASE } = LISTS.ordertypes;
const LEASED = 0.06;
/** The places of the sales to dealers abroad, among six sales in a row. */
const DEALER_PLACES = [1, 3];
const MOST_REGULARS = 600;

interface SeedOptions {
  readonly owner: number;
  readonly orders: number;
  /** The same seed gives the same records on an owner without records, but for IDs and times of writing. */
  readonly random?: number | string;
  /** Gets the number of orders made so far, first 0. */
  readonly onProgress?: (done: number, of: number) => void;
}

/**
 * Adds that many orders, and other records in proportion, to an owner, who may have records already. Answers the
 * number of rows made, by resource. Throws Problem (404) if the owner does not exist.
 */
export async function seed(database: Database, options: SeedOptions): Promise<Counts> {
  const { owner, orders, random = 1, onProgress = () => {} } = options;
  const columns = columnsWithoutBytes(Owner.resource);
  const seller = await findRecord(garageOf(database, owner), Owner.resource, owner, columns);
  if (!seller) throw problem('record_unknown', { field: 'id', value: owner });
  const counts: Counts = {};
  const inTransaction = async <T>(name: string, work: (part: Part) => Promise<T>) => {
    const { result, made } = await database.transaction(async (session) => {
      await keepFiles(session);
      const drafts = new Drafts(garageOf(session, owner));
      const result = await work({ drafts, random: new Random(`${random} ${name}`), files: session.files });
      return { result, made: drafts.counts };
    });
    for (const [resource, count] of Object.entries(made)) counts[resource] = (counts[resource] ?? 0) + count;
    return result;
  };

  onProgress(0, orders);
  const setup = await inTransaction('setup', setUp);
  // Slices of even size, because a small last one would have too few cars.
  const slices = Math.ceil(orders / MOST_ORDERS_A_SLICE);
  let regulars: readonly Pair[] = [];
  for (let slice = 0; slice < slices; slice += 1) {
    const from = Math.floor((slice * orders) / slices);
    const to = Math.floor(((slice + 1) * orders) / slices);
    regulars = await inTransaction(`slice ${slice}`, (part) =>
      addSlice({ ...part, seller, setup, from, to, all: orders }, regulars),
    );
    onProgress(to, orders);
  }
  return counts;
}

/** Writes the orders of a slice. `earlier` customers come back. Answers those who may come back to the next slice. */
async function addSlice(slice: Slice, earlier: readonly Pair[]): Promise<readonly Pair[]> {
  const { drafts } = slice;
  const plans = planOrders(slice);
  const { own, bought, traded } = await addFleet(slice, plans);
  const regulars = [...earlier, ...own];
  const sheets = makeOrders(plans, { ...slice, regulars, bought, traded });
  const invoices = sheets.filter(isInvoice);
  await numberInvoices(slice, invoices);
  for (const sheet of sheets) deduct(slice, sheet);
  payInvoices(slice, invoices);
  for (const sheet of sheets) {
    addWork(slice, sheet);
    addReading(slice, sheet);
    const approval_number = addApproval(slice, sheet);
    if (isInvoice(sheet)) drafts.add(InvoiceParty, partiesOf(slice, sheet, approval_number));
  }
  addAppointments(slice, sheets);
  const firstSet = await drafts.reserve('tyreset', 0);
  for (const [index, pair] of own.entries()) addTyres(slice, pair, firstSet + index);
  await addDocuments(slice, own, sheets);
  await drafts.write();
  return regulars.slice(-MOST_REGULARS);
}

/** Writes the customers of the slice, each with a car: their own, or one that the garage bought, buys or sells. */
async function addFleet(slice: Slice, plans: readonly Plan[]) {
  const { drafts, random, setup } = slice;
  const { leaseCompanies, dealers } = setup;
  let number = await drafts.reserve('contact', 0);
  const newcomer = (): ContactRecord => {
    number += 1;
    return addCustomer(slice, number - 1, leaseCompanies);
  };
  const year = Number(plans[0]?.at.getUTCFullYear());
  const own = times(Math.max(FEWEST_OWN, Math.round(plans.length / 6)), (nth) => {
    // A lease company pays for the first car, and for some others.
    const payer = nth === 0 || random.chance(LEASED) ? random.pick(leaseCompanies) : undefined;
    return addOwnCar(slice, { contact: newcomer(), payer }, year, nth);
  });
  const numberBought = Math.max(3, Math.round(plans.length / 12));
  const bought = times(numberBought, (nth) => addBoughtCar(slice, newcomer(), nth));
  const invoicesOf = (type: number) => plans.filter((plan) => plan.type === type && isInvoice({ plan }));
  const sold = invoicesOf(VEHICLE_SALES).map((plan, nth): [Plan, Pair] => {
    const customer = newcomer();
    const contact = dealers[DEALER_PLACES.indexOf(nth % 6)] ?? customer;
    // Every second buyer trades a car in, if that is a private person.
    const isTradeIn = nth % 2 === 0 && isPerson(contact);
    const traded = isTradeIn ? addPurchasedCar(slice, contact, plan.at, newcomer()).car : undefined;
    return [plan, addSoldCar(slice, { contact, traded }, plan.at, customer)];
  });
  // A lease company, a company, a private person and the dealers abroad sell in turn.
  const contacts = [...own, ...bought].map(({ contact }) => contact);
  const groups = [
    leaseCompanies,
    contacts.filter((contact) => !isPerson(contact)),
    contacts.filter(isPerson),
    ...dealers.map((dealer) => [dealer]),
  ].filter(({ length }) => length > 0);
  const purchased = invoicesOf(VEHICLE_PURCHASE).map((plan, nth): [Plan, Pair] => {
    const seller = random.pick(inTurn(groups, nth));
    return [plan, addPurchasedCar(slice, seller, plan.at, newcomer())];
  });
  await drafts.write();
  return { own, bought, traded: new Map([...sold, ...purchased]) };
}
