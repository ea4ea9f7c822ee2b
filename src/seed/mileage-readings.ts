// The readings that were taken when orders became ready or invoices. The readings of past years have been reported.
import type { MileageReading } from '../resources/mileage-reading.ts';
import { LISTS } from '../trade/lists.ts';
import { DAY_MS } from '../trade/time/duration.ts';
import { databaseTime } from '../trade/time/timestamp.ts';
import { END } from './calendar.ts';
import type { Sheet } from './orders.ts';
import type { Draft } from './writer.ts';

const { READY, INVOICE } = LISTS.orderstatuses;
const { DUE, ACCEPTED, NOT_NEEDED } = LISTS.reportstatuses;
const TAKEN: readonly number[] = [READY, INVOICE];
/** In euros: the owner of a seed has no minimum of its own. */
const OKR_MINIMUM = 150;
const UNREPORTED_MS = 14 * DAY_MS;

export function readingOf({ order, plan }: Sheet): Draft<typeof MileageReading>[] {
  const { id, vehicle_id, mileage, total_gross } = order;
  if (!TAKEN.includes(plan.status) || mileage == null || vehicle_id == null) return [];
  const read_at = databaseTime(plan.at);
  const reading = { order_id: id, vehicle_id, reading: mileage, read_at };
  if (Number(total_gross) <= OKR_MINIMUM) return [{ ...reading, report_status: NOT_NEEDED }];
  if (END.getTime() - plan.at.getTime() < UNREPORTED_MS) return [{ ...reading, report_status: DUE }];
  return [{ ...reading, report_status: ACCEPTED, reported_at: read_at, judgement: 'logisch' }];
}
