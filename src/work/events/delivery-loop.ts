// Two loops of a process: one gives changes their places and makes deliveries of them, the other sends due deliveries.

import type { Session } from '../../core/model/statements/session.ts';
import { OutboxEntry } from '../../core/model/writes/change-log.ts';
import { WebhookSubscription } from '../../core/resources/webhook-subscription.ts';
import { CallLoop } from '../../platform/calls/loop.ts';
import { callLoop, type Deadline } from '../../platform/calls/turn.ts';
import { placeChanges } from '../../platform/changes/place.ts';
import { type RetryOptions, retryWhileAway } from '../../platform/database/away.ts';
import { type DeliveryOptions, type DueDelivery, deliveries } from './delivery-turn.ts';

/** Owners whose changes are placed at once: requests need the connections. */
const MOST_PLACED = 4;
/** How long an owner's turn lasts while others wait for theirs. */
const PLACING_MS = 250;
/** How often the owners with subscriptions are read. The changes of a newer one are found by looking. */
const SUBSCRIBED_MS = 10_000;

export class Events {
  private readonly options: DeliveryOptions;
  private readonly placing: CallLoop<{ readonly id: number }>;
  private readonly sending: CallLoop<DueDelivery & Deadline>;
  /** The owners that had subscriptions when they were last read. */
  private subscribed = new Set<number>();
  private subscribedAt = Number.NEGATIVE_INFINITY;
  /** Owners with subscriptions whose records this process has changed since the last look. */
  private changed = new Set<number>();
  /** Owners whose last turn left changes without a place, by the number of that turn. They come after all others. */
  private readonly behind = new Map<number, number>();
  private turns = 0;

  constructor(options: DeliveryOptions) {
    this.options = options;
    this.placing = new CallLoop({
      what: 'placing of events',
      most: MOST_PLACED,
      log: options.log,
      claim: (most, running) => this.ownersToPlace(most, running),
      make: ({ id }, retry) => this.place(id, retry),
    });
    this.sending = callLoop(
      options,
      deliveries(options, () => this.sending.wake()),
    );
  }

  start(): void {
    this.placing.start();
    this.sending.start();
    // Changes of other processes are found by looking.
    this.options.database.onChanges((owner) => {
      if (!this.subscribed.has(owner)) return;
      this.changed.add(owner);
      this.placing.wake();
    });
  }

  /** Sends no more and aborts what is being sent; another process sends it again. */
  async drain(): Promise<void> {
    await Promise.all([this.placing.drain(), this.sending.drain()]);
  }

  /** Owners with subscriptions and with changes that have no place, in turns. */
  private async ownersToPlace(
    most: number,
    running: ReadonlyMap<number, unknown>,
  ): Promise<{ id: number }[]> {
    const { database } = this.options;
    if (performance.now() > this.subscribedAt + SUBSCRIBED_MS) await this.readSubscribed();
    const changed = [...this.changed];
    this.changed.clear();
    const waiting = await subscribersWithUnplaced(database);
    for (const owner of waiting) this.subscribed.add(owner);
    // A reader of the feed has given the places, and made the deliveries with them.
    if (changed.some((owner) => !waiting.includes(owner))) this.sending.wake();
    const turnOf = (owner: number) => this.behind.get(owner) ?? 0;
    return waiting
      .filter((owner) => !running.has(owner))
      .sort((a, b) => turnOf(a) - turnOf(b))
      .slice(0, most)
      .map((id) => ({ id }));
  }

  private async readSubscribed(): Promise<void> {
    const owners = await WebhookSubscription.ofAllOwners('turns', this.options.database).distinct('owner_id');
    this.subscribed = new Set(owners.map(({ owner_id }) => owner_id));
    this.subscribedAt = performance.now();
  }

  private async place(owner: number, retry: RetryOptions): Promise<void> {
    const { draining } = retry;
    const turn = { signal: draining, milliseconds: PLACING_MS };
    try {
      const isWhole = await retryWhileAway(retry, () => placeChanges(this.options.database, owner, turn));
      this.turns += 1;
      if (isWhole) this.behind.delete(owner);
      else this.behind.set(owner, this.turns);
    } catch (error) {
      if (!draining.aborted) throw error;
    }
    this.sending.wake();
    // Another owner may wait for this turn to end.
    this.placing.wake();
  }
}

/** Owners with subscriptions and with changes that have no place. One look into the outbox for each such owner. */
async function subscribersWithUnplaced({ knex }: Session): Promise<number[]> {
  const first = OutboxEntry.ofAllOwners('part')
    .select('id')
    .whereColumn('owner_id', 's.owner_id')
    .orderBy('id')
    .limit(1);
  const waiting = await WebhookSubscription.ofAllOwners('turns', { knex })
    .alias('s')
    .select('s.owner_id', first.as('first'))
    .groupBy('s.owner_id')
    .havingNotNull('first')
    .orderBy('first');
  return waiting.map(({ owner_id }) => owner_id);
}
