// Reads the data of a document. Each order is read from one snapshot, so lines and totals match. The queries select
// only fields that a buyer may see.

import { readAddressedParties, readInvoiceParties } from '../../invoicing/invoice-parties.ts';
import { plateAt } from '../../invoicing/plate.ts';
import type { Row } from '../../model/field.ts';
import { findRecord } from '../../model/find.ts';
import { columnsWithoutBytes } from '../../model/record.ts';
import type { Database, Session } from '../../model/session.ts';
import { Contact } from '../../resources/contact.ts';
import { Country } from '../../resources/country.ts';
import { Order } from '../../resources/order.ts';
import { Owner } from '../../resources/owner.ts';
import { cents, euros } from '../../trade/totals.ts';
import type { EInvoiceBuyer, EInvoiceData, EInvoiceOrder, EInvoiceSeller } from '../einvoice/data.ts';
import type { Format } from '../einvoice/format.ts';
import type { Buyer, DocumentData, DocumentType, HouseStyle, Line, Payment, Vehicle } from '../pdf/data.ts';
import { isInvoice } from '../pdf/draft.ts';
import { personOf } from '../pdf/format.ts';

/** The data of a document, and the IDs of the records that the document belongs to. */
export interface Source {
  readonly order: number;
  readonly contact: number;
  readonly vehicle: number | null;
  readonly data: DocumentData;
  /** The same data with what only an e-invoice shows, if an e-invoice is wanted. */
  readonly eInvoice?: EInvoiceData;
}

export interface Wanted {
  readonly owner: number;
  readonly type: DocumentType;
  /** Of an e-invoice, whose type is that of its PDF. Undefined: only the PDF is wanted. */
  readonly format?: Format;
  /** The look of all documents of a job: see house-style.ts. */
  readonly style: HouseStyle;
}

const ORDER = [
  'id',
  'order_number',
  'order_type',
  'order_date',
  'contact_id',
  'vehicle_id',
  'mileage',
  'appointment_at',
  'planned_out_at',
  'reference',
  'buyer_reference',
  'description',
  'invoice_number',
  'invoice_date',
  'due_date',
  'total_gross',
  'amount_open',
] as const;
const LINE = [
  'line_kind',
  'article_number',
  'description',
  'quantity',
  'unit_type',
  'price',
  'discount_percentage',
  'vat_code',
  'vat_percentage',
  'line_net',
] as const;
const VEHICLE = ['license_plate', 'vin', 'make', 'model', 'version_name', 'mileage'] as const;

/** An order with its related records. A missing record is null. */
type OrderGraph = EInvoiceOrder &
  Row & {
    readonly credited_order: NonNullable<DocumentData['credited']> | null;
    readonly employee: Pick<Buyer, 'first_name' | 'prefix' | 'last_name'> | null;
    readonly vehicle: Vehicle | null;
    readonly orderline: readonly (Line & { vehicle_id: number | null; vehicle: Line['vehicle'] | null })[];
  };

/** The current data for the document of an order. Undefined if the owner has no such order. */
export const readSource = (database: Database, wanted: Wanted, id: number): Promise<Source | undefined> =>
  database.snapshot(async (session) => {
    const order = await readOrder(session, wanted.owner, id);
    return order && sourceOf(session, wanted, order);
  });

async function readOrder(session: Session, owner: number, id: number): Promise<OrderGraph | undefined> {
  return Order.of(session, owner)
    .select([...ORDER, 'credited_order_id', 'employee_id'])
    .findOne({ id })
    .withGraphFetched('[credited_order, employee, vehicle, orderline(sorted).vehicle]')
    .modifyGraph('credited_order', (query) => query.select('id', 'invoice_number', 'invoice_date'))
    .modifyGraph('employee', (query) => query.select('id', 'first_name', 'prefix', 'last_name'))
    .modifyGraph('[vehicle, orderline.vehicle]', (query) => query.select('id', ...VEHICLE))
    .modifyGraph('orderline', (query) => query.select('order_id', 'vehicle_id', ...LINE))
    .modifyGraph('[credited_order, employee, vehicle, orderline]', (query) => query.modify('owned', owner))
    .modifyGraph('orderline.vehicle', (query) => query.modify('owned', owner))
    .castTo<OrderGraph | undefined>();
}

