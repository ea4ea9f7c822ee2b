// Writers of the mirror script: each sends requests that add, change and delete records, some of them records that all
// share. A part of the transactions is held open. The log rows of such a transaction have early IDs and commit late.
import { setTimeout as pause } from 'node:timers/promises';
import { createConnection } from 'mysql2/promise';
import { LISTS } from '../../src/trade/lists.ts';
import type { Answer, Json } from '../../test/support/client.ts';

const HELD_MS = 2_000;
const { contactkinds, ordertypes, linekinds, vatcodes } = LISTS;

export type Ask = (method: string, path: string, body?: Json) => Promise<Answer>;

export interface Written {
  /** Answers by their status; `lost`: the process was killed before it answered. */
  readonly answers: Map<string, number>;
  held: number;
  /** Held requests that were answered after they were let go. */
  late: number;
}

export interface Garage {
  readonly owner: number;
  readonly databaseUrl: string;
  /** Contacts that all writers change. */
  readonly contacts: readonly number[];
}

/** An order with one line, which only its writer changes. */
export interface Target {
  readonly order: number;
  readonly line: number;
}

/**
 * The orders of the writers. Another order lies between any two: a held transaction locks the gaps around its own order in
 * the index of the log, and nobody else shall need these gaps.
 */
export async function makeTargets(ask: Ask, contact_id: number, count: number): Promise<Target[]> {
  const targets: Target[] = [];
  const add = async () => (await ask('POST', '/order', orderOf(contact_id))).data.id;
  await add();
  for (let made = 0; made < count; made += 1) {
    const order = await add();
    const { data } = await ask('POST', '/orderline', lineOf(order));
    targets.push({ order, line: data.id });
    await add();
  }
  return targets;
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
  target: Target,
  { share, until }: { share: number; until: () => boolean },
): Promise<Written> {
  const written: Written = { answers: new Map(), held: 0, late: 0 };
  const own: { path: string; id: number }[] = [];
  const holder = await createConnection(garage.databaseUrl);
  await holder.query('SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ');

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
   * PUT of the line logs the line and then the order, by one statement. The lock keeps the second row out: the first one
   * is written and has its ID, and waits with its transaction while others commit later IDs.
   */
  async function hold(): Promise<void> {
    const locked = [garage.owner, 'order', target.order];
    const [[row]] = (await holder.query(
      'SELECT COUNT(*) AS unplaced FROM changes WHERE owner_id = ? AND resource = ? AND record_id = ? AND seq IS NULL',
      locked,
    )) as unknown as [[{ unplaced: number }]];
    // Whoever gives the places would wait for the lock too.
    if (row.unplaced > 0) return;
    await holder.beginTransaction();
    await holder.query(
      'SELECT id FROM changes FORCE INDEX (changes__resource__record_id__seq) ' +
        'WHERE owner_id = ? AND resource = ? AND record_id = ? FOR UPDATE',
      locked,
    );
    written.held += 1;
    let isHeld = true;
    const answer = send('PUT', `/orderline/${target.line}`, { price: Math.ceil(Math.random() * 10_000) });
    const answered = answer.then((given) => {
      if (!isHeld && given?.status === 200) written.late += 1;
    });
    await pause(HELD_MS);
    isHeld = false;
    await holder.rollback();
    await answered;
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
