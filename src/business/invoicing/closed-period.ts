// Closed periods: nothing changes the journal, VAT return, ICP or debtors of a closed day. Each transaction that may
// change such a day claims one of the garage's gates, and a close claims all of them. So a close waits for the changes
// before it, and later changes see it, also on two nodes; changes of different orders seldom share a gate.
import { type Violation, violation } from '../../core/errors.ts';
import { selection } from '../../core/model/lists/find.ts';
import { Counter, nextNumber } from '../../core/model/records/counter.ts';
import { latestOf } from '../../core/model/statements/fragment.ts';
import type { Garage } from '../../core/model/statements/garage.ts';
import { prepared } from '../../core/model/statements/prepared.ts';
import type { NotedChanges } from '../../core/model/statements/session.ts';
import { Owner, type OwnerRow } from '../../core/resources/owner.ts';
import { type ClosedPeriod, closedPeriodOf } from '../../core/trade/closed-period.ts';
import { SERIES_KINDS, seriesCounter } from '../../core/trade/invoice-number.ts';

/** More gates let more changes go at once, and cost a close one statement each. */
const GATES = 16;
const gate = (number: number): string => `books:${number % GATES}`;

export const CLOSED: Violation = violation('record_frozen', { resource: 'period', state: 'closed' });

const CLOSING = ['timezone', 'books_closed_until'];

/** The closed periods of transactions that have claimed a gate for all that they do. */
const claimed = new WeakMap<NotedChanges, ClosedPeriod>();

/**
 * Claims a gate of the garage until the transaction ends, and answers what is closed. `number`: the ID of a row that
 * transactions of one kind share, such as the order of payments, or any number.
 */
export async function claimBooks(garage: Garage, number: number): Promise<ClosedPeriod> {
  const known = garage.changes && claimed.get(garage.changes);
  if (known) return known;
  await nextNumber(garage, gate(number));
  // Read after the claim: a close may have gone before it.
  const [company] = await prepared('the closed days', (mark) =>
    Owner.ofMarked(mark, 't').select(...selection(Owner.resource, CLOSING)),
  ).rows<Pick<OwnerRow, 'timezone' | 'books_closed_until'>>(garage, {});
  return closedPeriodOf(company);
}

/** Claims a gate for all later changes of the transaction. Outside a savepoint: its rollback would undo the claim. */
export async function claimBooksForAll(garage: Garage): Promise<void> {
  const period = await claimBooks(garage, garage.owner);
  if (garage.changes) claimed.set(garage.changes, period);
}

/** The refusal if one of the instants lies on a closed day. `number`: as in `claimBooks`. */
export async function onClosedDay(
  garage: Garage,
  number: number,
  instants: readonly (string | null | undefined)[],
): Promise<Violation | undefined> {
  const days = instants.filter((at) => at != null);
  if (days.length === 0) return undefined;
  const period = await claimBooks(garage, number);
  return days.some((at) => period.has(at)) ? CLOSED : undefined;
}

/** Lets a close of the changed garage wait for what may change its days. Called before the garage is written. */
export async function closeBooks(garage: Garage, next: OwnerRow): Promise<void> {
  for (let number = 0; number < GATES; number += 1) await nextNumber(garage, gate(number));
  const { opens } = closedPeriodOf(next);
  if (opens === undefined) return;
  // Numbered invoices claim the counter of their series, and are dated no earlier than its last time.
  for (const kind of SERIES_KINDS)
    await Counter.of(garage)
      .patch({ last_at: latestOf('last_at', opens) })
      .where('name', 'like', seriesCounter(kind, '%'));
}
