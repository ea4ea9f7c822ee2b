// Starts and ends the time entries of employees, and keeps the hours of an order in step with its entries. An employee
// has one running entry at most, so whoever makes one writes the row of the employee first.
import { problem } from '../../core/errors.ts';
import { claimRecord, lockRecord, lockRecords } from '../../core/model/lists/find.ts';
import type { Change } from '../../core/model/records/record.ts';
import type { Garage } from '../../core/model/statements/garage.ts';
import { addRecord } from '../../core/model/writes/store.ts';
import { changeRow } from '../../core/model/writes/write.ts';
import { Employee } from '../../core/resources/employee.ts';
import { Order, type OrderChange } from '../../core/resources/order.ts';
import { TimeEntry, type TimeEntryChange, type TimeEntryRow } from '../../core/resources/time-entry.ts';
import { frozenState } from '../../core/trade/kinds/order-status.ts';
import { MINUTE_MS } from '../../core/trade/time/duration.ts';
import { addHours, hoursBetween, minusHours } from '../../core/trade/time/hours.ts';
import { databaseNow, formatTimestamp, nowAfter } from '../../core/trade/time/timestamp.ts';

/** A change of one entry. A new entry has no `previous`, a deleted one no `next`. */
type EntryChange = Partial<Pick<TimeEntryChange, 'next' | 'previous'>> & Pick<Change, 'garage'>;

/** The subject of a new entry. */
interface Work {
  readonly employee_id: number;
  readonly order_id: number | undefined;
  readonly orderline_id: number | undefined;
  readonly notes: string | undefined;
}

/** The clock of a caller may be ahead. */
const MOST_AHEAD_MS = 5 * MINUTE_MS;

/** Whether nobody can have begun to work at that instant yet. */
export const isInFuture = (instant: string): boolean =>
  Date.parse(formatTimestamp(instant)) > Date.now() + MOST_AHEAD_MS;

/**
 * Begins an entry, and ends the one that runs. The new entry begins at this end; if the end is in the future, because
 * of an older release or a clock that ran ahead, the entry begins now: the hours of the day should not be lost with the
 * other one. Throws Problem as POST /timeentry does.
 */
export async function startEntry(garage: Garage, work: Work): Promise<TimeEntryRow> {
  const running = await claimRunning(garage, work.employee_id);
  const end = running && (await endEntry(garage, running)).ended_at;
  const start = end && !isInFuture(end) ? end : databaseNow();
  const given = Object.entries(work).filter(([, value]) => value !== undefined);
  return addRecord(garage, TimeEntry.resource, {
    ...Object.fromEntries(given),
    started_at: formatTimestamp(start),
  });
}

/** Ends the running entry of the employee. Throws Problem: unknown employee 404, nothing runs 409. */
export async function stopEntry(garage: Garage, employee: number): Promise<TimeEntryRow> {
  if (!(await lockRecord(garage, Employee.resource, employee)))
    throw problem('reference_unknown', { field: 'employee_id', value: employee });
  const running = await claimRunning(garage, employee);
  if (!running) throw problem('record_frozen', { resource: 'employee', state: 'not running' });
  return endEntry(garage, running);
}

/** The running entry of an employee, locked. See "Locks" in docs/architecture.md. */
export async function claimRunning(garage: Garage, employee_id: number): Promise<TimeEntryRow | undefined> {
  await claimRecord(garage, Employee.resource, employee_id);
  const found = await TimeEntry.of(garage).select('id').where({ employee_id }).whereNull('ended_at').first();
  const entry = found && (await lockRecord(garage, TimeEntry.resource, found.id));
  // Ending an entry, or giving it to a colleague, does not lock this employee: both may have happened meanwhile.
  return entry?.ended_at === null && entry.employee_id === employee_id ? entry : undefined;
}

/** Also a blocked entry ends: the block keeps people from editing, and must not keep the employee from working. */
async function endEntry(garage: Garage, previous: TimeEntryRow): Promise<TimeEntryRow> {
  const next = ended(previous);
  await changeRow(garage, TimeEntry.resource, { previous, next });
  await keepHoursWorked({ previous, next, garage });
  return next;
}

/** Also if the clock is behind the start, an entry has an end after its start. */
function ended(entry: TimeEntryRow): TimeEntryRow {
  const ended_at = nowAfter(entry.started_at);
  return { ...entry, ended_at, hours: hoursBetween(entry.started_at, ended_at) };
}

/**
 * Applies the change of an entry to the hours of its order, or of both orders if the entry moves. The order is written
 * in any case: it may become an invoice at this moment, and must not miss the entry.
 */
export async function keepHoursWorked({ next, previous, garage }: EntryChange): Promise<void> {
  const orders = new Set([previous?.order_id ?? null, next?.order_id ?? null]);
  for (const id of [...orders].sort()) {
    if (id === null) continue;
    const more = next?.order_id === id ? next.hours : null;
    const fewer = previous?.order_id === id ? previous.hours : null;
    if (more === fewer) await claimRecord(garage, Order.resource, id);
    else await addToOrder(garage, id, addHours(more, minusHours(fewer)));
  }
}

async function addToOrder(garage: Garage, id: number, hours: string): Promise<void> {
  const order = await lockRecord(garage, Order.resource, id);
  if (!order) return;
  const next = { ...order, hours_worked: addHours(order.hours_worked, hours) };
  await changeRow(garage, Order.resource, { previous: order, next });
}

/** Called before an order is written: the entries of an order that can't change any more end. */
export async function endEntriesOf({ next, previous, garage }: OrderChange): Promise<void> {
  if (!previous || previous.order_status === next.order_status || !frozenState(next.order_status)) return;
  const found = await TimeEntry.of(garage).select('id').where('order_id', next.id).whereNull('ended_at');
  if (found.length === 0) return;
  const ids = found.map(({ id }) => id);
  for (const entry of await lockRecords(garage, TimeEntry.resource, 'id', ids)) {
    if (entry.ended_at !== null || entry.order_id !== next.id) continue;
    const last = ended(entry);
    await changeRow(garage, TimeEntry.resource, { previous: entry, next: last });
    next.hours_worked = addHours(next.hours_worked, last.hours);
  }
}
