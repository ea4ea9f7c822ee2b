// What the workshop does for orders: hours, appointments, readings of mileage, approvals of lease companies; and the
// tyres and documents of customers. Nobody is at work when a seed ends.
import { Appointment } from '../../core/resources/appointment.ts';
import { Document } from '../../core/resources/document.ts';
import { LeaseApproval } from '../../core/resources/lease-approval.ts';
import { MileageReading } from '../../core/resources/mileage-reading.ts';
import { TimeEntry } from '../../core/resources/time-entry.ts';
import { Tyre } from '../../core/resources/tyre.ts';
import { TyreSet } from '../../core/resources/tyre-set.ts';
import { LISTS } from '../../core/trade/lists.ts';
import { DAY_MS } from '../../core/trade/time/duration.ts';
import { addHours, hoursBetween } from '../../core/trade/time/hours.ts';
import { databaseTime } from '../../core/trade/time/timestamp.ts';
import { CLOSED, END, instantAt, midnight, quarterAfterOpening } from './calendar.ts';
import type { Part } from './drafts.ts';
import type { Sheet } from './orders.ts';
import type { Setup } from './setup.ts';
import type { Pair } from './vehicles.ts';

const { WORKSHOP } = LISTS.ordertypes;
const { IN_PROGRESS, WAITING, READY, INVOICE, CANCELLED } = LISTS.orderstatuses;
const { DUE, ACCEPTED, NOT_NEEDED } = LISTS.reportstatuses;
const { APPROVED, PARTLY, REJECTED, WITHDRAWN } = LISTS.approvalstatuses;
const { STORED, MOUNTED, RETURNED, SCRAPPED } = LISTS.tyresetstatuses;
const { SUMMER, WINTER, ALL_SEASON } = LISTS.tyreseasons;
const { PHOTO, OTHER } = LISTS.documentkinds;
const STATUSES = LISTS.appointmentstatuses;

const WORKED_ON: readonly number[] = [IN_PROGRESS, WAITING, READY, INVOICE];
const WORK_NOTES = ['Bout afgebroken, uitgeboord', 'Proefrit gemaakt 🚗'];
const HOURS_A_DAY = 8;
/** One job of so many may go on after a break. */
const LONG_JOBS = 8;
/** In euros: the owner of a seed has no minimum of its own. */
const OKR_MINIMUM = 150;
const UNREPORTED_MS = 14 * DAY_MS;
/** The sets of tyres of customers in turn. */
const TYRE_SETS = [
  [STORED, WINTER],
  [MOUNTED, SUMMER],
  [STORED, WINTER],
  [RETURNED, ALL_SEASON],
  [STORED, WINTER],
  [SCRAPPED, SUMMER],
] as const;
const { FRONT_LEFT, FRONT_RIGHT, REAR_LEFT, REAR_RIGHT } = LISTS.tyrepositions;
const WHEELS = [FRONT_LEFT, FRONT_RIGHT, REAR_LEFT, REAR_RIGHT];
const TYRE_BRANDS = ['Michelin', 'Continental', 'Vredestein', 'Goodyear', 'Nokian'];
const TYRE_SIZES = ['195/65 R15', '205/55 R16', '225/45 R17', '235/35 ZR19'];
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const REPORT = 'Verslag proefrit\n\nRijdt goed, géén bijgeluiden. Banden één mm boven de grens. 👍\n';

/** One or two entries for an order of the workshop that was worked on. Sets the hours of the order. */
export function addWork(
  { drafts, random }: Part,
  { order, plan, credited }: Sheet,
  { mechanics }: Setup,
): void {
  if (order.order_type !== WORKSHOP || credited || !WORKED_ON.includes(plan.status)) return;
  const start = random.whole(0, 8);
  const middle = start + random.whole(1, 12);
  const stretches = [[start, middle]];
  if (random.chance(0.4)) stretches.push([middle, middle + random.whole(1, 12)]);
  const entries = stretches.map(([from = 0, to = 0]) => {
    const [started_at, ended_at] = [quarterAfterOpening(plan.at, from), quarterAfterOpening(plan.at, to)];
    const employee_id = random.pick(mechanics).id;
    const notes = random.maybe(0.4, WORK_NOTES);
    const hours = hoursBetween(started_at, ended_at);
    return drafts.add(TimeEntry, { order_id: order, employee_id, started_at, ended_at, hours, notes });
  });
  order.hours_worked = addHours(...entries.map(({ hours }) => hours));
}

/**
 * Adds an appointment of an hour for most work; `from` and `all` as in planOrders. Each mechanic works at one
 * workplace. No time is given twice: the time of day follows from the place of the order.
 */
