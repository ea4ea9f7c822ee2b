// Copies of the seller, the buyer and the vehicles on the day of the invoice. A copy has only the fields that an
// invoice prints, because a key that may read orders reads the copies too.
import { problem } from '../../../core/errors.ts';
import type { Row } from '../../../core/model/fields/field.ts';
import { claimRecord, findRecords, selection } from '../../../core/model/lists/find.ts';
import { columnsWithoutBytes, type Resource } from '../../../core/model/records/record.ts';
import { serializer } from '../../../core/model/records/serialize.ts';
import type { Garage } from '../../../core/model/statements/garage.ts';
import { prepared } from '../../../core/model/statements/prepared.ts';
import { remembered } from '../../../core/model/statements/remembered.ts';
import { insertRow } from '../../../core/model/writes/write.ts';
import { Contact, type ContactRow } from '../../../core/resources/contact.ts';
import { InvoiceParty } from '../../../core/resources/invoice-party.ts';
import { Order, type OrderRow } from '../../../core/resources/order.ts';
import { Owner, type OwnerRow } from '../../../core/resources/owner.ts';
import { TimeEntry } from '../../../core/resources/time-entry.ts';
import { Vehicle, type VehicleRow } from '../../../core/resources/vehicle.ts';
import { nameOf } from '../../../core/trade/identity/printed-name.ts';
import { isSelfBilled, type Traded } from '../../../core/trade/kinds/purchase-proof.ts';
import { LISTS } from '../../../core/trade/lists.ts';
import { payerOf } from '../../../core/trade/payer.ts';
import { NEED_VAT_NUMBER } from '../../../core/trade/vat-code.ts';

const { CANCELLED } = LISTS.orderstatuses;

export interface Parties {
  readonly seller: OwnerRow;
  /** The contact who pays. */
  readonly buyer: ContactRow;
  /** The contact of the order: the buyer, unless another contact pays. */
  readonly customer: ContactRow;
}

/** What a document prints about a vehicle. */
type PrintedVehicle = Pick<
  Vehicle,
  'id' | 'license_plate' | 'vin' | 'make' | 'model' | 'version_name' | 'mileage'
>;

/** The copies that an invoice keeps. They lack the fields that an invoice does not print. */
export interface InvoiceParties extends Pick<Parties, 'seller' | 'buyer'> {
  /**
   * The name of the customer if another contact pays, and nothing else: the payer may know who drove, not where the
   * driver lives. Invoices that are older than this field lack it.
   */
  readonly driver: string | null;
  /** Empty if the law no longer requires the invoice to be kept. */
  readonly vehicles: readonly PrintedVehicle[];
  /** The number of the approval of a lease company. Kept here, because every order would carry a column for it. */
  readonly approval_number: string | null;
}

/**
 * Claims the contacts and the car that the change to an invoice names for the first time. The invoice copies them
 * without a lock, and anonymising claims only the orders that named them before.
 */
export async function claimNamedAnew(garage: Garage, next: OrderRow, previous: OrderRow): Promise<void> {
  for (const field of ['contact_id', 'invoice_contact_id', 'vehicle_id'] as const) {
    const id = next[field];
    if (id === null || id === previous[field]) continue;
    await claimRecord(garage, field === 'vehicle_id' ? Vehicle.resource : Contact.resource, id);
  }
}

type Paid = Pick<Order, 'contact_id' | 'invoice_contact_id'>;

/** What stands around a locked order. Its contacts are not locked. */
export interface Surroundings {
  readonly seller: OwnerRow | undefined;
  readonly customer: ContactRow | undefined;
  readonly buyer: ContactRow | undefined;
  /** How many time entries of the order run. */
  readonly running: number;
  /** How many deposits the order has, without cancelled ones. */
  readonly deposits: number;
}

const CUSTOMER = 'customer__';
const BUYER = 'buyer__';

