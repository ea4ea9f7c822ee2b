// The loops that send events: when the next try is due, which process makes it, when a subscription is blocked, and
// that no receiver holds up another. Each test has its own processes, on a database of its own.
import pino from 'pino';
import { Webhook } from 'standardwebhooks';
import { PAUSES } from '../../src/calls/turn.ts';
import { requestRedelivery } from '../../src/changes/webhook-delivery.ts';
import { createOwner } from '../../src/cli/owner.ts';
import { Events } from '../../src/events/delivery-loop.ts';
import type { Message } from '../../src/mail.ts';
import type { Row } from '../../src/model/fields/field.ts';
import { garageOf } from '../../src/model/statements/garage.ts';
import { insertMany } from '../../src/model/statements/insert-many.ts';
import { databaseNow } from '../../src/trade/time/timestamp.ts';
import { changeIn, eventOf, subscribeIn } from '../support/client/event.ts';
import { expect } from '../support/client/expect.ts';
import { openScratch, type Scratch } from '../support/database/scratch-database.ts';
import { openSilent, type Silent } from '../support/database/silent-server.ts';
import { execute, select } from '../support/database/sql.ts';
import { statementsOf } from '../support/database/statements.ts';
import { openReceiver, type Received, type Receiver } from '../support/process/https-receiver.ts';
import { theService } from '../support/service/service.ts';
import { until } from '../support/service/until.ts';

