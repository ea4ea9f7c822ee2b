// The secret of a new subscription, which verifies the signatures of its events. It is stored sealed.
import { seal } from '../auth/secret.ts';
import type { Garage } from '../model/statements/garage.ts';
import { WebhookSubscription } from '../resources/webhook-subscription.ts';
import { newSecret } from './event-call.ts';

export async function giveSecret(garage: Garage, id: number, signingSecret: string): Promise<string> {
  const secret = newSecret();
  await WebhookSubscription.of(garage)
    .patch({ sealed_secret: seal(signingSecret, secret) })
    .where('id', id);
  return secret;
}
