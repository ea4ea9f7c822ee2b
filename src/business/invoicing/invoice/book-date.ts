// `book_date` is the day on which an invoice counts in the books. A process of the release before writes invoices
// without it, and an older backup lacks it: such invoices count on their date, and are completed before books are read.
import { ref } from 'objection';
import { type Violation, violation } from '../../../core/errors.ts';
import { keepsFolded } from '../../../core/model/records/search-text.ts';
import { type Garage, garageOf } from '../../../core/model/statements/garage.ts';
import type { Database } from '../../../core/model/statements/session.ts';
import { Order, type OrderChange } from '../../../core/resources/order.ts';
import { Owner } from '../../../core/resources/owner.ts';
import { dayOf, todayIn } from '../../../core/trade/time/day.ts';
import { completeAllRegimes, completeRegimesOf } from '../regime/regime.ts';
import { readTimezone } from '../timezone.ts';
import { completeBpm } from './line-bpm.ts';
import { completePercentages } from './line-percentage.ts';

const PORTION = 1_000;

export const laterThanToday = (value: unknown): Violation =>
  violation('value_invalid', { field: 'supplier_invoice_date', value, validation: 'not after today' });

/** Refuses a date of the seller's invoice that is still to come, on the calendar of the garage. */
export async function sellerDateIsPast(change: OrderChange): Promise<Violation | undefined> {
  const { next, previous, given, garage } = change;
  const date = next.supplier_invoice_date;
  if (date === null || date === previous?.supplier_invoice_date) return undefined;
  const timezone = await readTimezone(garage);
  if (dayOf(date, timezone) <= todayIn(timezone)) return undefined;
  return laterThanToday(given('supplier_invoice_date'));
}

/**
 * The invoices that lack a book_date: found on an index, without the others. COALESCE in each query of the books would
 * use no index.
 */
const incomplete = (garage: Garage) =>
  Order.of(garage).select('id').where('is_invoiced', 1).whereNull('book_date').whereNotNull('invoice_date');

/** Completes the invoices of an owner, within the caller's transaction. */
export async function completeBookDates(garage: Garage): Promise<void> {
  for (;;) {
    // Read before they are locked: an UPDATE that searches would lock rows that other requests write.
    const ids = (await incomplete(garage).limit(PORTION)).map(({ id }) => id);
    if (ids.length === 0) return;
    await completeBpm(garage, ids);
    await completePercentages(garage, ids);
    await Order.of(garage)
      .patch({ book_date: ref('invoice_date'), ...keepsFolded(Order.resource) })
      .whereIn('id', ids)
      .whereNull('book_date');
  }
}

/** Completes the invoices and the settings of an owner. If nothing is incomplete, these are three short queries. */
export async function completeBooks(database: Database, owner: number): Promise<void> {
  await completeRegimesOf(database, owner);
  const [one] = await incomplete(garageOf(database, owner)).limit(1);
  if (one) await database.transaction((session) => completeBookDates(garageOf(session, owner)));
}

/** Completes the invoices and the settings of all owners. Runs at start and at each tidying. */
export async function completeAllBooks(database: Database): Promise<void> {
  await completeAllRegimes(database);
  const lacking = Order.ofAllOwners('part')
    .select('id')
    .whereColumn('orders.owner_id', 'owners.id')
    .where('is_invoiced', 1)
    .whereNull('book_date')
    .whereNotNull('invoice_date');
  const owners = await Owner.ofAllOwners('upgrade', database).select('id').whereExists(lacking);
  for (const { id } of owners) await completeBooks(database, id);
}