describe('the sending of events', () => {
  let scratch: Scratch;
  let one: number;
  let two: number;
  let receiver: Receiver;
  let processes: Events[];
  let silent: Silent[];
  let mails: Message[];
  before(async () => {
    scratch = await openScratch();
    [one, two] = scratch.owners;
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
    for (const table of ['webhookdeliveries', 'webhooksubscriptions', 'changes', 'change_outbox'])
      await execute(scratch.database, `DELETE FROM ${table}`, []);
  });
  after(() => scratch.close());

  const startProcess = (signingSecret = theService().base.signingSecret, isHeld = async () => false) => {
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
  };

  const subscribe = (owner = one, url = receiver.url('/events')) => subscribeIn(scratch.database, owner, url);
  const change = (owner = one) => changeIn(scratch.database, owner);
  const deliveries = (): Promise<Row[]> =>
    select(
      scratch.database,
      'SELECT *, TIMESTAMPDIFF(SECOND, UTC_TIMESTAMP(), next_at) AS seconds FROM webhookdeliveries ORDER BY id',
      [],
    );
  const tried = (attempts: number) =>
    until(async () => {
      const [delivery] = await deliveries();
      return Number(delivery?.attempts) >= attempts && delivery;
    });
  const makeDue = () =>
    execute(
      scratch.database,
      'UPDATE webhookdeliveries SET next_at = UTC_TIMESTAMP(3) WHERE next_at IS NOT NULL',
      [],
    );
  const subscription = async (id: number) =>
    (await select(scratch.database, 'SELECT * FROM webhooksubscriptions WHERE id = ?', [id]))[0] ?? {};
  const allDelivered = (count: number) =>
    until(async () => {
      const rows = await deliveries();
      return rows.filter(({ status }) => status === 'delivered').length === count && rows;
    });
  const idOf = ({ headers }: Received) => String(headers['webhook-id']);

  it('looks for the changes of all subscribers by a statement that does not name them', async () => {
    await subscribe(one);
    await subscribe(two);
    await change(one);

    const statements = await statementsOf(scratch.database, async () => {
      startProcess();
      await receiver.waitFor(1);
    });

    const looks = statements.filter(({ sql }) => /change_outbox.*group by/.test(sql));
    expect(looks.map(({ bindings }) => bindings.length)).to.satisfy((counts: number[]) =>
      counts.every((count) => count === 1),
    );
    expect(looks).to.not.be.empty;
  });

  it('has the pauses of callbacks, the same webhook-id on each try, and a timestamp of its own', async () => {
    receiver.answerWith({ status: 500 });
    startProcess();
    const { id, secret } = await subscribe();
    await change();

    const pauses: number[] = [];
    for (let attempt = 1; attempt <= 8; attempt += 1) {
      const { seconds } = await tried(attempt);
      if (seconds !== null) pauses.push(Number(seconds));
      await makeDue();
    }

    // A part of the pause has passed when the test reads it.
    for (const [index, pause] of PAUSES.entries())
      expect(pauses[index]).to.be.within(PAUSES[index - 1] ?? 0, pause);
    expect(pauses).to.have.length(PAUSES.length);
    const [delivery] = await deliveries();
    expect(delivery).to.include({ status: 'failed', attempts: 8, last_status: 500, next_at: null });
    expect(receiver.requests.map(idOf)).to.deep.equal(Array(8).fill(delivery?.message_id));
    for (const { body, headers } of receiver.requests)
      new Webhook(secret).verify(body, headers as Record<string, string>);
    expect((await subscription(id)).failing_since).not.to.equal(null);
  });

  it('goes on with later events while one waits for its next try', async () => {
    receiver.answerWith({ status: 500 }, { status: 200 });
    startProcess();
    const { id } = await subscribe();
    await change();
    await tried(1);

    await change();
    const rows = await allDelivered(1);

    expect(rows.map(({ status }) => status)).to.deep.equal(['pending', 'delivered']);
    expect((await subscription(id)).failing_since).to.equal(null);
    expect((await subscription(id)).last_delivery_at).not.to.equal(null);
  });

  it('ends with an answer of 410, and the change log says that the service did it', async () => {
    receiver.answerWith({ status: 410 });
    startProcess();
    const { id } = await subscribe();
    await change();
    await until(async () => (await subscription(id)).is_blocked === 1);

    await change();
    await makeDue();
    await until(async () => (await unplaced()) === 0);

    const [log] = await select(
      scratch.database,
      "SELECT * FROM changes WHERE resource = 'webhooksubscription' AND action = 2",
      [],
    );
    expect(log).to.deep.include({ record_id: id, employee_id: null, api_key_id: null });
    expect(JSON.parse(String(log?.changes))).to.deep.equal({ is_blocked: [0, 1] });
    expect(await deliveries()).to.have.length(1);
    expect(receiver.requests).to.have.length(1);
    expect(mails).to.deep.equal([]);
  });

  const unplaced = async () => (await select(scratch.database, 'SELECT id FROM change_outbox', [])).length;

  it('ends on the fifth day of failures only, and tells the ADMINs', async () => {
    receiver.answerWith({ status: 503 });
    await admin('anna@garage.example', 1);
    await admin('berta@garage.example', 2);
    startProcess();
    const { id } = await subscribe();
    await change();
    for (let day = 1; day < 5; day += 1) {
      await failedOn(id, day);
      await passDays(id, 1);
      await makeDue();
    }
    const before = await subscription(id);

    await until(async () => mails.length > 0);

    expect(before.is_blocked).to.equal(0);
    expect(await subscription(id)).to.include({ is_blocked: 1, failed_days: 5 });
    expect(mails.map(({ to }) => to)).to.deep.equal(['anna@garage.example']);
    expect(mails[0]?.text).to.include(receiver.url('/events'));
  });

  it('goes on after days on which the service was off', async () => {
    receiver.answerWith({ status: 503 });
    startProcess();
    const { id } = await subscribe();
    await change();
    await failedOn(id, 1);

    await passDays(id, 6);
    await makeDue();
    await failedOn(id, 2);

    expect(await subscription(id)).to.include({ is_blocked: 0, failed_days: 2 });
    expect(mails).to.deep.equal([]);
  });

  it('does not count the days of a clock in doubt', async () => {
    receiver.answerWith({ status: 503 });
    startProcess();
    const { id } = await subscribe();
    await change();
    await failedOn(id, 1);
    await execute(scratch.database, 'UPDATE webhooksubscriptions SET failed_days = 4 WHERE id = ?', [id]);
    await passDays(id, 1);

    await execute(scratch.database, 'UPDATE clock SET seen_at = UTC_TIMESTAMP(3) - INTERVAL 1 MONTH', []);
    await makeDue();
    await tried(2);
    const inDoubt = await subscription(id);
    await execute(scratch.database, 'UPDATE clock SET seen_at = UTC_TIMESTAMP(3)', []);
    await makeDue();
    await failedOn(id, 5);

    expect(inDoubt).to.include({ is_blocked: 0, failed_days: 4 });
  });

  /** Waits until so many days have been counted. */
  const failedOn = (id: number, days: number) =>
    until(async () => (await subscription(id)).failed_days === days);
  /** Lets days pass since the last failure. */
  const passDays = (id: number, days: number) =>
    execute(
      scratch.database,
      'UPDATE webhooksubscriptions SET failing_since = failing_since - INTERVAL ? DAY, ' +
        'failed_on = failed_on - INTERVAL ? DAY WHERE id = ?',
      [days, days, id],
    );
  const admin = (emailaddress: string, role: number) =>
    execute(
      scratch.database,
      'INSERT INTO employees (owner_id, first_name, last_name, emailaddress, role_kind, created_at, modified_at) ' +
        "VALUES (?, 'A', 'B', ?, ?, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3))",
      [one, emailaddress, role],
    );

  it('is made once for each change, by several processes', async () => {
    for (let process = 0; process < 3; process += 1) startProcess();
    await subscribe(one);
    await subscribe(two);
    const made = await Promise.all(Array.from({ length: 60 }, (_, index) => change(index % 2 ? one : two)));

    await allDelivered(60);

    expect(receiver.requests).to.have.length(60);
    expect(new Set(receiver.requests.map(idOf)).size).to.equal(60);
    expect(receiver.requests.map((request) => eventOf(request).data.id)).to.have.members(made);
  });

  it('does not wait for receivers that do not answer, however many there are', async () => {
    silent = await Promise.all(Array.from({ length: 19 }, () => openSilent()));
    for (const { url } of silent) await subscribe(one, url);
    for (let count = 0; count < 12; count += 1) await change();
    startProcess();
    await until(async () => silent.every(({ connections }) => connections() > 0));

    await subscribe(one);
    await subscribe(two);
    await change(one);
    await change(two);
    await receiver.waitFor(2);

    const ended = (await deliveries()).filter(({ attempts }) => Number(attempts) > 0);
    expect(
      ended.every(({ last_status }) => last_status === 200),
      'while all others still hang',
    ).to.equal(true);
    for (const { connections } of silent) expect(connections()).to.be.at.most(8);
  });

  it('does not wait for the slow receivers of other owners, however many there are', async () => {
    const dead = await openSilent();
    silent.push(dead);
    const owners = await newOwners(26);
    for (const owner of owners) await subscribeMany(owner, 20, dead.url);
    await subscribe(two);
    await Promise.all(owners.map(change));
    startProcess();
    await until(async () => dead.connections() >= 500);

    const made = await change(two);
    await receiver.waitFor(1);

    const ended = (await deliveries()).filter(({ attempts }) => Number(attempts) > 0);
    expect(receiver.requests.map((request) => eventOf(request).data.id)).to.deep.equal([made]);
    expect(
      ended.every(({ last_status }) => last_status === 200),
      'while all others still hang',
    ).to.equal(true);
  }).timeout(60_000);

  it('does not wait until the many changes of other owners have their places', async () => {
    const busy = await newOwners(6);
    const [quiet = 0] = await newOwners(1);
    for (const owner of busy) {
      await subscribe(owner);
      await addEntries(owner, 400);
    }
    await subscribe(quiet);
    startProcess();
    await until(async () => receiver.requests.length > 0);

    const made = await change(quiet);
    await until(async () => receiver.requests.some((request) => eventOf(request).data.id === made));

    const left = await select(scratch.database, 'SELECT DISTINCT owner_id FROM change_outbox', []);
    const waiting = left.filter(({ owner_id }) => busy.includes(Number(owner_id)));
    expect(waiting, 'busy owners with changes that have no place').to.not.be.empty;
  }).timeout(60_000);

  const newOwners = (count: number) =>
    Promise.all(Array.from({ length: count }, () => createOwner(scratch.database, { name: 'Garage' })));
  const subscribeMany = async (owner: number, count: number, url: string) => {
    const made = await subscribe(owner, url);
    const [row] = await select(scratch.database, 'SELECT * FROM webhooksubscriptions WHERE id = ?', [
      made.id,
    ]);
    const { id: _, ...copied } = row ?? {};
    const copies = Array.from({ length: count - 1 }, () => ({ ...copied }));
    await insertMany(scratch.database, 'webhooksubscriptions', copies);
  };
  /** Entries of the outbox with twenty changes each, of records that nobody has. */
  const addEntries = async (owner: number, count: number) => {
    const one = { resource: 'turnovergroup', record_id: 0, action: 1, version: 1, at: databaseNow() };
    const changes = JSON.stringify(Array(20).fill(one));
    await insertMany(scratch.database, 'change_outbox', Array(count).fill({ owner_id: owner, changes }));
  };

  it('survives the end of a process, and a drain does not count as a try', async () => {
    const dead = await openSilent();
    silent.push(dead);
    const first = startProcess();
    const { id } = await subscribe(one, dead.url);
    await change();
    await until(async () => dead.connections() > 0);
    await first.drain();
    const [drained] = await deliveries();

    await execute(scratch.database, 'UPDATE webhooksubscriptions SET url = ? WHERE id = ?', [
      receiver.url(),
      id,
    ]);
    startProcess();
    const [delivery] = await allDelivered(1);

    expect(drained).to.include({ attempts: 0, lease_until: null, status: 'pending' });
    expect(receiver.requests.map(idOf)).to.deep.equal([delivery?.message_id]);
  });

  it('takes over from a process that was killed, once its lease has ended', async () => {
    await subscribe();
    await change();
    const killed = startProcess(undefined, async () => true);
    await until(async () => (await deliveries()).length > 0);
    await killed.drain();
    await execute(
      scratch.database,
      'UPDATE webhookdeliveries SET lease_until = UTC_TIMESTAMP(3) + INTERVAL 2 SECOND',
      [],
    );

    startProcess();
    const leased = (await deliveries())[0];
    await allDelivered(1);

    expect(leased?.status).to.equal('pending');
    expect(receiver.requests).to.have.length(1);
  });

  it('starts anew when a redelivery is requested, even during a call', async () => {
    receiver.answerWith({ status: 500, held: true }, { status: 500 });
    startProcess();
    await subscribe();
    await change();
    await receiver.waitFor(1);

    const [delivery] = await deliveries();
    await scratch.database.transaction((session) =>
      requestRedelivery(garageOf(session, one), Number(delivery?.id)),
    );
    receiver.release();
    const again = await tried(2);

    expect(again).to.include({ attempts: 2, tries: 1, status: 'pending' });
    expect(Number(again.seconds)).to.be.at.most(5);
  });

  it('is held as long as the installation is, and loses nothing', async () => {
    let isHeld = true;
    let asked = 0;
    startProcess(undefined, async () => {
      asked += 1;
      return isHeld;
    });
    await subscribe();
    await change();
    await until(async () => asked >= 2);
    const early = receiver.requests.length;

    isHeld = false;
    await allDelivered(1);

    expect(early).to.equal(0);
    expect(receiver.requests).to.have.length(1);
  });

  it('fails when it cannot be signed', async () => {
    startProcess('another signing secret');
    await subscribe();
    await change();

    const delivery = await tried(1);

    expect(delivery.last_error).to.equal('the secret of the subscription can not be read');
    expect(receiver.requests).to.deep.equal([]);
  });

  for (const [what, answer, error] of [
    [
      'a redirect',
      { status: 302, headers: { location: 'https://localhost/' } },
      'answered 302, redirects are not followed',
    ],
    ['an address that is private by now', undefined, 'address is not publicly accessible'],
  ] as const) {
    it(`does not follow ${what}`, async () => {
      if (answer) receiver.answerWith(answer);
      startProcess();
      await subscribe(one, answer ? receiver.url() : 'https://10.0.0.1/');
      await change();

      const delivery = await tried(1);

      expect(delivery.last_error).to.equal(error);
    });
  }
});
