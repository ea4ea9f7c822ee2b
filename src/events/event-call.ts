// Sends one event: a POST that is signed as Standard Webhooks says, so that its published libraries verify it.
import { createHmac, randomBytes } from 'node:crypto';
import { callReceiver, type Delivery, type Limits, webhookHeaders } from '../calls/exchange.ts';

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

/** Never throws. */
export function sendEvent({ id, secret, body, ...target }: Event): Promise<Delivery> {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  const sign = (content: string) => createHmac('sha256', key).update(content).digest('base64');
  return callReceiver({
    ...target,
    method: 'POST',
    body,
    headers: () => ({ 'content-type': 'application/json', ...webhookHeaders(id, body, sign) }),
  });
}
