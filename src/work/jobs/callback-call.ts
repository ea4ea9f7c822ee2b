// Makes the callback of a job: a GET with the job's secret in its query. The signature covers the address, because
// there is no body.
import { createHmac } from 'node:crypto';
import {
  callReceiver,
  type Delivery,
  type Limits,
  type Sign,
  webhookHeaders,
} from '../../platform/calls/exchange.ts';
import type { Lookup } from '../../platform/calls/lookup.ts';

export interface Call extends Limits {
  /** The webhook_url of the request. */
  url: string;
  /** The secret UUID, sent as `id` in the query. */
  id: string;
  jobId: string;
  webhookSecret: string;
}

/** Signs callbacks with the webhook secret of a key. */
export const callbackSign =
  (webhookSecret: string): Sign =>
  (content) =>
    createHmac('sha256', webhookSecret).update(content).digest('base64');

/** Calls back and never throws: see "Callbacks" in docs/integrators.md. */
export function callWebhook(call: Call, lookup?: Lookup): Promise<Delivery> {
  const { id, jobId, webhookSecret, ...target } = call;
  const sign = callbackSign(webhookSecret);
  return callReceiver(
    {
      ...target,
      method: 'GET',
      prepare: (address) => {
        address.search = withId(address.search, id);
      },
      headers: (address) => webhookHeaders(jobId, address, sign),
    },
    lookup,
  );
}

/** The query with our `id` in place of any other. URLSearchParams would also rewrite the rest of the query. */
function withId(search: string, id: string): string {
  const isOther = (part: string) => !new URLSearchParams(`&${part}`).has('id');
  const others = search.slice(1).split('&').filter(isOther);
  return `?${[...others.filter((part) => part !== ''), `id=${encodeURIComponent(id)}`].join('&')}`;
}
