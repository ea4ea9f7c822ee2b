// The mileage of an order: compared with the last reading of its vehicle, and kept when the order is ready or invoiced.
import { type Violation, violation } from '../../core/errors.ts';
import { lockRecord, selection } from '../../core/model/lists/find.ts';
import type { RowIn } from '../../core/model/records/record.ts';
import { latestNow } from '../../core/model/statements/fragment.ts';
import type { Garage } from '../../core/model/statements/garage.ts';
import { asWritten } from '../../core/model/writes/change-log.ts';
import { changeRow, insertRow } from '../../core/model/writes/write.ts';
import { MileageReading } from '../../core/resources/mileage-reading.ts';
import { Order, type OrderChange, type OrderRow } from '../../core/resources/order.ts';
import { OrderLine } from '../../core/resources/order-line.ts';
import { Owner } from '../../core/resources/owner.ts';
import { Vehicle } from '../../core/resources/vehicle.ts';
import { deducts } from '../../core/trade/deposit.ts';
import { LISTS } from '../../core/trade/lists.ts';
import { grossOf } from '../../core/trade/order-case/line.ts';
import { databaseNow } from '../../core/trade/time/timestamp.ts';
import { cents } from '../../core/trade/totals.ts';

const { READY, INVOICE } = LISTS.orderstatuses;
const { DEPOSIT } = LISTS.linekinds;
const { DUE, NOT_NEEDED } = LISTS.reportstatuses;
const READ_AT: readonly number[] = [READY, INVOICE];
/** The statuses that the service may still change: nobody has reported the reading. */
const UNSENT: readonly (number | null)[] = [null, DUE, NOT_NEEDED];
/** In kilometres. A car may be driven back to where its reading was taken too early or by eye. */
const MOST_BELOW = 100;
/** In euros: by law a recognised company must report work of this worth. A garage may choose another amount. */
const OKR_MINIMUM = '150.00';

const BELOW = 'mileage below the last reading';

/**
 * Refuses a new mileage that is far below the last reading, unless the request confirms it. Other changes of the order
 * and the move to READY are not judged: a later order may have a higher mileage by then, and a confirmation belongs to
 * one request.
 */
export async function fitsLastReading(change: OrderChange): Promise<Violation | undefined> {
  const { next, previous, given, garage } = change;
  const { mileage, vehicle_id } = next;
  if (mileage === null || vehicle_id === null || given('is_mileage_confirmed') === 1) return undefined;
  if (previous?.mileage === mileage && previous.vehicle_id === vehicle_id) return undefined;
  const last = await lastReading(garage, vehicle_id);
  if (last === null || mileage >= last - MOST_BELOW) return undefined;
  return violation('value_invalid', { field: 'mileage', value: mileage, validation: BELOW });
}

/** In kilometres; null: the vehicle has none. A typing error or a wrong clock may have dated a reading ahead. */
async function lastReading(garage: Garage, vehicle_id: number): Promise<number | null> {
  const last = await MileageReading.of(garage)
    .select('reading')
    .where({ vehicle_id })
    .where('read_at', '<=', latestNow())
    .orderBy('read_at', 'desc')
    .orderBy('id', 'desc')
    .first();
  if (last) return last.reading;
  const vehicle = await Vehicle.of(garage).select('mileage').findOne({ id: vehicle_id });
  return vehicle?.mileage ?? null;
}

/**
 * Called after an order was written: a move to READY or INVOICE keeps its mileage. An order that is imported makes no
 * move.
 */
export async function keepMileage({ next, previous, garage }: OrderChange): Promise<void> {
  const { order_status, vehicle_id, mileage } = next;
  if (!previous || previous.order_status === order_status || !READ_AT.includes(order_status)) return;
  if (vehicle_id === null || mileage === null) return;
  await setMileage(garage, vehicle_id, mileage);
  const worth = order_status === INVOICE ? await worthOf(garage, next) : latestTotal(garage, next);
  const report_status = await judge(garage, worth);
  const { resource } = MileageReading;
  const known = await MileageReading.of(garage, 't')
    .select(...selection(resource, [...resource.columns, ...resource.unshown]))
    .findOne({ order_id: next.id, vehicle_id, reading: mileage })
    .forUpdate();
  if (!known) {
    const reading = {
      vehicle_id,
      order_id: next.id,
      reading: mileage,
      // The date of an invoice is never before the one of an earlier invoice, whatever the clock says.
      read_at: order_status === INVOICE ? String(next.invoice_date) : databaseNow(),
      report_status,
    };
    await insertRow(garage, resource, reading);
  } else if (order_status === INVOICE) await judgeAgain(garage, { ...known }, report_status);
}

/** A blocked, archived or system vehicle is left unchanged. */
async function setMileage(garage: Garage, id: number, mileage: number): Promise<void> {
  const vehicle = await lockRecord(garage, Vehicle.resource, id);
  if (!vehicle || vehicle.is_blocked === 1 || vehicle.is_archived === 1 || vehicle.is_system === 1) return;
  if (vehicle.mileage === mileage) return;
  await changeRow(garage, Vehicle.resource, { previous: vehicle, next: { ...vehicle, mileage } });
}

/** In cents. The request may have written lines too, and so another total. */
const latestTotal = (garage: Garage, order: OrderRow): bigint =>
  cents(String(asWritten(garage, Order.resource, order).total_gross));

/** What the work of an invoice is worth, in cents: the total that the invoice had before it took its deposits off. */
async function worthOf(garage: Garage, invoice: OrderRow): Promise<bigint> {
  const lines = await OrderLine.of(garage)
    .select('line_kind', 'credited_line_id', 'line_gross')
    .where({ order_id: invoice.id, line_kind: DEPOSIT });
  return lines
    .filter((line) => deducts(line, invoice))
    .reduce((worth, { line_gross }) => worth - cents(line_gross ?? '0'), grossOf(invoice));
}

/** Whether a reading at work of that worth, in cents, must be reported. */
async function judge(garage: Garage, worth: bigint): Promise<number> {
  const company = await Owner.of(garage).select('okr_minimum').first();
  return worth > cents(company?.okr_minimum ?? OKR_MINIMUM) ? DUE : NOT_NEEDED;
}

/** `previous`: a locked reading. */
async function judgeAgain(
  garage: Garage,
  previous: RowIn<typeof MileageReading>,
  report_status: number,
): Promise<void> {
  if (!UNSENT.includes(previous.report_status) || previous.report_status === report_status) return;
  await changeRow(garage, MileageReading.resource, {
    previous,
    next: { ...previous, report_status },
  });
}
