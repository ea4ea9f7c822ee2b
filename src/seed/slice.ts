// One slice of the orders, with the contacts, vehicles and documents that come with them.
import type { Row } from '../model/field.ts';
import { Document } from '../resources/document.ts';
import { InvoiceParty } from '../resources/invoice-party.ts';
import { Order } from '../resources/order.ts';
import { OrderLine } from '../resources/order-line.ts';
import { LISTS } from '../trade/lists.ts';
import type { Catalogue } from './catalogue.ts';
import { documentDrafts, type StoredFiles } from './documents.ts';
import { carry, type Fleet, makeFleet, type Quota } from './fleet.ts';
import { idOf, type Writer } from './insert.ts';
import { numberInvoices, partiesOf } from './invoices.ts';
import { fillIn, referToInvoice, type Sheet } from './orders.ts';
import { type Plan, planOrders } from './plan.ts';
import type { Random } from './random.ts';

/** What all slices are made from. */
export interface Ground {
  readonly seller: Row;
  readonly catalogue: Catalogue;
  readonly stored: StoredFiles;
  /** Of all slices together. */
  readonly orders: number;
}

/** What a slice hands on to the next; it does not grow. */
export interface Memory {
  readonly fleet: Fleet;
  /** Invoices that no credit note takes back. */
  readonly creditable: readonly Sheet[];
}

export const NOTHING_KNOWN: Memory = { fleet: { customers: [], pairs: [] }, creditable: [] };

const MOST_CREDITABLE = 50;
const FEWEST_CUSTOMERS = 8;
const FEWEST_CARS = 5;
const FEWEST_UNSOLD = 3;
const FEWEST_DOCUMENTS = 5;

/** Writes the orders `from` up to `to`, counted from 0, and answers what the next slice may refer to. */
export async function makeSlice(
  writer: Writer,
  random: Random,
  ground: Ground,
  { from, to }: { from: number; to: number },
  { fleet, creditable }: Memory,
): Promise<Memory> {
  const { catalogue, seller, stored, orders } = ground;
  const plans = planOrders(random, from, to, orders, creditable.length);
  const sales = plans.filter(isInvoicedSale);
  const firstOrder = await writer.reserve('order', plans.length);
  const quota = await quotaOf(writer, firstOrder, plans.length, sales.length);
  const world = await makeFleet(writer, random, { catalogue, earlier: fleet, plans, sales, quota });

  const left = [...creditable];
  const sheets = fillIn(random, plans, world, left);
  sheets.forEach(({ order }, index) => {
    order.order_number = firstOrder + index;
  });
  await numberInvoices(writer, seller, sheets.filter(isInvoiced));
  await writeSheets(writer, sheets, ground);

  const documents = Math.max(FEWEST_DOCUMENTS, Math.round(plans.length / 50));
  const subjects = { stored, orders: sheets.map(({ order }) => order), pairs: world.pairs };
  await writer.write(Document.resource, documentDrafts(random, documents, subjects));
  return { fleet: carry(world), creditable: left.slice(-MOST_CREDITABLE) };
}

/** A contact for four orders, a car for three; two in five of the cars are the garage's own. */
async function quotaOf(writer: Writer, firstOrder: number, orders: number, sold: number): Promise<Quota> {
  const customers = Math.max(FEWEST_CUSTOMERS, Math.round(orders / 4));
  const firstContactNumber = await writer.reserve('contact', customers);
  return {
    customers,
    customerCars: Math.max(FEWEST_CARS, Math.round(orders / 5)),
    unsoldCars: Math.max(FEWEST_UNSOLD, Math.round((orders * 2) / 15) - sold),
    firstContactNumber,
    // Both counters only ever rise, and there are fewer cars than orders and customers together.
    firstSerial: firstOrder + firstContactNumber,
  };
}

async function writeSheets(writer: Writer, sheets: readonly Sheet[], { seller }: Ground): Promise<void> {
  // Credit notes come last: by then what they take back has its ID.
  await writer.write(Order.resource, ordersOf(sheets.filter(({ credits }) => !credits)));
  const credits = sheets.filter(({ credits }) => credits);
  credits.forEach(referToInvoice);
  await writer.write(Order.resource, ordersOf(credits));

  for (const { order, lines } of sheets) for (const line of lines) line.order_id = idOf(order);
  await writer.write(
    OrderLine.resource,
    sheets.flatMap(({ lines }) => lines),
  );
  await writer.write(
    InvoiceParty.resource,
    sheets.filter(isInvoiced).map((sheet) => partiesOf(seller, sheet)),
  );
}

const ordersOf = (sheets: readonly Sheet[]) => sheets.map(({ order }) => order);

const isInvoiced = ({ plan }: Sheet) => plan.status === LISTS.orderstatuses.INVOICE;

const isInvoicedSale = ({ type, status }: Plan) =>
  type === LISTS.ordertypes.VEHICLE_SALES && status === LISTS.orderstatuses.INVOICE;
