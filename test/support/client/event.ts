// Subscriptions and their events, for tests.

import { resourceNamed } from '../../../src/core/model/records/registry.ts';
import { garageOf } from '../../../src/core/model/statements/garage.ts';
import type { Database } from '../../../src/core/model/statements/session.ts';
import { addRecord } from '../../../src/core/model/writes/store.ts';
import { seal } from '../../../src/platform/auth/secret.ts';
import { newSecret } from '../../../src/work/events/event-call.ts';
import { build } from '../build/build.ts';
import { execute, select } from '../database/sql.ts';
import type { Received, Receiver } from '../process/https-receiver.ts';
import { database, theService } from '../service/service.ts';
import { until } from '../service/until.ts';
import type { Change } from './changes.ts';
import type { Client, Json } from './client.ts';

export interface Subscribed {
  readonly id: number;
  readonly secret: string;
}

/** A subscription of the client's garage, made over HTTP. */
export const subscribe = (client: Client, receiver: Receiver, more: Json = {}): Promise<Subscribed> =>
  build(client, 'webhooksubscription', { url: receiver.url('/events'), resources: ['*'], ...more });

/** A subscription in a database without a service; its key may read everything. */
export async function subscribeIn(database: Database, owner: number, url: string): Promise<Subscribed> {
  const secret = newSecret();
  const row = await database.transaction((session) =>
    addRecord(garageOf(session, owner), resourceNamed('webhooksubscription'), {
      url,
      resources: ['turnovergroup'],
    }),
  );
  await execute(
    database,
    'UPDATE webhooksubscriptions SET sealed_secret = ?, allow = \'["*"]\' WHERE id = ?',
    [seal(theService().base.signingSecret, secret), Number(row.id)],
  );
  return { id: Number(row.id), secret };
}

let codes = 0;

/** A change in a database without a service: a new turnovergroup. Answers its ID. */
export async function changeIn(database: Database, owner: number): Promise<number> {
  codes += 1;
  const body = { code: `E${codes}`, name: 'Banden', vat_code: 1 };
  const row = await database.transaction((session) =>
    addRecord(garageOf(session, owner), resourceNamed('turnovergroup'), body),
  );
  return Number(row.id);
}

export interface Event {
  readonly type: string;
  readonly timestamp: string;
  readonly data: Pick<Change, 'seq' | 'resource' | 'id' | 'external_id' | 'action' | 'version'>;
}

export const eventOf = ({ body }: Received): Event => JSON.parse(body) as Event;

/** The requests with an event of this type, once there are so many. */
export const eventsOfType = (receiver: Receiver, type: string, count = 1): Promise<Received[]> =>
  until(async () => {
    const found = receiver.requests.filter((request) => eventOf(request).type === type);
    return found.length >= count && found;
  });

/** The deliveries of the client's garage; `query` begins with a question mark. */
export const deliveriesOf = async (client: Client, query = '') =>
  (await client.get(`/webhookdelivery${query}`)).data;

/** Waits until all changes of the client's garage have their places. */
export const placed = ({ garage }: Client) =>
  until(async () => {
    const sql = 'SELECT COUNT(*) AS n FROM change_outbox WHERE owner_id = ?';
    return Number((await select(database(), sql, [garage.owner]))[0]?.n) === 0;
  });
