// The secret of a new subscription, which verifies the signatures of its events. It is stored sealed.

import type { Garage } from '../../core/model/statements/garage.ts';
import { WebhookSubscription } from '../../core/resources/webhook-subscription.ts';
import { seal } from '../../platform/auth/secret.ts';
import { newSecret } from './event-call.ts';

export async function giveSecret(garage: Garage, id: number, signingSecret: string): Promise<string> {
  const secret = newSecret();
  await WebhookSubscription.of(garage)
    .patch({ sealed_secret: seal(signingSecret, secret) })
    .where('id', id);
  return secret;
}
