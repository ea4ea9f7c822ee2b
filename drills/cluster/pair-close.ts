// A close of the books at one node, and a change of a closed day at another. The change has judged its day, and then
// waits for a row that the drill holds. What a node shows after the answer to the close must stay.
import { LISTS } from '../../src/core/trade/lists.ts';
import type { Answer, Json } from '../../test/support/client/client.ts';
import { until } from '../../test/support/service/until.ts';
import type { Report } from '../chaos/report.ts';
import { addBuyer, addOrder } from './record.ts';
import type { Scene } from './scene.ts';
import { Tally } from './tally.ts';

const { CASH } = LISTS.paymentmethods;
const { WORKSHOP } = LISTS.ordertypes;
const { INVOICE } = LISTS.orderstatuses;
const SHUT = '2026-03-30T12:00:00.000Z';
const CLOSED_DAY = '2026-03-31';
const OLD_INVOICES = 20;
const PATIENCE_MS = 60_000;
/** If all processes use one node, the close waits for the change. */
const CLOSE_MS = 3_000;
const LINE = {
  line_kind: LISTS.linekinds.LABOUR,
  description: 'Old',
  quantity: 1,
  price: 100,
  vat_code: LISTS.vatcodes.HIGH,
};

interface Round {
  /** The row for which the change waits. */
  readonly held: readonly [table: string, column: string, value: string | number];
  /** Sends the change to a process, and waits for its end. */
  change(process: number): Promise<Answer>;
  /** How many changes the books have. */
  count(): Promise<number>;
}

interface Close {
  readonly name: string;
  prepare(scene: Scene, round: number): Promise<Round>;
}

const PAYMENT: Close = {
  name: 'a close and a payment of its days',
  prepare: async (scene) => {
    const target = await addOrder(scene, await addBuyer(scene));
    const order_id = await scene.add('order/deposit', { order_id: target, amount: 50 });
    await scene.change('order', order_id, { order_status: INVOICE });
    const body: Json = { order_id, amount: 1, paid_at: SHUT, method: CASH };
    return {
      // Cash counts over the whole sale, so its payment writes the order of the deposit.
      held: ['orders', 'id', target],
      change: (process) => scene.ask(process, 'POST', '/payment', { body }),
      count: async () => (await scene.list('payment', `order_id:${order_id}`)).length,
    };
  },
};

const IMPORT: Close = {
  name: 'a close and an import of old invoices of its days',
  prepare: async (scene, round) => {
    const contact_id = await addBuyer(scene);
    await addOrder(scene, contact_id);
    const row = (index: number): Json => ({
      order_type: WORKSHOP,
      order_date: '2026-03-01',
      invoice_number: `OLD-${round}-${index}`,
      invoice_date: SHUT,
      contact_id,
      orderline: [LINE],
    });
    const rows = Array.from({ length: OLD_INVOICES }, (_, index) => `${JSON.stringify(row(index))}\n`);
    return {
      held: ['counters', 'name', 'order'],
      change: async (process) => {
        const { url } = scene.process(process);
        const path = '/import?resource=order&history=1';
        const answer = await scene.tenant.send(url, path, 'application/x-ndjson', rows.join(''));
        await untilOver(scene, answer.data.job_id);
        return answer;
      },
      count: async () => (await scene.list('order', `contact_id:${contact_id},is_invoiced:1`)).length,
    };
  },
};

const untilOver = (scene: Scene, job: string): Promise<unknown> =>
  until(async () => {
    const { status } = (await scene.ask(0, 'GET', `/job/${job}`)).data;
    return status !== 'queued' && status !== 'running';
  }, PATIENCE_MS);

export const CLOSES: readonly Close[] = [PAYMENT, IMPORT];

/** Closes the books so many times at one process amid a change at the next one. The processes need threads. */
export async function playCloses(
  report: Report,
  scene: Scene,
  { name, prepare }: Close,
  rounds: number,
): Promise<void> {
  const tally = new Tally();
  let broken = 0;
  for (let round = 0; round < rounds; round += 1) {
    tally.add(await close(scene, round, null), 'open');
    if (await isBroken(scene, await prepare(scene, round), round, tally)) broken += 1;
  }
  tally.add(await close(scene, 0, null), 'open');
  report.say(`  ${name}: ${rounds} pairs, ${broken} broke the rule (${tally.text()})`);
  report.demand(broken === 0, `${name}: ${broken} of ${rounds} pairs broke the rule`);
  report.demand(
    tally.serverErrors() === 0,
    `${name}: ${tally.serverErrors()} answers of 5xx: ${tally.odd.join('; ')}`,
  );
}

const close = (scene: Scene, process: number, books_closed_until: string | null): Promise<Answer> =>
  scene.ask(process, 'PUT', `/owner/${scene.tenant.owner}`, { body: { books_closed_until } });

async function isBroken(scene: Scene, { held, change, count }: Round, round: number, tally: Tally) {
  await scene.settle();
  const release = await holdRow(scene, held);
  const changing = change(round + 1);
  await until(() => isWaiting(scene, held[0]), PATIENCE_MS);
  let isClosed = false;
  const closing = close(scene, round, CLOSED_DAY).finally(() => {
    isClosed = true;
  });
  await until(async () => isClosed, CLOSE_MS).catch(() => undefined);
  if (!isClosed) release();
  tally.add(await closing, 'close');
  await scene.settle();
  const filed = await count();
  release();
  tally.add(await changing, 'change');
  await scene.settle();
  return (await count()) !== filed;
}

/** Locks do not cross nodes, and any process may run a job, so each node that takes writes holds the row. */
async function holdRow(scene: Scene, [table, column, value]: Round['held']): Promise<() => void> {
  const sql = `SELECT 1 FROM forecourt.${table} WHERE owner_id = ? AND ${column} = ? FOR UPDATE`;
  const releases: (() => void)[] = [];
  for (const node of await scene.cluster.writers())
    releases.push(await node.hold(sql, [scene.tenant.owner, value]));
  return () => {
    for (const release of releases) release();
  };
}

/** Whether a transaction of the service waits for a row of the table. */
async function isWaiting(scene: Scene, table: string): Promise<boolean> {
  for (const node of scene.cluster.nodes) {
    const [row] = await node.query('SHOW ENGINE INNODB STATUS');
    const waits = String(row?.Status).matchAll(/^RECORD LOCKS .* of table `\w+`\.`(\w+)` .* waiting/gm);
    if ([...waits].some(([, of]) => of === table)) return true;
  }
  return false;
}