export function addAppointments(
  { drafts }: Part,
  sheets: readonly Sheet[],
  { mechanics, workplaces }: Setup,
  { from, all }: { from: number; all: number },
): void {
  // The slice before may have taken times of its last day.
  const firstDay = from === 0 ? '' : dayOf(instantAt(from / all));
  const taken = new Set<string>();
  for (const { plan, order } of sheets) {
    const mechanic = plan.index % mechanics.length;
    const hour = Math.floor(plan.index / mechanics.length) % HOURS_A_DAY;
    const day = dayOf(plan.at);
    const time = `${day} ${mechanic} ${hour}`;
    const isFree = day > firstDay && !CLOSED.includes(day.slice(5)) && !taken.has(time);
    if (plan.type !== WORKSHOP || !isFree) continue;
    taken.add(time);
    const { contact_id, vehicle_id, description } = order;
    drafts.add(Appointment, {
      ...{ order_id: order, contact_id, vehicle_id, description },
      ...{ employee_id: mechanics[mechanic]?.id, workplace_id: workplaces[mechanic]?.id },
      starts_at: quarterAfterOpening(plan.at, hour * 4),
      ends_at: quarterAfterOpening(plan.at, (hour + 1) * 4),
      appointment_status: appointmentStatusOf(plan.status),
      is_over_breaks: plan.index % LONG_JOBS === 0 ? 1 : 0,
    });
  }
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

function appointmentStatusOf(orderStatus: number): number {
  if (orderStatus === CANCELLED) return STATUSES.CANCELLED;
  if (orderStatus === READY || orderStatus === INVOICE) return STATUSES.DONE;
  return WORKED_ON.includes(orderStatus) ? STATUSES.STARTED : STATUSES.PLANNED;
}

/** The reading of an order that became ready or an invoice. The readings of past years have been reported. */
export function addReading({ drafts }: Part, { order, plan, car }: Sheet): void {
  const { mileage, total_gross } = order;
  if (mileage == null || !(plan.status === READY || plan.status === INVOICE)) return;
  const read_at = databaseTime(plan.at);
  const isNew = END.getTime() - plan.at.getTime() < UNREPORTED_MS;
  const reported = isNew
    ? { report_status: DUE }
    : { report_status: ACCEPTED, reported_at: read_at, judgement: 'logisch' };
  const report = Number(total_gross) > OKR_MINIMUM ? reported : { report_status: NOT_NEEDED };
  drafts.add(MileageReading, { order_id: order, vehicle_id: car.id, reading: mileage, read_at, ...report });
}

/**
 * The approvals of an order that a lease company pays: the first request was for too much, and was made again. Answers
 * the number that an invoice bears. `isPartly`: the lease company does not pay everything.
 */
export function addApproval({ drafts, random }: Part, sheet: Sheet, isPartly: boolean): string | null {
  if (!needsApproval(sheet)) return null;
  const { order, buyer } = sheet;
  const approval_number = `AK-${random.digits(7)}`;
  const approved = { approved_net: order.total_net, approval_number };
  for (const approval of [
    { approval_status: REJECTED, reason: 'Banden nog boven 2,5 mm: niet akkoord' },
    { approval_status: WITHDRAWN },
    isPartly
      ? { approval_status: PARTLY, reason: 'Ruitenwissers vervallen: zelf betalen', ...approved }
      : { approval_status: APPROVED, ...approved },
  ])
    drafts.add(LeaseApproval, {
      ...{ order_id: order, contact_id: buyer.id, requested_net: order.total_net },
      ...approval,
    });
  return approval_number;
}

const needsApproval = ({ buyer, plan, credited, order }: Sheet): boolean =>
  order.order_type === WORKSHOP &&
  buyer.is_lease_company === 1 &&
  !credited &&
  plan.status !== CANCELLED &&
  Number(order.total_net) >= 0;

/** A set of tyres of a customer, in the storage or on the car. `nth`: no other set of the garage has this number. */
export function addTyres({ drafts, random }: Part, { car, contact }: Pair, nth: number): void {
  const [tyreset_status = STORED, season = WINTER] = TYRE_SETS[nth % TYRE_SETS.length] ?? [];
  const days = random.whole(20, 150);
  const isStored = tyreset_status === STORED;
  const tyreset_id = drafts.add(TyreSet, {
    ...{ contact_id: contact.id, vehicle_id: car.id, season, tyreset_status },
    location: isStored ? `R${Math.ceil(nth / 40)}-${String(nth % 40).padStart(2, '0')}` : null,
    stored_at: midnight(-days, END),
    out_at: isStored ? null : midnight(-days + random.whole(1, 19), END),
    notes: random.maybe(0.2, ['Velgen gepoetst ✨, één beschadigd']),
  });
  const dot = `${String(random.whole(1, 52)).padStart(2, '0')}${random.whole(17, 25)}`;
  const same = { tyreset_id, brand: random.pick(TYRE_BRANDS), size: random.pick(TYRE_SIZES), dot };
  for (const position of WHEELS) {
    const tread_mm = `${random.whole(2, 8)}.${random.whole(0, 9)}`;
    drafts.add(Tyre, { ...same, position, tread_mm });
  }
}

/** Photos of cars and reports of orders, in turn. All share two files. */
export async function addDocuments(
  { drafts, random, files }: Part,
  count: number,
  { pairs, sheets }: { pairs: readonly Pair[]; sheets: readonly Sheet[] },
): Promise<void> {
  const photo = { ...(await files.put(Buffer.from(PIXEL, 'base64'))), mime_type: 'image/png' };
  const report = { ...(await files.put(Buffer.from(REPORT))), mime_type: 'text/plain' };
  for (let number = 1; number <= count; number += 2) {
    const { car, contact } = random.pick(pairs);
    const name = `Foto ${car.make} ${car.model} 📷`;
    const whose = { vehicle_id: car.id, contact_id: contact.id };
    drafts.add(Document, { ...photo, document_kind: PHOTO, name, ...whose, file_name: `foto-${number}.png` });
    const reported = { document_kind: OTHER, order_id: random.pick(sheets).order, name: 'Verslag proefrit' };
    drafts.add(Document, { ...report, ...reported, file_name: `verslag-${number + 1}.txt` });
  }
}
