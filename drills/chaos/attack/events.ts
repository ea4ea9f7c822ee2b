// A garage with far more subscriptions than it may have, and with receivers that answer just before the service gives
// up, or never. Meanwhile the garage changes records as fast as it is answered.
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { runCertificates } from '../../../test/support/process/certificates.ts';
import type { Deed, Part, Target } from './part.ts';
import { ask, repeat, Tally } from './request.ts';

const ATTEMPTS = 520;
const MOST_SUBSCRIPTIONS = 20;
const SUBSCRIBERS = 8;
const WRITERS = 2;
const CHANGE_MS = 100;
/** A receiver that takes longer than 10 s has failed. */
const SLOW_MS = 9_000;
/** Events have to pile up first. */
const TIMES_LONGER = 2;

export const events: Part = {
  attacks: { 'subscriptions with slow receivers': subscribe },
  mostMemory: 400,
  watchesEvents: true,
};

async function subscribe(target: Target): Promise<Deed> {
  const receiver = await openSlowReceiver();
  const subscriptions = new Tally();
  let next = 0;
  const add = async () => {
    while (next < ATTEMPTS) {
      next += 1;
      const url = `https://localhost:${receiver.port}/${next % 2 === 0 ? 'slow' : 'silent'}`;
      const body = JSON.stringify({ url, resources: ['contact'] });
      subscriptions.add(await ask(target, 'POST', '/webhooksubscription', { body }));
    }
  };
  await Promise.all(Array.from({ length: SUBSCRIBERS }, add));
  const added = subscriptions.count(({ status }) => status === 201);

  const changes = new Tally();
  const contact = JSON.stringify({ contact_kind: 1, last_name: 'de Boer', country_id: 1 });
  await repeat({ ...target, milliseconds: TIMES_LONGER * target.milliseconds }, WRITERS, async () => {
    changes.add(await ask(target, 'POST', '/contact', { body: contact }));
    await pause(CHANGE_MS);
  });
  const received = receiver.received();
  receiver.close();
  return {
    did: `${ATTEMPTS} subscriptions: ${subscriptions}; changes: ${changes}; ${received} events came to slow receivers`,
    wrong: added > MOST_SUBSCRIPTIONS ? [`one owner has ${added} subscriptions`] : [],
  };
}

async function openSlowReceiver() {
  const { cert, key } = runCertificates();
  let received = 0;
  const server = createServer({ cert, key }, async (request, response) => {
    received += 1;
    request.resume();
    if (request.url === '/silent') return;
    await pause(SLOW_MS);
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    received: () => received,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
