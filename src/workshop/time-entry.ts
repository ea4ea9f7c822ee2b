// Starts and ends the time entries of employees, and keeps the hours of an order in step with its entries. An employee
// has one running entry at most, so whoever makes one writes the row of the employee first.
import { problem } from '../errors.ts';
import { claimRecord, lockRecord, lockRecords } from '../model/find.ts';
import type { Change, RowIn } from '../model/record.ts';
import type { Session } from '../model/session.ts';
import { addRecord } from '../model/store.ts';
import { changeRow } from '../model/write.ts';
import { Employee } from '../resources/employee.ts';
import { Order } from '../resources/order.ts';
import { TimeEntry } from '../resources/time-entry.ts';
import { addHours, hoursBetween, minusHours } from '../trade/hours.ts';
import { frozenState } from '../trade/order-status.ts';
import { databaseNow, formatTimestamp, nowAfter } from '../trade/timestamp.ts';

type Entry = RowIn<typeof TimeEntry>;

/** A change of one entry. A new entry has no `previous`, a deleted one no `next`. */
type EntryChange = Partial<Pick<Change<Entry>, 'next' | 'previous'>> & Pick<Change, 'owner' | 'session'>;

/** The subject of a new entry. */
interface Work {
  readonly employee_id: number;
  readonly order_id: number | undefined;
  readonly orderline_id: number | undefined;
  readonly notes: string | undefined;
}

/** Begins an entry, and ends the one that runs. Throws Problem as POST /timeentry does. */
export async function startEntry(session: Session, owner: number, work: Work): Promise<Entry> {
  const running = await claimRunning(session, owner, work.employee_id);
  const start = running ? (await endEntry(session, owner, running)).ended_at : databaseNow();
  const given = Object.entries(work).filter(([, value]) => value !== undefined);
  return addRecord(session, TimeEntry.resource, owner, {
    ...Object.fromEntries(given),
    started_at: formatTimestamp(String(start)),
  });
}

/** Ends the running entry of the employee. Throws Problem: unknown employee 404, nothing runs 409. */
export async function stopEntry(session: Session, owner: number, employee: number): Promise<Entry> {
  if (!(await lockRecord(session, Employee.resource, owner, employee)))
    throw problem('reference_unknown', { field: 'employee_id', value: employee });
  const running = await claimRunning(session, owner, employee);
  if (!running) throw problem('record_frozen', { resource: 'employee', state: 'not running' });
  return endEntry(session, owner, running);
}

/** The running entry of an employee, locked. See "Locks" in docs/architecture.md. */
export async function claimRunning(
  session: Session,
  owner: number,
  employee_id: number,
): Promise<Entry | undefined> {
  await claimRecord(session, Employee.resource, owner, employee_id);
  const found = await TimeEntry.of(session, owner)
    .select('id')
    .where({ employee_id })
    .whereNull('ended_at')
    .first();
  const entry = found && (await lockRecord(session, TimeEntry.resource, owner, found.id));
  // Ending an entry does not lock the employee, so this one may have ended meanwhile.
  return entry?.ended_at === null ? entry : undefined;
}

async function endEntry(session: Session, owner: number, previous: Entry): Promise<Entry> {
  const next = ended(previous);
  await changeRow(session, TimeEntry.resource, owner, { previous, next });
  await keepHoursWorked({ previous, next, owner, session });
  return next;
}

/** Also if the clock is behind the start, an entry has an end after its start. */
function ended(entry: Entry): Entry {
  const ended_at = nowAfter(entry.started_at);
  return { ...entry, ended_at, hours: hoursBetween(entry.started_at, ended_at) };
}

/**
 * Applies the change of an entry to the hours of its order, or of both orders if the entry moves. The order is written
 * in any case: it may become an invoice at this moment, and must not miss the entry.
 */
export async function keepHoursWorked({ next, previous, owner, session }: EntryChange): Promise<void> {
  const orders = new Set([previous?.order_id ?? null, next?.order_id ?? null]);
  for (const id of [...orders].sort()) {
    if (id === null) continue;
    const more = next?.order_id === id ? next.hours : null;
    const fewer = previous?.order_id === id ? previous.hours : null;
    if (more === fewer) await claimRecord(session, Order.resource, owner, id);
    else await addToOrder(session, owner, id, addHours(more, minusHours(fewer)));
  }
}

async function addToOrder(session: Session, owner: number, id: number, hours: string): Promise<void> {
  const order = await lockRecord(session, Order.resource, owner, id);
  if (!order) return;
  const next = { ...order, hours_worked: addHours(order.hours_worked, hours) };
  await changeRow(session, Order.resource, owner, { previous: order, next });
}

/** Called before an order is written: the entries of an order that can't change any more end. */
export async function endEntriesOf({
  next,
  previous,
  owner,
  session,
}: Change<RowIn<typeof Order>>): Promise<void> {
  if (!previous || previous.order_status === next.order_status || !frozenState(next.order_status)) return;
  const found = await TimeEntry.of(session, owner)
    .select('id')
    .where('order_id', next.id)
    .whereNull('ended_at');
  if (found.length === 0) return;
  const ids = found.map(({ id }) => id);
  for (const entry of await lockRecords(session, TimeEntry.resource, owner, 'id', ids)) {
    if (entry.ended_at !== null || entry.order_id !== next.id) continue;
    const last = ended(entry);
    await changeRow(session, TimeEntry.resource, owner, { previous: entry, next: last });
    next.hours_worked = addHours(next.hours_worked, last.hours);
  }
}
