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
import { CLOSED, dayOf, END, instantAt, midnight, quarterAfterOpening } from './calendar.ts';
import type { Part } from './drafts.ts';
import type { Sheet } from './orders.ts';
import type { Plan, Slice } from './plans.ts';
import { inTurn } from './random.ts';
import type { Pair } from './vehicles.ts';

const { WORKSHOP } = LISTS.ordertypes;
const { IN_PROGRESS, WAITING, READY, INVOICE, CANCELLED } = LISTS.orderstatuses;
const { DUE, ACCEPTED, NOT_NEEDED } = LISTS.reportstatuses;
const { APPROVED, PARTLY, REJECTED, WITHDRAWN } = LISTS.approvalstatuses;
const { STORED, MOUNTED, RETURNED, SCRAPPED } = LISTS.tyresetstatuses;
const { SUMMER, WINTER, ALL_SEASON } = LISTS.tyreseasons;
const { FRONT_LEFT, FRONT_RIGHT, REAR_LEFT, REAR_RIGHT } = LISTS.tyrepositions;
const { PHOTO, OTHER } = LISTS.documentkinds;
const { PLANNED, STARTED, DONE, ...APPOINTMENT } = LISTS.appointmentstatuses;

/** The state of the appointment by the state of its order; of other orders planned. */
const APPOINTMENT_STATUSES: Readonly<Record<number, number>> = {
  [IN_PROGRESS]: STARTED,
  [WAITING]: STARTED,
  [READY]: DONE,
  [INVOICE]: DONE,
  [CANCELLED]: APPOINTMENT.CANCELLED,
};
const WORKED_ON: readonly number[] = [STARTED, DONE];
const WORK_NOTES = ['Bout afgebroken, uitgeboord', 'Proefrit gemaakt 🚗'];
const HOURS_A_DAY = 8;
/** One job of so many may go on after a break. */
const LONG_JOBS = 8;
/** In euros: the owner of a seed has no minimum of its own. */
const OKR_MINIMUM = 150;
const UNREPORTED_MS = 14 * DAY_MS;
/** A lease company gives these answers before its last one: the first request was too high, and was made again. */
const ANSWERS = [
  { approval_status: REJECTED, reason: 'Banden nog boven 2,5 mm: niet akkoord' },
  { approval_status: WITHDRAWN },
];
/** The last answer to four orders in a row: once, the lease company does not pay everything. */
const APPROVALS = [
  { approval_status: APPROVED },
  { approval_status: APPROVED },
  { approval_status: APPROVED },
  { approval_status: PARTLY, reason: 'Ruitenwissers vervallen: zelf betalen' },
];
/** The sets of tyres of customers in turn. */
const TYRE_SETS = [
  [STORED, WINTER],
  [MOUNTED, SUMMER],
  [STORED, WINTER],
  [RETURNED, ALL_SEASON],
  [STORED, WINTER],
  [SCRAPPED, SUMMER],
] as const;
const WHEELS = [FRONT_LEFT, FRONT_RIGHT, REAR_LEFT, REAR_RIGHT];
const TYRE_BRANDS = ['Michelin', 'Continental', 'Vredestein', 'Goodyear', 'Nokian'];
const TYRE_SIZES = ['195/65 R15', '205/55 R16', '225/45 R17', '235/35 ZR19'];
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const REPORT = 'Verslag proefrit\n\nRijdt goed, géén bijgeluiden. Banden één mm boven de grens. 👍\n';

const appointmentStatusOf = ({ status }: Plan): number => APPOINTMENT_STATUSES[status] ?? PLANNED;

