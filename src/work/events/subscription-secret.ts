// The secret of a subscription, which verifies the signatures of its events. It is stored sealed.

import { type Violation, violation } from '../../core/errors.ts';
import type { Change } from '../../core/model/records/record.ts';
import type { Garage } from '../../core/model/statements/garage.ts';
import { WebhookSubscription } from '../../core/resources/webhook-subscription.ts';
import { opens, seal } from '../../platform/auth/secret.ts';
import { newSecret } from './event-call.ts';

const NEEDS_READABLE_SECRET = 'subscription with a readable secret';

export async function giveSecret(garage: Garage, id: number, signingSecret: string): Promise<string> {
  const secret = newSecret();
  await WebhookSubscription.of(garage)
    .patch({ sealed_secret: seal(signingSecret, secret) })
    .where('id', id);
  return secret;
}

/** Signing secrets may have changed since the subscription was made: without its own secret it could send no event. */
export const refuseUnreadableSecret =
  (signingSecret: string) =>
  ({ next, previous }: Change): Violation[] => {
    const isUnblocked = previous?.is_blocked === 1 && next.is_blocked === 0;
    if (!isUnblocked || previous.sealed_secret === null) return [];
    return opens(signingSecret, String(previous.sealed_secret))
      ? []
      : [violation('value_invalid', { field: 'is_blocked', value: 0, validation: NEEDS_READABLE_SECRET })];
  };
