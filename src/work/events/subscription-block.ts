// Blocks subscriptions whose receiver is gone or has failed on five days, or whose key was revoked. They get no more
// events. In the change log the service is the author.

import { Problem } from '../../core/errors.ts';
import { type Garage, garageOf } from '../../core/model/statements/garage.ts';
import type { Session } from '../../core/model/statements/session.ts';
import { changeRecord } from '../../core/model/writes/store.ts';
import { Employee } from '../../core/resources/employee.ts';
import { WebhookSubscription } from '../../core/resources/webhook-subscription.ts';
import { isEmail } from '../../core/trade/identity/identifiers.ts';
import { LISTS } from '../../core/trade/lists.ts';
import { fit } from '../../platform/auth/fit.ts';

/** Blocks a subscription. False: it is blocked or deleted already. */
export async function blockSubscription(garage: Garage, id: number): Promise<boolean> {
  const found = await WebhookSubscription.of(garage)
    .select('id')
    .where({ id, is_blocked: 0 })
    .forUpdate()
    .first();
  if (!found) return false;
  try {
    await changeRecord(garage, WebhookSubscription.resource, id, { is_blocked: 1 });
    return true;
  } catch (error) {
    // An archived subscription gets no events either.
    if (error instanceof Problem) return false;
    throw error;
  }
}

/** Blocks all subscriptions that a key has made. Answers their IDs. */
export async function blockSubscriptionsOf(session: Session, apiKey: number): Promise<number[]> {
  const made = await WebhookSubscription.ofAllOwners('turns', session)
    .select('id', 'owner_id')
    .where({ api_key_id: apiKey, is_blocked: 0 });
  const blocked: number[] = [];
  for (const { id, owner_id } of made)
    if (await blockSubscription(garageOf(session, owner_id), id)) blocked.push(id);
  return blocked;
}

/** The addresses of an owner's ADMINs who may log in. */
export async function addressesOfAdmins(garage: Garage): Promise<string[]> {
  const admins = await Employee.of(garage, 'e')
    .select('e.emailaddress')
    .where('e.role_kind', LISTS.rolekinds.ADMIN)
    .modify(fit, 'e');
  // The address was not validated when it was stored; a mailer might read several addresses in it, or headers.
  return [...new Set(admins.map(({ emailaddress }) => String(emailaddress ?? '')).filter(isEmail))];
}
