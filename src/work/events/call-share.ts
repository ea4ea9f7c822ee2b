// The number of events that each subscription may send now. Owners take turns. A subscription may always have one call.
// The slow receivers of an owner may always have one call together. So a receiver that hangs delays no other
// subscription and no other owner.

import { grouped } from '../../core/trade/grouped.ts';

/** The calls of a process beyond the first one of each subscription: the owners share them. */
const SHARED_CALLS = 500;
/** The calls of a process to slow receivers, beyond the first one of each owner. */
const SLOW_CALLS = 250;
const MOST_CALLS_OF_SUBSCRIPTION = 8;

/** An active subscription with an event that is due. */
export interface DueSubscription {
  readonly id: number;
  readonly owner: number;
  /** Its last call took long. */
  readonly isSlow: boolean;
  /** When its first event became due. */
  readonly since: string;
}

/** A call that the process is making. */
export interface RunningCall {
  readonly owner_id: number;
  readonly subscription_id: number;
  /** Whether the subscription was slow when the call began. */
  readonly isSlow: boolean;
}

/** A call that may begin. */
interface CallSlot {
  readonly subscription: DueSubscription;
  /** The calls of its owner, with this one. */
  readonly ofOwner: number;
  /** The slow calls of its owner, with this one. */
  readonly slowOfOwner: number;
}

/** The calls that may begin, by subscription: `most` in all. Owners with the fewest calls come first. */
export function shareCalls(
  due: readonly DueSubscription[],
  running: readonly RunningCall[],
  most: number,
): Map<number, number> {
  const dueOf = grouped(due, ({ owner }) => owner);
  const runningOf = grouped(running, ({ owner_id }) => owner_id);
  const share = SHARED_CALLS / new Set([...dueOf.keys(), ...runningOf.keys()]).size;
  const slots = [...dueOf].flatMap(([owner, theirs]) =>
    slotsOf(theirs, runningOf.get(owner) ?? [], share).slice(0, most),
  );
  slots.sort((a, b) => a.ofOwner - b.ofOwner || bySince(a.subscription, b.subscription));
  let slow = running.filter(({ isSlow }) => isSlow).length;
  const shares = new Map<number, number>();
  let left = most;
  for (const { subscription, slowOfOwner } of slots) {
    if (left === 0) break;
    if (subscription.isSlow) {
      if (slow >= SLOW_CALLS && slowOfOwner > 1) continue;
      slow += 1;
    }
    shares.set(subscription.id, (shares.get(subscription.id) ?? 0) + 1);
    left -= 1;
  }
  return shares;
}

/**
 * The calls that one owner may begin: the first of each subscription, then the rest of the owner's share; slow ones
 * last.
 */
function slotsOf(
  due: readonly DueSubscription[],
  running: readonly RunningCall[],
  share: number,
): CallSlot[] {
  const inOrder = due.toSorted((a, b) => Number(a.isSlow) - Number(b.isSlow) || bySince(a, b));
  const calls = grouped(running, ({ subscription_id }) => subscription_id);
  let ofOwner = running.length;
  let slowOfOwner = running.filter(({ isSlow }) => isSlow).length;
  const slots: CallSlot[] = [];
  for (let round = 1; round <= MOST_CALLS_OF_SUBSCRIPTION; round += 1)
    for (const subscription of inOrder) {
      if ((calls.get(subscription.id)?.length ?? 0) >= round || (round > 1 && ofOwner >= share)) continue;
      ofOwner += 1;
      if (subscription.isSlow) slowOfOwner += 1;
      slots.push({ subscription, ofOwner, slowOfOwner });
    }
  return slots;
}

const bySince = (a: DueSubscription, b: DueSubscription): number =>
  a.since < b.since ? -1 : Number(a.since > b.since);
