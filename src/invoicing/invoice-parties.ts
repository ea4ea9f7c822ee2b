// What an invoice shows as of its day: copies of the seller, the buyer and the vehicles. A copy has the
// fields that an invoice prints, and no others: a key that may read orders reads the copies with the invoice.
import { problem } from '../errors.ts';
import type { Row } from '../model/field.ts';
import { findRecord, findRecords } from '../model/find.ts';
import { columnsWithoutBytes, type Resource, type RowIn } from '../model/record.ts';
import { remembered } from '../model/remembered.ts';
import { serializer } from '../model/serialize.ts';
import type { Session } from '../model/session.ts';
import { insertRow } from '../model/write.ts';
import { Contact } from '../resources/contact.ts';
import { InvoiceParty } from '../resources/invoice-party.ts';
import type { Order } from '../resources/order.ts';
import { OrderLine } from '../resources/order-line.ts';
import { Owner } from '../resources/owner.ts';
import { Vehicle } from '../resources/vehicle.ts';
import { payerOf } from '../trade/payer.ts';
import { nameOf } from '../trade/printed-name.ts';
import { isSelfBilled, type Traded } from '../trade/purchase-proof.ts';

export interface Parties {
  readonly seller: RowIn<typeof Owner>;
  /** Who pays. */
  readonly buyer: RowIn<typeof Contact>;
  /** Whose order it is: the buyer, unless another contact pays. */
  readonly customer: RowIn<typeof Contact>;
}

/** What a document prints about a vehicle. */
type PrintedVehicle = Pick<
  Vehicle,
  'id' | 'license_plate' | 'vin' | 'make' | 'model' | 'version_name' | 'mileage'
>;

/** The copies that an invoice keeps. Fields that an invoice does not print are missing. */
export interface InvoiceParties extends Pick<Parties, 'seller' | 'buyer'> {
  /** The name of the customer, where another contact pays. Invoices that are older than this field lack it. */
  readonly driver: string | null;
  /** None where the invoice need not be kept any longer. */
  readonly vehicles: readonly PrintedVehicle[];
  /** Of the approval of a lease company. */
  readonly approval_number: string | null;
}

/** The seller and the buyer of an order as they are now. Throws Problem where one does not exist. */
export async function readParties(
  session: Session,
  owner: number,
  order: Pick<Order, 'contact_id' | 'invoice_contact_id'>,
): Promise<Parties> {
  const { contact_id } = order;
  const seller = await requireRecord(session, Owner.resource, owner, 'owner_id', owner);
  const customer = await requireRecord(session, Contact.resource, owner, 'contact_id', contact_id);
  const payer = payerOf(order);
  const buyer =
    payer === contact_id
      ? customer
      : await requireRecord(session, Contact.resource, owner, 'invoice_contact_id', payer);
  return { seller, buyer, customer };
}

/** A record that the order refers to. `field` names the reference in the error. */
async function requireRecord<R extends Row>(
  session: Session,
  resource: Resource<R>,
  owner: number,
  field: string,
  id: number,
): Promise<R> {
  const row = await findRecord(session, resource, owner, id, columnsWithoutBytes(resource));
  if (!row) throw problem('reference_unknown', { field, value: id });
  return row;
}

/**
 * Keeps parties and vehicles with an invoice. Documents that are printed later show them as they are now. `credited`: the invoice
 * that a credit note takes back.
 */
export async function keepParties(
  session: Session,
  owner: number,
  order: Traded & Pick<Order, 'id' | 'vehicle_id'>,
  parties: Parties,
  { credited, approval_number = null }: { credited: Traded | undefined; approval_number?: string | null },
): Promise<void> {
  const vehicles = copyVehicles(await readVehicles(session, owner, order));
  const { buyer, customer } = parties;
  await insertRow(session, InvoiceParty.resource, owner, {
    order_id: order.id,
    ...copyParties(parties, isSelfBilled(order, credited)),
    driver: customer.id === buyer.id ? null : nameOf(customer),
    vehicles,
    approval_number,
  });
}

/** The vehicles of an order and of its lines. */
async function readVehicles(
  session: Session,
  owner: number,
  { id, vehicle_id }: Pick<Order, 'id' | 'vehicle_id'>,
): Promise<Row[]> {
  const lines = await OrderLine.of(session, owner).distinct('vehicle_id').where('order_id', id);
  const ids = new Set([vehicle_id, ...lines.map((line) => line.vehicle_id)]);
  ids.delete(null);
  return ids.size === 0 ? [] : findRecords(session, Vehicle.resource, owner, [...ids]);
}

/** The JSON that an invoice keeps of its vehicles. */
export const copyVehicles = (rows: readonly Row[]): string =>
  `[${rows.map((row) => printedCopy(Vehicle.resource, row)).join()}]`;

/** A seller whose invoice the garage makes out is paid to this account, so the invoice prints the account. */
const PAID_TO = 'iban';

/** The JSON that an invoice keeps of its parties. `isPaidByPrint`: the garage makes out the invoice of the contact. */
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

/** The JSON that an invoice keeps of an owner, a contact or a vehicle; `more`: a column that this invoice prints too. */
export function printedCopy(resource: Resource, row: Row, more?: string): string {
  if (more === undefined) return printedJson(resource)(row);
  const columns = resource.columns.filter((column) => column === more || isPrinted(resource, column));
  return serializer(resource, columns)(row);
}

/** The copies of one of the invoices that were read. Throws an Error if the order is no invoice. */
type PartiesOf = (order: number) => InvoiceParties;

export async function readInvoiceParties(
  session: Session,
  owner: number,
  orders: readonly number[],
): Promise<PartiesOf> {
  const rows = await InvoiceParty.of(session, owner).whereIn('order_id', [...orders]);
  const copies = new Map(rows.map((row): [number, InvoiceParties] => [row.order_id, parsed(row)]));
  return (order) => {
    const found = copies.get(order);
    if (!found) throw new Error(`The invoice ${order} has no seller and buyer`);
    return found;
  };
}

const parsed = ({ seller, buyer, driver, vehicles, approval_number }: InvoiceParty): InvoiceParties => ({
  seller: JSON.parse(seller),
  buyer: JSON.parse(buyer),
  driver,
  vehicles: JSON.parse(vehicles),
  approval_number,
});

/**
 * The same with addresses on the Peppol network: those of the day of the invoice, else today's. An invoice that is
 * older than the address can be sent too.
 */
export async function readAddressedParties(
  session: Session,
  owner: number,
  orders: readonly number[],
): Promise<PartiesOf> {
  const partiesOf = await readInvoiceParties(session, owner, orders);
  const all = orders.map(partiesOf);
  const sellers = all.map(({ seller }) => seller);
  const buyers = all.map(({ buyer }) => buyer);
  await completeAddresses(session, Owner.resource, owner, sellers);
  await completeAddresses(session, Contact.resource, owner, buyers);
  return partiesOf;
}

/** Gives the copies without an address today's address. */
async function completeAddresses(
  session: Session,
  { model }: Resource,
  owner: number,
  copies: readonly { id: number; peppol_id: string | null }[],
): Promise<void> {
  const without = copies.filter(({ peppol_id }) => !peppol_id?.trim());
  if (without.length === 0) return;
  const ids = without.map(({ id }) => id);
  const rows = await model
    .of(session, owner)
    .select('id', 'peppol_id')
    .whereIn('id', [...new Set(ids)])
    .castTo<{ id: number; peppol_id: string | null }[]>();
  const today = new Map(rows.map(({ id, peppol_id }) => [id, peppol_id]));
  for (const copy of without) copy.peppol_id = today.get(copy.id) ?? null;
}
