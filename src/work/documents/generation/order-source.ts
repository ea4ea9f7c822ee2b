// Reads the data of a document. Each order is read from one snapshot, so lines and totals match. The queries select
// only fields that a buyer may see.

import {
  type InvoiceParties,
  readAddressedParties,
  readInvoiceParties,
  readParties,
} from '../../../business/invoicing/invoice/invoice-parties.ts';
import { sumOf } from '../../../core/model/statements/fragment.ts';
import { type Garage, garageOf } from '../../../core/model/statements/garage.ts';
import {
  columns,
  decimal,
  filled,
  many,
  oneOrNull,
  orNull,
  type Selected,
  selected,
} from '../../../core/model/statements/selected.ts';
import type { Database } from '../../../core/model/statements/session.ts';
import { Country } from '../../../core/resources/country.ts';
import { Employee } from '../../../core/resources/employee.ts';
import { Order } from '../../../core/resources/order.ts';
import { OrderLine } from '../../../core/resources/order-line.ts';
import { Payment } from '../../../core/resources/payment.ts';
import { Vehicle } from '../../../core/resources/vehicle.ts';
import { personOf } from '../../../core/trade/identity/printed-name.ts';
import { isSelfBilled, isStatementBack } from '../../../core/trade/kinds/purchase-proof.ts';
import { LISTS } from '../../../core/trade/lists.ts';
import { cents, euros } from '../../../core/trade/totals.ts';
import type { Format } from '../einvoice/format.ts';
import type { DocumentData, DocumentType, HouseStyle, Payment as PaidPart } from '../pdf/data.ts';
import { isInvoice, isStatement, isWorkOrder } from '../pdf/draft.ts';
import { readPhones } from './phone.ts';
import { sidesOf } from './side.ts';

interface Source {
  readonly data: DocumentData;
  /** The vehicle that the document belongs to. */
  readonly vehicle_id: number | null;
}

export interface Wanted {
  readonly owner: number;
  readonly type: DocumentType;
  /** The format of an e-invoice. Undefined: only the PDF is wanted. */
  readonly format?: Format;
  /** The look of all documents of a job. */
  readonly style: HouseStyle;
}

const { PURCHASE_STATEMENT } = LISTS.documenttypes;

const ORDERS = Order.tableName;
const OF_ORDER = {
  ...columns(Order, ORDERS, 'id', 'order_number', 'order_type', 'order_date', 'purchase_proof', 'contact_id'),
  ...columns(Order, ORDERS, 'vehicle_id', 'mileage', 'appointment_at', 'planned_out_at', 'reference'),
  ...columns(Order, ORDERS, 'buyer_reference', 'description', 'invoice_number', 'invoice_date', 'due_date'),
  ...columns(Order, ORDERS, 'supply_date', 'valid_until', 'is_vat_included', 'total_gross', 'amount_open'),
  ...columns(Order, ORDERS, 'credited_order_id', 'employee_id'),
  vat_high: decimal('orders.vat_high'),
  vat_low: decimal('orders.vat_low'),
};
const OF_CREDITED = columns(
  Order,
  ORDERS,
  'id',
  'order_type',
  'purchase_proof',
  'invoice_number',
  'invoice_date',
);
const OF_EMPLOYEE = columns(Employee, Employee.tableName, 'id', 'first_name', 'prefix', 'last_name');
const OF_VEHICLE = {
  ...columns(Vehicle, Vehicle.tableName, 'id', 'license_plate', 'vin', 'make', 'model', 'version_name'),
  ...columns(Vehicle, Vehicle.tableName, 'mileage'),
};
const LINES = OrderLine.tableName;
const OF_LINE = {
  ...columns(OrderLine, LINES, 'order_id', 'vehicle_id', 'line_kind', 'article_number', 'description'),
  ...columns(OrderLine, LINES, 'quantity', 'unit_type', 'price', 'discount_percentage', 'vat_code'),
  ...columns(OrderLine, LINES, 'vat_percentage'),
  ...filled(OrderLine, LINES, 'line_net', 'line_gross'),
};

type VehicleRow = Selected<typeof OF_VEHICLE>;
const RELATED = {
  credited_order: oneOrNull(OF_CREDITED),
  employee: oneOrNull(OF_EMPLOYEE),
  vehicle: oneOrNull(OF_VEHICLE),
  orderline: many(OF_LINE, { vehicle: oneOrNull(OF_VEHICLE) }),
};
type OrderGraph = Selected<typeof OF_ORDER, typeof RELATED>;