/** One or two entries for an order of the workshop that was worked on. Sets the hours of the order. */
export function addWork({ drafts, random, setup }: Slice, { order, plan }: Sheet): void {
  if (order.order_type !== WORKSHOP || !WORKED_ON.includes(appointmentStatusOf(plan))) return;
  const start = random.whole(0, 8);
  const middle = start + random.whole(1, 12);
  const stretches = [[start, middle]];
  if (random.chance(0.4)) stretches.push([middle, middle + random.whole(1, 12)]);
  const entries = stretches.map(([from = 0, to = 0]) => {
    const [started_at, ended_at] = [quarterAfterOpening(plan.at, from), quarterAfterOpening(plan.at, to)];
    const hours = hoursBetween(started_at, ended_at);
    const who = { employee_id: random.pick(setup.mechanics).id, notes: random.maybe(0.4, WORK_NOTES) };
    return drafts.add(TimeEntry, { order_id: order, started_at, ended_at, hours, ...who });
  });
  order.hours_worked = addHours(...entries.map(({ hours }) => hours));
}

/**
 * Adds an appointment of an hour for most work. Each mechanic works at one workplace. No time is given twice: the time
 * of day follows from the place of the order.
 */
export function addAppointments({ drafts, setup, from, all }: Slice, sheets: readonly Sheet[]): void {
  const { mechanics, workplaces } = setup;
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
      appointment_status: appointmentStatusOf(plan),
      is_over_breaks: plan.index % LONG_JOBS === 0 ? 1 : 0,
    });
  }
}

/** The reading of an order that has a mileage. The readings of past years have been reported. */
export function addReading({ drafts }: Part, { order, plan, pair }: Sheet): void {
  const { mileage, total_gross } = order;
  if (mileage == null) return;
  const read_at = databaseTime(plan.at);
  const isNew = END.getTime() - plan.at.getTime() < UNREPORTED_MS;
  const reported = isNew
    ? { report_status: DUE }
    : { report_status: ACCEPTED, reported_at: read_at, judgement: 'logisch' };
  const report = Number(total_gross) > OKR_MINIMUM ? reported : { report_status: NOT_NEEDED };
  drafts.add(MileageReading, { order_id: order, vehicle_id: pair.car, reading: mileage, read_at, ...report });
}

/** The approvals of work that a lease company pays. Answers the number that an invoice bears. */
export function addApproval({ drafts, random }: Part, { order, pair, plan }: Sheet): string | null {
  if (order.order_type !== WORKSHOP || !pair.payer || plan.status === CANCELLED) return null;
  const { total_net } = order;
  const asked = { order_id: order, contact_id: pair.payer.id, requested_net: total_net };
  const approval_number = random.filled('AK-#######');
  for (const answer of ANSWERS) drafts.add(LeaseApproval, { ...asked, ...answer });
  const approval = { ...inTurn(APPROVALS, plan.index), approved_net: total_net, approval_number };
  drafts.add(LeaseApproval, { ...asked, ...approval });
  return approval_number;
}

/** A set of tyres of a customer, in the storage or on the car. `nth`: no other set of the garage has this number. */
export function addTyres({ drafts, random }: Part, { car, contact }: Pair, nth: number): void {
  const [tyreset_status, season] = inTurn(TYRE_SETS, nth);
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
  for (const position of WHEELS)
    drafts.add(Tyre, { ...same, position, tread_mm: random.filled(`${random.whole(2, 8)}.#`) });
}

/** Photos of cars and reports of orders, in turn. All share two files. */
export async function addDocuments(slice: Slice, pairs: readonly Pair[], sheets: readonly Sheet[]) {
  const { drafts, random, files } = slice;
  const photo = { ...(await files.put(Buffer.from(PIXEL, 'base64'))), mime_type: 'image/png' };
  const report = { ...(await files.put(Buffer.from(REPORT))), mime_type: 'text/plain' };
  for (let number = 1; number <= Math.max(6, Math.round(sheets.length / 50)); number += 2) {
    const { car, contact } = random.pick(pairs);
    const name = `Foto ${car.make} ${car.model} 📷`;
    const whose = { vehicle_id: car.id, contact_id: contact.id };
    drafts.add(Document, { ...photo, document_kind: PHOTO, name, ...whose, file_name: `foto-${number}.png` });
    const reported = { document_kind: OTHER, order_id: random.pick(sheets).order, name: 'Verslag proefrit' };
    drafts.add(Document, { ...report, ...reported, file_name: `verslag-${number + 1}.txt` });
  }
}