/** Reads all that by one statement. */
export async function readSurroundings(
  garage: Garage,
  order: Paid & { readonly id?: number },
): Promise<Surroundings> {
  const contact = columnsWithoutBytes(Contact.resource);
  const [row = {}] = await prepared('what stands around an order', (mark) =>
    Owner.ofMarked(mark, 't')
      .leftJoin('contacts as customer', (join) =>
        join.on('customer.owner_id', 't.id').andOnVal('customer.id', mark('customer')),
      )
      .leftJoin('contacts as buyer', (join) =>
        join.on('buyer.owner_id', 't.id').andOnVal('buyer.id', mark('buyer')),
      )
      .select(
        ...selection(Owner.resource, columnsWithoutBytes(Owner.resource)),
        ...selection(Contact.resource, contact, 'customer', CUSTOMER),
        ...selection(Contact.resource, contact, 'buyer', BUYER),
        TimeEntry.ofMarked(mark).where('order_id', mark('order')).whereNull('ended_at').count().as('running'),
        Order.ofMarked(mark)
          .where('deposit_of_order_id', mark('order'))
          .whereNot('order_status', CANCELLED)
          .count()
          .as('deposits'),
      ),
  ).rows(garage, { order: order.id ?? 0, customer: order.contact_id, buyer: payerOf(order) });
  const customer = partOf(row, Contact.resource, CUSTOMER);
  return {
    seller: partOf(row, Owner.resource, ''),
    customer,
    buyer: payerOf(order) === order.contact_id ? customer : partOf(row, Contact.resource, BUYER),
    running: Number(row.running),
    deposits: Number(row.deposits),
  };
}

/** The columns of a joined row that belong to the resource. Undefined if nothing was joined. */
function partOf<R extends Row>(row: Row, resource: Resource<R>, prefix: string): R | undefined {
  if (row[`${prefix}id`] == null) return undefined;
  const columns = columnsWithoutBytes(resource);
  return Object.fromEntries(columns.map((column) => [column, row[prefix + column] ?? null])) as R;
}

/** The parties of the order. Throws Problem if one does not exist. */
export function demandParties(
  { seller, customer, buyer }: Surroundings,
  order: Paid,
  owner: number,
): Parties {
  const unknown = (field: string, value: number) => problem('reference_unknown', { field, value });
  if (!seller) throw unknown('owner_id', owner);
  if (!customer) throw unknown('contact_id', order.contact_id);
  if (!buyer) throw unknown('invoice_contact_id', payerOf(order));
  return { seller, customer, buyer };
}

/** The seller and the buyer of an order as they are now. Throws Problem if one does not exist. */
export const readParties = async (garage: Garage, order: Paid): Promise<Parties> =>
  demandParties(await readSurroundings(garage, order), order, garage.owner);

/**
 * Keeps copies of parties and vehicles with an invoice, so that documents printed later show them as they are today.
 * `credited`: the invoice that a credit note takes back. `vehicles`: those of the order and of its lines.
 */
export async function keepParties(
  garage: Garage,
  order: Traded & Pick<Order, 'id'>,
  parties: Parties,
  {
    credited,
    vehicles,
    approval_number = null,
  }: {
    readonly credited: Traded | undefined;
    readonly vehicles: readonly VehicleRow[];
    readonly approval_number?: string | null;
  },
): Promise<void> {
  const { buyer, customer } = parties;
  await insertRow(garage, InvoiceParty.resource, {
    order_id: order.id,
    ...copyParties(parties, isSelfBilled(order, credited)),
    driver: customer.id === buyer.id ? null : nameOf(customer),
    vehicles: copyVehicles(vehicles),
    approval_number,
  });
}

/**
 * The parties of a credit note. If a line needs the buyer's VAT number, it is the number of the invoice: the ICP
 * statement counts both by this number.
 */
