// Reads the time zone of a garage, if no other statement of the request has it.
import type { Garage } from '../../core/model/statements/garage.ts';
import { prepared } from '../../core/model/statements/prepared.ts';
import { Owner } from '../../core/resources/owner.ts';
import { timezoneOf } from '../../core/trade/time/day.ts';

export async function readTimezone(garage: Garage): Promise<string> {
  const [company] = await prepared('timezone', (mark) => Owner.ofMarked(mark).select('timezone')).rows<
    Pick<Owner, 'timezone'>
  >(garage, {});
  return timezoneOf(company);
}
