// Sends one event: a POST that is signed as Standard Webhooks says, so that its published libraries verify it.
import { createHmac, randomBytes } from 'node:crypto';
import {
  callReceiver,
  type Delivery,
  type Limits,
  type Sign,
  webhookHeaders,
} from '../../platform/calls/exchange.ts';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** A secret as Standard Webhooks writes it: the base64 of the key behind `whsec_`. */
export const newSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

interface Event extends Limits {
  readonly url: string;
  readonly secret: string;
  /** The same on each try. */
  readonly id: string;
  readonly body: string;
}

export const isEventSecret = (text: string): boolean => text.startsWith(PREFIX);

/** Signs events with the secret of a subscription. */
export function eventSign(secret: string): Sign {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return (content) => createHmac('sha256', key).update(content).digest('base64');
}

/** Never throws. */
export function sendEvent({ id, secret, body, ...target }: Event): Promise<Delivery> {
  const sign = eventSign(secret);
  return callReceiver({
    ...target,
    method: 'POST',
    body,
    headers: () => ({ 'content-type': 'application/json', ...webhookHeaders(id, body, sign) }),
  });
}
