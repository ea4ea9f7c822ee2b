// A workshop to be booked: an employee, a lift and appointments.
import { LISTS } from '../../../src/core/trade/lists.ts';
import type { Client, Json } from '../client/client.ts';
import { expect } from '../client/expect.ts';
import { build } from './build.ts';

export const OUTSIDE_HOURS = (value: string) =>
  `Field: [starts_at] has an invalid value: [${value}] for validation: [working hours]`;
export const OCCUPIED = {
  employee: '[employee] is [occupied], cannot add/update/delete',
  workplace: '[workplace] is [occupied], cannot add/update/delete',
};

export type Workshop = {
  readonly employee_id: number;
  readonly workplace_id: number;
};

/** Employee and lift have no hours, so any time can be booked. */
export const buildWorkshop = async (client: Client): Promise<Workshop> => ({
  employee_id: (await build(client, 'employee')).id,
  workplace_id: (await build(client, 'workplace', { workplace_kind: LISTS.workplacekinds.LIFT })).id,
});

/** From Monday to Sunday, or on the named days. */
export async function addHours(
  client: Client,
  whose: Json,
  start_time: string,
  end_time: string,
  weekdays = [1, 2, 3, 4, 5, 6, 7],
): Promise<void> {
  for (const weekday of weekdays)
    await build(client, 'workhour', { ...whose, weekday, start_time, end_time });
}

/** Books and unbooks: whether the hours allow the appointment. Fails for any other refusal. */
export async function isWithinHours(
  client: Client,
  appointment: Json & { readonly starts_at: string },
): Promise<boolean> {
  const answer = await client.post('/appointment', appointment);
  if (answer.status !== 201) {
    expect(answer).to.be.refused(403, OUTSIDE_HOURS(appointment.starts_at));
    return false;
  }
  await client.del(`/appointment/${answer.data.id}`);
  return true;
}

/** On Monday 4 May 2026, by hours and minutes in UTC: `['10:00', '11:30']`. */
export const time = (start: string, end: string): { starts_at: string; ends_at: string } => ({
  starts_at: `2026-05-04T${start}:00.000Z`,
  ends_at: `2026-05-04T${end}:00.000Z`,
});