/** The current data for the document of an order. Undefined if the owner has no such order. */
export const readSource = (database: Database, wanted: Wanted, id: number): Promise<Source | undefined> =>
  database.snapshot(async (session) => {
    const garage = garageOf(session, wanted.owner);
    const order = await readOrder(garage, id);
    return order && { data: await dataOf(garage, wanted, order), vehicle_id: order.vehicle?.id ?? null };
  });

async function readOrder(garage: Garage, id: number): Promise<OrderGraph | undefined> {
  return selected(Order.of(garage).findOne({ id }), OF_ORDER, RELATED).modifyGraph('orderline', 'sorted');
}

async function dataOf(garage: Garage, wanted: Wanted, order: OrderGraph): Promise<DocumentData> {
  const { style } = wanted;
  const isInvoiced = isInvoice(wanted);
  // The credit note of a statement is laid out like the statement: the private seller stays the seller.
  const isBack = isInvoiced && isStatementBack(order, order.credited_order);
  const type = isBack ? PURCHASE_STATEMENT : wanted.type;
  const { driver, vehicles, approval_number, ...parties } = await partiesFor(garage, wanted, order);
  const isOurs = isInvoiced && isSelfBilled(order, order.credited_order);
  const { seller, buyer } = sidesOf(parties, isOurs);
  return {
    type,
    isSelfBilled: isOurs,
    driver: driver ?? undefined,
    phones: isWorkOrder(wanted) ? await readPhones(garage, order.contact_id) : undefined,
    seller,
    buyer,
    countries: await readCountries(garage, [seller.country_id, buyer.country_id]),
    order,
    lines: order.orderline.map(({ vehicle, ...line }) =>
      // The head of the document already shows the vehicle of the order.
      vehicle && line.vehicle_id !== order.vehicle_id
        ? { ...line, vehicle: asOfInvoice(vehicle, vehicles) }
        : line,
    ),
    vehicle: order.vehicle ? asOfInvoice(order.vehicle, vehicles) : undefined,
    approval_number,
    credited: order.credited_order ? creditedOf(order.credited_order) : undefined,
    employee: (order.employee && personOf(order.employee)) || undefined,
    payment: isInvoiced && !isBack ? paymentOf(order, await readOffset(garage, order.id)) : undefined,
    // A letterhead with the logo of the garage would not be the seller's.
    style: isOurs ? { accent_color: style.accent_color } : style,
  };
}

const creditedOf = ({ invoice_number, ...credited }: Selected<typeof OF_CREDITED>) =>
  invoice_number === null ? undefined : { ...credited, invoice_number };

/** What credit notes have settled with an invoice, or a credit note with its invoice. */
async function readOffset(garage: Garage, order_id: number): Promise<string> {
  const settled = Payment.of(garage).where({ order_id, method: LISTS.paymentmethods.OFFSET });
  const [row] = await selected(settled, { amount: orNull(decimal(sumOf('amount'))) });
  return row?.amount ?? '0';
}

/** The paid part of an invoice. Undefined: nothing was paid. */
function paymentOf({ total_gross, amount_open }: OrderGraph, offset: string): PaidPart | undefined {
  if (amount_open === null) return undefined;
  const paid = cents(String(total_gross)) - cents(amount_open);
  return paid === 0n ? undefined : { paid: euros(paid), offset, amount_open };
}

/** The vehicle as the invoice keeps it, or as it is. */
const asOfInvoice = (vehicle: VehicleRow, kept: InvoiceParties['vehicles']): VehicleRow => ({
  ...vehicle,
  ...kept.find(({ id }) => id === vehicle.id),
});

/** An invoice and a purchase statement have the parties of their day. Any other document has the parties of today. */
async function partiesFor(
  garage: Garage,
  { type, format }: Wanted,
  { id, contact_id }: OrderGraph,
): Promise<InvoiceParties> {
  if (!isInvoice({ type }) && !isStatement({ type })) {
    const parties = await readParties(garage, { contact_id, invoice_contact_id: null });
    return { ...parties, driver: null, vehicles: [], approval_number: null };
  }
  const read = format === undefined ? readInvoiceParties : readAddressedParties;
  return (await read(garage, [id]))(id);
}

async function readCountries(garage: Garage, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const rows = await Country.of(garage).whereIn('id', [...ids]);
  return new Map(rows.map(({ id, code }) => [id, code]));
}