export async function namedAsOn(
  garage: Garage,
  invoice: number,
  parties: Parties,
  lines: readonly { readonly vat_code: number }[],
): Promise<Parties> {
  if (!lines.some(({ vat_code }) => NEED_VAT_NUMBER.includes(vat_code))) return parties;
  const { vat_number } = (await readInvoiceParties(garage, [invoice]))(invoice).buyer;
  return vat_number ? { ...parties, buyer: { ...parties.buyer, vat_number } } : parties;
}

/** The JSON that an invoice keeps of its vehicles. */
export const copyVehicles = (rows: readonly Row[]): string =>
  `[${rows.map((row) => printedCopy(Vehicle.resource, row)).join()}]`;

/** If the garage makes out the invoice of a seller, it pays to this account. So the invoice prints the account. */
const PAID_TO = 'iban';

/** The JSON copies of the parties. `isPaidByPrint`: the garage makes out the invoice of the contact. */
export const copyParties = (
  { seller, buyer }: Pick<Parties, 'seller' | 'buyer'>,
  isPaidByPrint: boolean,
) => ({
  seller: printedCopy(Owner.resource, seller),
  buyer: printedCopy(Contact.resource, buyer, isPaidByPrint ? PAID_TO : undefined),
});

const isPrinted = ({ fields }: Resource, column: string) => column === 'id' || fields.get(column)?.printed;
const printedJson = remembered((resource: Resource) =>
  serializer(
    resource,
    resource.columns.filter((column) => isPrinted(resource, column)),
  ),
);

/** The JSON copy of an owner, a contact or a vehicle. `more`: one more column that this invoice prints. */
export function printedCopy(resource: Resource, row: Row, more?: string): string {
  if (more === undefined) return printedJson(resource)(row);
  const columns = resource.columns.filter((column) => column === more || isPrinted(resource, column));
  return serializer(resource, columns)(row);
}

/** Returns the copies of one of the invoices that were read. Throws an Error if the order is no invoice. */
type PartiesOf = (order: number) => InvoiceParties;

export async function readInvoiceParties(garage: Garage, orders: readonly number[]): Promise<PartiesOf> {
  const rows = await InvoiceParty.of(garage).whereIn('order_id', [...orders]);
  const copies = new Map(rows.map((row): [number, InvoiceParties] => [row.order_id, parsed(row)]));
  return (order) => {
    const found = copies.get(order);
    if (!found) throw new Error(`The invoice ${order} has no seller and buyer`);
    return found;
  };
}

const parsed = ({ seller, buyer, driver, vehicles, approval_number }: InvoiceParty): InvoiceParties => ({
  seller: JSON.parse(seller),
  // Parties that were kept before this field existed lack it.
  buyer: { print_name: null, ...JSON.parse(buyer) },
  driver,
  vehicles: JSON.parse(vehicles),
  approval_number,
});

/**
 * Like `readInvoiceParties`, with addresses on the Peppol network: the address on the day of the invoice, or else
 * today's. So an invoice that is older than the address can be sent too.
 */
export async function readAddressedParties(garage: Garage, orders: readonly number[]): Promise<PartiesOf> {
  const partiesOf = await readInvoiceParties(garage, orders);
  const all = orders.map(partiesOf);
  const sellers = all.map(({ seller }) => seller);
  const buyers = all.map(({ buyer }) => buyer);
  await completeAddresses(garage, Owner.resource, sellers);
  await completeAddresses(garage, Contact.resource, buyers);
  return partiesOf;
}

/** Adds today's address to the copies without one. */
async function completeAddresses(
  garage: Garage,
  resource: Resource<{ id: number; peppol_id: string | null }>,
  copies: readonly { id: number; peppol_id: string | null }[],
): Promise<void> {
  const without = copies.filter(({ peppol_id }) => !peppol_id?.trim());
  if (without.length === 0) return;
  const ids = new Set(without.map(({ id }) => id));
  const rows = await findRecords(garage, resource, [...ids], ['id', 'peppol_id']);
  const today = new Map(rows.map(({ id, peppol_id }) => [id, peppol_id]));
  for (const copy of without) copy.peppol_id = today.get(copy.id) ?? null;
}