async function sourceOf(session: Session, wanted: Wanted, order: OrderGraph): Promise<Source> {
  const { owner, type, format, style } = wanted;
  const { seller, buyer, vehicles } = await readParties(session, wanted, order);
  const employee = order.employee ? personOf(order.employee) : '';
  const data = {
    type,
    seller,
    buyer,
    countries: await readCountries(session, [seller.country_id, buyer.country_id]),
    order,
    lines: order.orderline.map(({ vehicle, ...line }) =>
      // The head of the document already shows the vehicle of the order.
      vehicle && line.vehicle_id !== order.vehicle_id
        ? { ...line, vehicle: asOfInvoice(vehicle, line.vehicle_id, vehicles) }
        : line,
    ),
    vehicle: order.vehicle
      ? asOfInvoice(
          { ...order.vehicle, ...(isInvoice({ type }) ? await plateAtInvoice(session, owner, order) : {}) },
          order.vehicle_id,
          vehicles,
        )
      : undefined,
    credited: order.credited_order?.invoice_number == null ? undefined : order.credited_order,
    employee: employee === '' ? undefined : employee,
    payment: isInvoice({ type }) ? paymentOf(order) : undefined,
  };
  return {
    order: order.id,
    contact: buyer.id,
    vehicle: order.vehicle ? Number(order.vehicle_id) : null,
    data: { ...data, style },
    eInvoice: format && { ...data, format },
  };
}

/** What was paid of an invoice; undefined: nothing. */
function paymentOf({ total_gross, amount_open }: OrderGraph): Payment | undefined {
  if (amount_open == null) return undefined;
  const open = String(amount_open);
  const paid = cents(String(total_gross)) - cents(open);
  return paid === 0n ? undefined : { paid: euros(paid), amount_open: open };
}

interface Parties {
  readonly seller: EInvoiceSeller;
  readonly buyer: EInvoiceBuyer;
  /** Plate and VIN of vehicles that were anonymised after the invoice. */
  readonly vehicles: readonly (Pick<Vehicle, 'license_plate' | 'vin'> & { readonly id: number })[];
}

/** The vehicle with the plate and VIN that the invoice keeps, if it keeps any. */
function asOfInvoice<V extends NonNullable<Line['vehicle']>>(
  vehicle: V,
  id: unknown,
  kept: Parties['vehicles'],
): V {
  const { license_plate, vin } = kept.find((copy) => copy.id === id) ?? vehicle;
  return { ...vehicle, license_plate, vin };
}

/** An invoice has the parties of its day, any other document those of now. */
async function readParties(
  session: Session,
  { owner, type, format }: Wanted,
  order: OrderGraph,
): Promise<Parties> {
  if (!isInvoice({ type })) return readCurrentParties(session, owner, Number(order.contact_id));
  const read = format === undefined ? readInvoiceParties : readAddressedParties;
  return (await read(session, owner, [order.id])).get(order.id) as unknown as Parties;
}

/** The parties as they are now. */
async function readCurrentParties(session: Session, owner: number, contact: number): Promise<Parties> {
  const resource = Owner.resource;
  const [seller, buyer] = [
    await findRecord(session, resource, owner, owner, columnsWithoutBytes(resource)),
    await findRecord(session, Contact.resource, owner, contact),
  ];
  return { seller, buyer, vehicles: [] } as unknown as Parties;
}

/** The plate of the vehicle when the order was invoiced. Undefined if the plate has not changed since. */
async function plateAtInvoice(
  session: Session,
  owner: number,
  order: OrderGraph,
): Promise<Pick<Vehicle, 'license_plate'> | undefined> {
  const plate = await plateAt(session, owner, Number(order.vehicle_id), String(order.invoice_date));
  return plate === undefined ? undefined : { license_plate: plate };
}

async function readCountries(session: Session, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const rows = await Country.query(session.knex).whereIn('id', [...ids]);
  return new Map(rows.map(({ id, code }) => [Number(id), String(code)]));
}
