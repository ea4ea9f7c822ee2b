// Reads what a document shows. Each order is read from one snapshot, so that its lines and its head belong
// together; what no buyer may see is not even selected.
import type { Buyer, DocumentData, DocumentType, Line, Order, Seller, Vehicle } from '../documents/data.ts';
import { isInvoice } from '../documents/draft.ts';
import { personOf } from '../documents/format.ts';
import type { Row, Stored } from '../model/field.ts';
import { resourceNamed } from '../model/registry.ts';
import type { Database } from '../model/session.ts';

/** A document to be made, and the records that it belongs to. */
export interface Source {
  readonly order: number;
  readonly contact: number;
  readonly vehicle: number | null;
  readonly data: DocumentData;
}

export interface Wanted {
  readonly owner: number;
  readonly type: DocumentType;
}

type Read = (sql: string, values: readonly Stored[]) => Promise<Row[]>;

/** What the document of an order shows, as it is now; undefined where the owner has no such order. */
export const readSource = (database: Database, wanted: Wanted, id: number): Promise<Source | undefined> =>
  inSnapshot(database, async (read) => {
    const [order] = await read(SELECT_ORDER, [wanted.owner, id]);
    return order && readOrder(read, wanted, order);
  });

/** A transaction of its own kind: all its statements see the database as the first one does. */
function inSnapshot<T>(database: Database, work: (read: Read) => Promise<T>): Promise<T> {
  return database.knex.transaction(
    (transaction) =>
      work(async (sql, values) => {
        const [rows] = (await transaction.raw(sql, [...values])) as unknown as [Row[]];
        return rows;
      }),
    { isolationLevel: 'repeatable read' },
  );
}

async function readOrder(read: Read, { owner, type }: Wanted, order: Row): Promise<Source> {
  const id = Number(order.id);
  const { seller, buyer } = isInvoice({ type })
    ? await readParties(read, owner, id)
    : await readToday(read, owner, Number(order.contact_id));
  const asOf = isInvoice({ type }) ? String(order.invoice_date) : null;
  const lines = (await read(SELECT_LINES, [owner, id])).map(lineOf);
  const vehicle = order.vehicle_id == null ? undefined : await readVehicle(read, owner, order, asOf);
  const employee = personOf(named<EmployeeName>(order, 'employee_'));
  return {
    order: id,
    contact: buyer.id,
    vehicle: vehicle ? Number(order.vehicle_id) : null,
    data: {
      type,
      seller,
      buyer,
      countries: await readCountries(read, [seller.country_id, buyer.country_id]),
      order: order as unknown as Order,
      lines,
      vehicle,
      credited:
        order.credited_invoice_number == null
          ? undefined
          : named<NonNullable<DocumentData['credited']>>(order, 'credited_'),
      employee: employee === '' ? undefined : employee,
    },
  };
}

const SELECT_ORDER =
  'SELECT o.id, o.order_number, o.order_type, o.order_date, o.contact_id, o.vehicle_id, o.mileage, o.appointment_at, ' +
  'o.planned_out_at, o.reference, o.description, o.invoice_number, o.invoice_date, o.due_date, ' +
  'c.invoice_number AS credited_invoice_number, c.invoice_date AS credited_invoice_date, ' +
  'e.first_name AS employee_first_name, e.prefix AS employee_prefix, e.last_name AS employee_last_name FROM orders o ' +
  'LEFT JOIN orders c ON c.owner_id = o.owner_id AND c.id = o.credited_order_id ' +
  'LEFT JOIN employees e ON e.owner_id = o.owner_id AND e.id = o.employee_id WHERE o.owner_id = ? AND o.id = ?';

const SELECT_LINES =
  'SELECT l.line_kind, l.article_number, l.description, l.quantity, l.unit_type, l.price, l.discount_percentage, ' +
  'l.vat_code, l.vat_percentage, l.line_net, v.license_plate AS vehicle_license_plate, v.vin AS vehicle_vin, v.make AS vehicle_make, ' +
  'v.model AS vehicle_model FROM orderlines l JOIN orders o ON o.owner_id = l.owner_id AND o.id = l.order_id ' +
  // The order's own vehicle stands at the head already.
  'LEFT JOIN vehicles v ON v.owner_id = l.owner_id AND v.id = l.vehicle_id AND NOT (v.id <=> o.vehicle_id) ' +
  'WHERE l.owner_id = ? AND l.order_id = ? ORDER BY l.sort_order IS NULL, l.sort_order, l.id';

type EmployeeName = Pick<Buyer, 'first_name' | 'prefix' | 'last_name'>;

/** The columns of another record that came along in a row, by their own names. */
const named = <T>(row: Row, prefix: string): T =>
  Object.fromEntries(
    Object.entries(row).flatMap(([column, value]) =>
      column.startsWith(prefix) ? [[column.slice(prefix.length), value]] : [],
    ),
  ) as T;

function lineOf(row: Row): Line {
  const line = row as unknown as Line;
  return row.vehicle_make == null ? line : { ...line, vehicle: named<Vehicle>(row, 'vehicle_') };
}

/** As they were when the order was invoiced, whatever they are today. */
async function readParties(read: Read, owner: number, order: number): Promise<Parties> {
  const sql = 'SELECT seller, buyer FROM invoiceparties WHERE owner_id = ? AND order_id = ?';
  const [parties] = await read(sql, [owner, order]);
  if (!parties) throw new Error(`The invoice ${order} has no seller and buyer`);
  return { seller: JSON.parse(String(parties.seller)), buyer: JSON.parse(String(parties.buyer)) };
}

interface Parties {
  readonly seller: Seller;
  readonly buyer: Buyer;
}

async function readToday(read: Read, owner: number, contact: number): Promise<Parties> {
  const columns = (name: string) => resourceNamed(name).columns.join(', ');
  const [seller] = await read(`SELECT ${columns('owner')} FROM owners WHERE id = ?`, [owner]);
  const [buyer] = await read(`SELECT ${columns('contact')} FROM contacts WHERE owner_id = ? AND id = ?`, [
    owner,
    contact,
  ]);
  return { seller: seller as unknown as Seller, buyer: buyer as unknown as Buyer };
}

/** With the plate that it had when the invoice was made. */
async function readVehicle(
  read: Read,
  owner: number,
  { vehicle_id = null }: Row,
  asOf: string | null,
): Promise<Vehicle> {
  const columns = 'license_plate, vin, make, model, version_name, mileage';
  const sql = `SELECT ${columns} FROM vehicles WHERE owner_id = ? AND id = ?`;
  const [vehicle] = await read(sql, [owner, vehicle_id]);
  const [later] =
    asOf === null
      ? []
      : await read(
          'SELECT license_plate FROM licenseplatehistory WHERE owner_id = ? AND vehicle_id = ? AND changed_at > ? ' +
            'ORDER BY changed_at, id LIMIT 1',
          [owner, vehicle_id, asOf],
        );
  return { ...vehicle, ...later } as unknown as Vehicle;
}

async function readCountries(read: Read, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const rows = await read('SELECT id, code FROM countries WHERE id IN (?, ?)', ids);
  return new Map(rows.map(({ id, code }) => [Number(id), String(code)]));
}
