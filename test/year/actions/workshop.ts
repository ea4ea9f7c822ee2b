// The workshop: appointments, hours, tyres and approvals.
import { LISTS } from '../../../src/core/trade/lists.ts';
import type { Json } from '../../support/client/client.ts';
import type { Desk } from '../desk.ts';
import type { Dice } from '../dice.ts';
import { contactsOf } from './opening.ts';
import { anOrder, invoice } from './trading.ts';

const { orderstatuses, appointmentstatuses, tyreseasons, tyresetstatuses, approvalstatuses } = LISTS;
const HOUR = 3_600_000;

const hoursAhead = (desk: Desk, hours: number): string =>
  new Date(Date.parse(`${desk.today}T07:00:00Z`) + hours * HOUR).toISOString();

function times(desk: Desk, dice: Dice): Json {
  const start = 24 + dice.below(10);
  return { starts_at: hoursAhead(desk, start), ends_at: hoursAhead(desk, start + 1 + dice.below(3)) };
}

export async function book(desk: Desk, dice: Dice): Promise<void> {
  await desk.add('/appointment', {
    employee_id: dice.pick(desk.all('employee')),
    ...(dice.chance(60) && { workplace_id: dice.pick(desk.all('workplace')) }),
    ...(dice.chance(40) && { order_id: dice.pick(desk.all('order')) ?? null }),
    ...times(desk, dice),
  });
}

export async function rebook(desk: Desk, dice: Dice): Promise<void> {
  const id = dice.pick(desk.all('appointment'));
  if (id === undefined) return;
  const body = dice.weigh<Json>([
    [times(desk, dice), 3],
    [{ employee_id: dice.pick(desk.all('employee')) }, 2],
    [{ appointment_status: appointmentstatuses.CANCELLED }, 1],
    [{ appointment_status: appointmentstatuses.PLANNED }, 1],
  ]);
  await desk.ask('PUT', `/appointment/${id}`, body);
}

export async function clock(desk: Desk, dice: Dice): Promise<void> {
  const employee_id = dice.pick(desk.all('employee'));
  const order_id = anOrder(desk, dice) ?? null;
  const way = dice.weigh([
    ['start', 4],
    ['stop', 4],
    ['late', 2],
  ] as const);
  if (way === 'stop') await desk.ask('POST', '/timeentry/stop', { employee_id });
  else if (way === 'start') await desk.ask('POST', '/timeentry/start', { employee_id, order_id });
  else await forgetClock(desk, dice, { employee_id, order_id });
}

/** Somebody began hours ago, and forgot the clock. Often the order is invoiced or cancelled meanwhile. */
async function forgetClock(desk: Desk, dice: Dice, work: Json): Promise<void> {
  await desk.add('/timeentry', { ...work, started_at: hoursAhead(desk, -dice.euros(9)) });
  if (work.order_id === null || !dice.chance(50)) return;
  const id = Number(work.order_id);
  if (dice.chance(30)) await desk.ask('PUT', `/order/${id}`, { order_status: orderstatuses.CANCELLED });
  else if ((await invoice(desk, id)).status === 200) desk.note('order', id, { isLeft: false });
}

export async function writeHours(desk: Desk, dice: Dice): Promise<void> {
  const start = -48 - dice.below(200);
  const old = dice.chance(40) ? dice.pick(desk.all('timeentry')) : undefined;
  if (old !== undefined && dice.chance(30)) await desk.ask('DELETE', `/timeentry/${old}`);
  else if (old !== undefined)
    await desk.ask('PUT', `/timeentry/${old}`, {
      ended_at: hoursAhead(desk, -dice.euros(40)),
      order_id: dice.pick(desk.all('order')) ?? null,
    });
  else
    await desk.add('/timeentry', {
      employee_id: dice.pick(desk.all('employee')),
      order_id: dice.pick(desk.all('order')) ?? null,
      started_at: hoursAhead(desk, start),
      ended_at: hoursAhead(desk, start + 1 + dice.below(4)),
    });
}

export async function storeTyres(desk: Desk, dice: Dice): Promise<void> {
  const vehicle_id = dice.pick(desk.all('vehicle')) ?? null;
  const isStored = dice.chance(50);
  await desk.add(
    '/tyreset',
    {
      contact_id: dice.pick(contactsOf(desk, 'person')),
      vehicle_id,
      season: tyreseasons.WINTER,
      tyreset_status: isStored ? tyresetstatuses.STORED : tyresetstatuses.MOUNTED,
      ...(isStored && { location: `R${dice.below(5)}` }),
    },
    { vehicle_id },
  );
}

export async function swapTyres(desk: Desk, dice: Dice): Promise<void> {
  const out_tyreset_id = dice.pick(desk.all('tyreset'));
  const in_tyreset_id = dice.pick(desk.all('tyreset'));
  if (out_tyreset_id === undefined) return;
  const { vehicle_id } = desk.facts('tyreset', out_tyreset_id);
  if (vehicle_id) await desk.ask('PUT', '/tyreset/swap', { vehicle_id, out_tyreset_id, in_tyreset_id });
}

export async function approve(desk: Desk, dice: Dice): Promise<void> {
  const order_id = dice.pick(desk.all('order'));
  const contact_id = contactsOf(desk, 'lease')[0];
  if (order_id === undefined) return;
  const { total_net } = await desk.read(`/order/${order_id}`);
  await desk.add('/leaseapproval', {
    order_id,
    contact_id,
    approval_status: dice.chance(60) ? approvalstatuses.APPROVED : approvalstatuses.SENT,
    approved_net: Math.abs(Number(total_net ?? 0)),
    approval_number: `A${desk.serial()}`,
  });
}
