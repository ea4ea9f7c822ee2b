// Two loops of a process: one gives changes their places and makes deliveries of them, the other sends what is due.

import type { Logger } from 'pino';
import { unseal } from '../auth/secret.ts';
import { type Delivery, delivered } from '../calls/exchange.ts';
import { CallLoop } from '../calls/loop.ts';
import { type Outcome, outcomeOf } from '../calls/pause.ts';
import { ownersWithUnplaced, placeChanges } from '../changes/place.ts';
import { type RetryOptions, retryWhileAway } from '../database/retry-while-away.ts';
import type { SendMail } from '../mail.ts';
import type { Database } from '../model/session.ts';
import { WebhookSubscription } from '../resources/webhook-subscription.ts';
import { type Blocked, claimDue, type DueDelivery, recordAttempt, releaseDelivery } from './delivery-turn.ts';
import { sendEvent } from './event-call.ts';
import { addressesOfAdmins } from './subscription-block.ts';

/** Owners whose changes are placed at once: requests need the connections. */
const MOST_PLACED = 2;

export interface EventOptions {
  readonly database: Database;
  readonly signingSecret: string;
  readonly allow: readonly string[];
  readonly log: Logger;
  readonly mail: SendMail;
  /** Whether no event may leave this installation now: see installation.ts. */
  readonly isHeld: () => Promise<boolean>;
  /** Called after each attempt, for the metrics. */
  readonly onAttempt?: (outcome: Outcome) => void;
}

const TEXTS: Readonly<Record<Outcome, string>> = {
  delivered: 'event delivered',
  failed: 'event failed',
  given_up: 'event given up',
};

export class Events {
  private readonly options: EventOptions;
  private readonly placing: CallLoop<number, { readonly id: number }>;
  private readonly sending: CallLoop<number, DueDelivery>;
  /** The owners that had subscriptions when they were last read. */
  private subscribed = new Set<number>();

  constructor(options: EventOptions) {
    const { database, log, isHeld } = options;
    this.options = options;
    this.placing = new CallLoop({
      what: 'placing of events',
      most: MOST_PLACED,
      log,
      claim: (most, running) => this.ownersToPlace(most, running),
      make: ({ id }, retry) => this.place(id, retry),
    });
    this.sending = new CallLoop({
      what: 'event',
      log,
      claim: (most, running) => claimDue(database, { most, running, isHeld }),
      make: (due, retry) => this.send(due, retry),
    });
  }

  start(): void {
    this.placing.start();
    this.sending.start();
    // Changes of other processes are found by looking.
    this.options.database.onChanges((owner) => {
      if (this.subscribed.has(owner)) this.placing.wake();
    });
  }

  /** Sends no more and aborts what is being sent; another process sends it again. */
  async drain(): Promise<void> {
    await Promise.all([this.placing.drain(), this.sending.drain()]);
  }

  /** Owners with subscriptions and with changes that have no place. */
  private async ownersToPlace(
    most: number,
    running: ReadonlyMap<number, unknown>,
  ): Promise<{ id: number }[]> {
    const { database } = this.options;
    const owners = await WebhookSubscription.ofAllOwners(database).distinct('owner_id');
    this.subscribed = new Set(owners.map(({ owner_id }) => owner_id));
    const idle = [...this.subscribed].filter((owner) => !running.has(owner));
    if (idle.length === 0) return [];
    return (await ownersWithUnplaced(database, { owners: idle, most })).map((id) => ({ id }));
  }

  private async place(owner: number, retry: RetryOptions): Promise<void> {
    const { draining } = retry;
    try {
      await retryWhileAway(retry, () => placeChanges(this.options.database, owner, { signal: draining }));
    } catch (error) {
      if (!draining.aborted) throw error;
    }
    this.sending.wake();
  }

  private async send(due: DueDelivery, retry: RetryOptions): Promise<void> {
    const { database, log, onAttempt } = this.options;
    const delivery = await this.deliver(due, retry.draining);
    if (retry.draining.aborted && !delivered(delivery)) return releaseDelivery(database, due);
    const blocked = await retryWhileAway(retry, () => recordAttempt(database, due, delivery));
    const outcome = outcomeOf(due.tries, delivery);
    onAttempt?.(outcome);
    const about = { delivery: due.id, subscription: due.subscription_id };
    log[outcome === 'given_up' ? 'warn' : 'info']({ ...about, ...delivery }, TEXTS[outcome]);
    if (blocked) await this.tellBlocked(due, blocked);
    // More may be due for this subscription than it may get at once.
    else if (outcome === 'delivered') this.sending.wake();
  }

  private async deliver(due: DueDelivery, signal: AbortSignal): Promise<Delivery> {
    const { signingSecret, allow, log } = this.options;
    let secret: string;
    try {
      secret = unseal(signingSecret, String(due.sealedSecret));
    } catch (error) {
      log.error({ err: error, subscription: due.subscription_id }, 'a webhook secret could not be read');
      return { status: null, error: 'the secret of the subscription can not be read' };
    }
    return sendEvent({ url: due.url, secret, id: due.message_id, body: due.body, allow, signal });
  }

  private async tellBlocked({ owner_id, subscription_id, url }: DueDelivery, why: Blocked): Promise<void> {
    const { database, mail, log } = this.options;
    log.warn({ subscription: subscription_id, why }, 'a subscription was blocked');
    if (why !== 'failing') return;
    const text =
      `The webhook subscription ${subscription_id} was blocked: nothing could be delivered for five days to\n\n` +
      `${url}\n\nOnce the receiver works again, set is_blocked of the subscription to 0.\n`;
    const send = async (to: string) => mail({ to, subject: 'A webhook subscription was blocked', text });
    const sent = await Promise.allSettled((await addressesOfAdmins(database, owner_id)).map(send));
    for (const { reason } of sent.filter((one) => one.status === 'rejected'))
      log.error(
        { err: reason, subscription: subscription_id },
        'mailing that a subscription was blocked failed',
      );
  }
}
