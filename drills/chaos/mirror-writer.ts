// Writers of the mirror script: each sends requests that add, change and delete records, some of them records that all
// share. A part of the transactions is held open. The outbox entry of such a transaction has an early ID and commits
// late.
import { setTimeout as pause } from 'node:timers/promises';
import { createConnection } from 'mysql2/promise';
import { isConflict } from '../../src/core/model/statements/retried.ts';
import type { Unplaced } from '../../src/core/model/writes/change-log.ts';
import { LISTS } from '../../src/core/trade/lists.ts';
import { databaseNow } from '../../src/core/trade/time/timestamp.ts';
import type { Answer, Json } from '../../test/support/client/client.ts';

/** Half of the time that a transaction is held open. */
const HALF_MS = 1_000;
const { contactkinds, ordertypes, linekinds, vatcodes } = LISTS;

export type Ask = (method: string, path: string, body?: Json) => Promise<Answer>;

export interface Written {
  /** Answers by their status; `lost`: the process was killed before it answered. */
  readonly answers: Map<string, number>;
  held: number;
}

interface Garage {
  readonly owner: number;
  readonly databaseUrl: string;
  /** Contacts that all writers change. */
  readonly contacts: readonly number[];
}

/** An order for each writer, which only this writer changes. */
export async function makeTargets(ask: Ask, contact_id: number, count: number): Promise<number[]> {
  const orders: number[] = [];
  while (orders.length < count) orders.push((await ask('POST', '/order', orderOf(contact_id))).data.id);
  return orders;
}

const lineOf = (order_id: number): Json => ({
  order_id,
  line_kind: linekinds.LABOUR,
  description: 'Work',
  quantity: 1,
  price: 10,
  vat_code: vatcodes.HIGH,
});

const orderOf = (contact_id: number): Json => ({
  order_type: ordertypes.WORKSHOP,
  order_date: '2026-05-01',
  contact_id,
});

export async function write(
  ask: Ask,
  garage: Garage,
  target: number,
  { share, until }: { share: number; until: () => boolean },
): Promise<Written> {
  const written: Written = { answers: new Map(), held: 0 };
  const own: { path: string; id: number }[] = [];
  const holder = await createConnection(garage.databaseUrl);

  async function send(method: string, path: string, body?: Json): Promise<Answer | undefined> {
    const answer = await ask(method, path, body).catch(() => undefined);
    const status = answer === undefined ? 'lost' : String(answer.status);
    written.answers.set(status, (written.answers.get(status) ?? 0) + 1);
    if (answer === undefined) await pause(50);
    return answer;
  }

  async function add(path: string, body: Json): Promise<void> {
    const answer = await send('POST', path, body);
    if (answer?.status === 201) own.push({ path, id: answer.data.id });
  }

  /**
   * A change of the order as the service makes it, whose transaction stays open: its entry is written and has its ID
   * while others commit later IDs.
   */
  async function hold(): Promise<void> {
    try {
      await holdOpen();
      written.held += 1;
    } catch (error) {
      // A transaction of another node has undone this one.
      if (!isConflict(error)) throw error;
      await holder.rollback();
    }
  }

  async function holdOpen(): Promise<void> {
    const reference = `held ${written.held}`;
    const at = databaseNow();
    await holder.beginTransaction();
    await holder.execute(
      'UPDATE orders SET reference = ?, modified_at = ?, version = version + 1 WHERE owner_id = ? AND id = ?',
      [reference, at, garage.owner, target],
    );
    const [[order]] = (await holder.execute(
      'SELECT version, contact_id FROM orders WHERE owner_id = ? AND id = ?',
      [garage.owner, target],
    )) as unknown as [[{ version: number; contact_id: number }]];
    const change: Unplaced = {
      resource: 'order',
      record_id: target,
      external_id: null,
      contact_id: order.contact_id,
      action: LISTS.changeactions.UPDATED,
      version: order.version,
      at,
      employee_id: null,
      api_key_id: null,
      request_id: null,
      changes: JSON.stringify({ reference: [null, reference] }),
    };
    await holder.execute('INSERT INTO change_outbox (owner_id, changes) VALUES (?, ?)', [
      garage.owner,
      JSON.stringify([change]),
    ]);
    await pause(HALF_MS);
    // Gets its place before the change that waits.
    await send('PUT', `/contact/${any(garage.contacts)}`, { city: name() });
    await pause(HALF_MS);
    await holder.commit();
  }

  const name = () => crypto.randomUUID().slice(0, 8);
  const actions: (() => Promise<unknown>)[] = [
    () =>
      add('/contact', {
        contact_kind: contactkinds.PERSON,
        last_name: name(),
        country_id: 1,
        external_id: name(),
      }),
    () => add('/turnovergroup', { code: name(), name: name(), vat_code: vatcodes.HIGH }),
    () => add('/order', orderOf(any(garage.contacts) ?? 0)),
    () => {
      const order = any(own.filter(({ path }) => path === '/order'));
      return order ? add('/orderline', lineOf(order.id)) : Promise.resolve();
    },
    () => send('PUT', `/contact/${any(garage.contacts)}`, { last_name: name() }),
    () => send('PUT', `/contact/${any(garage.contacts)}`, { city: name() }),
    () => {
      const one = any(own);
      return one ? send('PUT', `${one.path}/${one.id}`, { external_id: name() }) : Promise.resolve();
    },
    () => {
      const [one] = own.splice(Math.floor(Math.random() * own.length), 1);
      return one ? send('DELETE', `${one.path}/${one.id}`) : Promise.resolve();
    },
  ];
  try {
    while (!until()) await (Math.random() < share ? hold() : any(actions)?.());
  } finally {
    await holder.end();
  }
  return written;
}

const any = <T>(values: readonly T[]): T | undefined => values[Math.floor(Math.random() * values.length)];
