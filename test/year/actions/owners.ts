// Cars change hands without the garage: owners register them, also while they stand in stock, and sell them elsewhere.
import { LISTS } from '../../../src/core/trade/lists.ts';
import type { Json } from '../../support/client/client.ts';
import { daysBefore } from '../arithmetic/exact.ts';
import type { Desk } from '../desk.ts';
import type { Dice } from '../dice.ts';
import { contactsOf } from './opening.ts';

const { OWNER } = LISTS.vehicleroles;

/** Makes somebody the owner of a car since some days ago. The service refuses it if the car has an owner. */
export const newOwner = (desk: Desk, dice: Dice, vehicle_id: number): Promise<Json | undefined> =>
  desk.add(
    '/vehicleroleline',
    {
      vehicle_id,
      contact_id: dice.pick(contactsOf(desk, 'person', 'dealer', 'lease')),
      role_kind: OWNER,
      start_date: daysBefore(`${desk.today}T08:00:00Z`, dice.below(90)),
    },
    { isByHand: true },
  );

export async function register(desk: Desk, dice: Dice): Promise<void> {
  const vehicle_id = dice.pick(desk.all('vehicle'));
  if (vehicle_id === undefined) return;
  if (dice.chance(70)) await end(desk, vehicle_id);
  if (dice.chance(80)) await newOwner(desk, dice, vehicle_id);
}

async function end(desk: Desk, vehicle_id: number): Promise<void> {
  const isOpen = `vehicle_id:${vehicle_id},role_kind:${OWNER},end_date[null]:1`;
  const [line] = await desk.list(`/vehicleroleline?filter=${isOpen}`);
  if (!line) return;
  const id = Number(line.id);
  const { status } = await desk.ask('PUT', `/vehicleroleline/${id}`, { end_date: `${desk.today}T08:30:00Z` });
  if (status === 200) desk.note('vehicleroleline', id, { isEnded: true });
}
