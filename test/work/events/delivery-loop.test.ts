// The loops that send events: when the next try is due, and when a subscription is blocked.
import { Webhook } from 'standardwebhooks';
import { garageOf } from '../../../src/core/model/statements/garage.ts';
import { PAUSES } from '../../../src/platform/calls/turn.ts';
import { requestRedelivery } from '../../../src/platform/changes/webhook-delivery.ts';
import { expect } from '../../support/client/expect.ts';
import { until } from '../../support/service/until.ts';
import { idOf, sending } from './sending.ts';

describe('the sending of events', () => {
  const scene = sending();
  const { one, database, receiver, mails, rows, run, startProcess } = scene;
  const { subscribe, change, deliveries, tried, makeDue, subscription, allDelivered } = scene;

  it('has the pauses of callbacks, the same webhook-id on each try, and a timestamp of its own', async () => {
    receiver().answerWith({ status: 500 });
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
    expect(receiver().requests.map(idOf)).to.deep.equal(Array(8).fill(delivery?.message_id));
    for (const { body, headers } of receiver().requests)
      new Webhook(secret).verify(body, headers as Record<string, string>);
    expect((await subscription(id)).failing_since).not.to.equal(null);
  });

  it('goes on with later events while one waits for its next try', async () => {
    receiver().answerWith({ status: 500 }, { status: 200 });
    startProcess();
    const { id } = await subscribe();
    await change();
    await tried(1);
    // The next try of the first is far away, however long the second takes. It is no stranded one either.
    await run('UPDATE webhookdeliveries SET next_at = next_at + INTERVAL 1 HOUR, tries = 7');

    await change();
    const rows = await allDelivered(1);

    expect(rows.map(({ status }) => status)).to.deep.equal(['pending', 'delivered']);
    expect((await subscription(id)).failing_since).to.equal(null);
    expect((await subscription(id)).last_delivery_at).not.to.equal(null);
  });

  it('ends with an answer of 410, and the change log says that the service did it', async () => {
    receiver().answerWith({ status: 410 });
    startProcess();
    const { id } = await subscribe();
    await change();
    await until(async () => (await subscription(id)).is_blocked === 1);

    await change();
    await makeDue();
    await until(async () => (await unplaced()) === 0);

    const [log] = await rows("SELECT * FROM changes WHERE resource = 'webhooksubscription' AND action = 2");
    expect(log).to.deep.include({ record_id: id, employee_id: null, api_key_id: null });
    expect(JSON.parse(String(log?.changes))).to.deep.equal({ is_blocked: [0, 1] });
    expect(await deliveries()).to.have.length(1);
    expect(receiver().requests).to.have.length(1);
    expect(mails()).to.deep.equal([]);
  });

  const unplaced = async () => (await rows('SELECT id FROM change_outbox')).length;

  it('ends on the fifth day of failures only, and tells the ADMINs', async () => {
    receiver().answerWith({ status: 503 });
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

    await until(async () => mails().length > 0);

    expect(before.is_blocked).to.equal(0);
    expect(await subscription(id)).to.include({ is_blocked: 1, failed_days: 5 });
    expect(mails().map(({ to }) => to)).to.deep.equal(['anna@garage.example']);
    expect(mails()[0]?.text).to.include(receiver().url('/events'));
  });

  it('goes on after days on which the service was off', async () => {
    receiver().answerWith({ status: 503 });
    startProcess();
    const { id } = await subscribe();
    await change();
    await failedOn(id, 1);

    await passDays(id, 6);
    await makeDue();
    await failedOn(id, 2);

    expect(await subscription(id)).to.include({ is_blocked: 0, failed_days: 2 });
    expect(mails()).to.deep.equal([]);
  });

  it('does not count the days of a clock in doubt', async () => {
    receiver().answerWith({ status: 503 });
    startProcess();
    const { id } = await subscribe();
    await change();
    await failedOn(id, 1);
    await run('UPDATE webhooksubscriptions SET failed_days = 4 WHERE id = ?', [id]);
    await passDays(id, 1);

    await run('UPDATE clock SET seen_at = UTC_TIMESTAMP(3) - INTERVAL 1 MONTH');
    await makeDue();
    await tried(2);
    const inDoubt = await subscription(id);
    await run('UPDATE clock SET seen_at = UTC_TIMESTAMP(3)');
    await makeDue();
    await failedOn(id, 5);

    expect(inDoubt).to.include({ is_blocked: 0, failed_days: 4 });
  });

  /** Waits until so many days have been counted. */
  const failedOn = (id: number, days: number) =>
    until(async () => (await subscription(id)).failed_days === days);
  /** Lets days pass since the last failure. */
  const passDays = (id: number, days: number) =>
    run(
      'UPDATE webhooksubscriptions SET failing_since = failing_since - INTERVAL ? DAY, ' +
        'failed_on = failed_on - INTERVAL ? DAY WHERE id = ?',
      [days, days, id],
    );
  const admin = (emailaddress: string, role: number) =>
    run(
      'INSERT INTO employees (owner_id, first_name, last_name, emailaddress, role_kind, created_at, modified_at) ' +
        "VALUES (?, 'A', 'B', ?, ?, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3))",
      [one(), emailaddress, role],
    );

  it('starts anew when a redelivery is requested, even during a call', async () => {
    receiver().answerWith({ status: 500, held: true }, { status: 500 });
    startProcess();
    await subscribe();
    await change();
    await receiver().waitFor(1);

    const [delivery] = await deliveries();
    await database().transaction((session) =>
      requestRedelivery(garageOf(session, one()), Number(delivery?.id)),
    );
    receiver().release();
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
    const early = receiver().requests.length;

    isHeld = false;
    await allDelivered(1);

    expect(early).to.equal(0);
    expect(receiver().requests).to.have.length(1);
  });

  it('fails when it cannot be signed', async () => {
    startProcess('another signing secret');
    await subscribe();
    await change();

    const delivery = await tried(1);

    expect(delivery.last_error).to.equal('the secret of the subscription can not be read');
    expect(receiver().requests).to.deep.equal([]);
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
      if (answer) receiver().answerWith(answer);
      startProcess();
      await subscribe(one(), answer ? receiver().url() : 'https://10.0.0.1/');
      await change();

      const delivery = await tried(1);

      expect(delivery.last_error).to.equal(error);
    });
  }
});
