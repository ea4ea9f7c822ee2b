// Invoices keep the vehicles that they print. Older invoices get them as they are, with the plate of the invoice's day. What an
// invoice kept of a vehicle before stays.
import type { Knex } from 'knex';

const PORTION = 500;
const PRINTED = ['id', 'license_plate', 'vin', 'make', 'model', 'version_name', 'mileage'];

interface Row {
  readonly id: number;
  readonly owner_id: number;
  readonly order_id: number;
  readonly vehicle_id: number | null;
  readonly invoice_date: string;
  readonly vehicles: string;
}

type Vehicle = { readonly id: number; readonly license_plate: string };
type Change = { readonly vehicle_id: number; readonly license_plate: string; readonly changed_at: string };

export async function up(knex: Knex): Promise<void> {
  for (let last = 0; ; ) {
    const rows: Row[] = await knex('invoiceparties as p')
      .join('orders as o', 'o.id', 'p.order_id')
      .select('p.id', 'p.owner_id', 'p.order_id', 'p.vehicles', 'o.vehicle_id')
      .select(knex.raw('CAST(o.invoice_date AS CHAR) AS invoice_date'))
      .where('p.id', '>', last)
      .orderBy('p.id')
      .limit(PORTION);
    if (rows.length === 0) return;
    await fill(knex, rows);
    last = rows.at(-1)?.id ?? last;
  }
}

async function fill(knex: Knex, rows: readonly Row[]): Promise<void> {
  const orders = rows.map(({ order_id }) => order_id);
  const lines: { order_id: number; vehicle_id: number }[] = await knex('orderlines')
    .distinct('order_id', 'vehicle_id')
    .whereIn('order_id', orders)
    .whereNotNull('vehicle_id');
  const idsOf = ({ order_id, vehicle_id }: Row) => [
    ...new Set([
      ...(vehicle_id === null ? [] : [vehicle_id]),
      ...lines.filter((line) => line.order_id === order_id).map((line) => line.vehicle_id),
    ]),
  ];
  const ids = [...new Set(rows.flatMap(idsOf))];
  const vehicles: Vehicle[] = await knex('vehicles').select(PRINTED).whereIn('id', ids);
  const changes: Change[] = await knex('licenseplatehistory')
    .select('vehicle_id', 'license_plate')
    .select(knex.raw('CAST(changed_at AS CHAR) AS changed_at'))
    .whereIn('vehicle_id', ids)
    .orderBy(['changed_at', 'id']);
  for (const row of rows) {
    const known: Vehicle[] = JSON.parse(row.vehicles);
    const kept = idsOf(row).flatMap((id) => {
      const vehicle = vehicles.find((one) => one.id === id);
      if (!vehicle) return [];
      const changed = changes.find((one) => one.vehicle_id === id && one.changed_at > row.invoice_date);
      const license_plate = changed?.license_plate ?? vehicle.license_plate;
      return { ...vehicle, license_plate, ...known.find((one) => one.id === id) };
    });
    if (kept.length === 0) continue;
    await knex('invoiceparties')
      .where({ id: row.id })
      .update({ vehicles: JSON.stringify(kept) });
  }
}
