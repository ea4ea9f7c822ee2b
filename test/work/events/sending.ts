// Processes that send the events of two garages, on a database of their own. Each test has its own processes.
import pino from 'pino';
import type { Row, Stored } from '../../../src/core/model/fields/field.ts';
import type { Message } from '../../../src/platform/mail.ts';
import { Events } from '../../../src/work/events/delivery-loop.ts';
import { changeIn, subscribeIn } from '../../support/client/event.ts';
import { openScratch, type Scratch } from '../../support/database/scratch-database.ts';
import { openSilent, type Silent } from '../../support/database/silent-server.ts';
import { execute, select } from '../../support/database/sql.ts';
import { openReceiver, type Received, type Receiver } from '../../support/process/https-receiver.ts';
import { theService } from '../../support/service/service.ts';
import { until } from '../../support/service/until.ts';

export const idOf = ({ headers }: Received) => String(headers['webhook-id']);

/** Call it in `describe`: it adds the hooks. */
export function sending() {
  let scratch: Scratch;
  let receiver: Receiver;
  let processes: Events[];
  let silent: Silent[];
  let mails: Message[];
  before(async () => {
    scratch = await openScratch();
  });
  beforeEach(async () => {
    processes = [];
    silent = [];
    mails = [];
    receiver = await openReceiver();
  });
  afterEach(async () => {
    await Promise.all(processes.map((each) => each.drain()));
    await Promise.all([receiver, ...silent].map((each) => each.close()));
    await clear();
  });
  after(() => scratch.close());

  const rows = (sql: string, values: readonly Stored[] = []) => select(scratch.database, sql, values);
  const run = (sql: string, values: readonly Stored[] = []) => execute(scratch.database, sql, values);
  const clear = async () => {
    for (const table of ['webhookdeliveries', 'webhooksubscriptions', 'changes', 'change_outbox'])
      await run(`DELETE FROM ${table}`);
  };
  const deliveries = (): Promise<Row[]> =>
    rows(
      'SELECT *, TIMESTAMPDIFF(SECOND, UTC_TIMESTAMP(), next_at) AS seconds FROM webhookdeliveries ORDER BY id',
    );
  return {
    one: () => scratch.owners[0],
    two: () => scratch.owners[1],
    database: () => scratch.database,
    receiver: () => receiver,
    mails: () => mails,
    rows,
    run,
    /** Takes all subscriptions, changes and deliveries away. */
    clear,
    startProcess: (signingSecret = theService().base.signingSecret, isHeld = async () => false) => {
      const events = new Events({
        database: scratch.database,
        signingSecret,
        allow: ['127.0.0.0/8'],
        log: pino({ level: 'silent' }),
        mail: async (message) => void mails.push(message),
        isHeld,
      });
      processes.push(events);
      events.start();
      return events;
    },
    /** A receiver that never answers. */
    newSilent: async () => {
      const opened = await openSilent();
      silent.push(opened);
      return opened;
    },
    subscribe: (owner = scratch.owners[0], url = receiver.url('/events')) =>
      subscribeIn(scratch.database, owner, url),
    change: (owner = scratch.owners[0]) => changeIn(scratch.database, owner),
    deliveries,
    /** The first delivery, once so many tries have ended. */
    tried: (attempts: number) =>
      until(async () => {
        const [delivery] = await deliveries();
        return Number(delivery?.attempts) >= attempts && delivery;
      }),
    makeDue: () => run('UPDATE webhookdeliveries SET next_at = UTC_TIMESTAMP(3) WHERE next_at IS NOT NULL'),
    subscription: async (id: number) =>
      (await rows('SELECT * FROM webhooksubscriptions WHERE id = ?', [id]))[0] ?? {},
    allDelivered: (count: number) =>
      until(async () => {
        const all = await deliveries();
        return all.filter(({ status }) => status === 'delivered').length === count && all;
      }),
  };
}
