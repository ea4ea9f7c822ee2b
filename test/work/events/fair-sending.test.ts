// The loops that send events: which process makes a try, and that no receiver and no owner holds up another.
import { createOwner } from '../../../src/cli/new-garage.ts';
import { garageOf } from '../../../src/core/model/statements/garage.ts';
import { insertMany } from '../../../src/core/model/statements/insert-many.ts';
import { databaseNow } from '../../../src/core/trade/time/timestamp.ts';
import { placeAllChanges } from '../../../src/platform/changes/place.ts';
import { eventOf } from '../../support/client/event.ts';
import { expect } from '../../support/client/expect.ts';
import { waitingFor } from '../../support/database/at-once.ts';
import { select } from '../../support/database/sql.ts';
import { statementsOf } from '../../support/database/statements.ts';
import { until } from '../../support/service/until.ts';
import { idOf, sending } from './sending.ts';

describe('the sending of events', () => {
  const scene = sending();
  const { one, two, database, receiver, rows, run, startProcess, newSilent } = scene;
  const { subscribe, change, deliveries, allDelivered, clear } = scene;

  it('looks for the changes of all subscribers by a statement that does not name them', async () => {
    await subscribe(one());
    await subscribe(two());
    await change(one());

    const statements = await statementsOf(database(), async () => {
      startProcess();
      await receiver().waitFor(1);
    });

    const looks = statements.filter(({ sql }) => /change_outbox.*group by/.test(sql));
    expect(looks.map(({ bindings }) => bindings.length)).to.satisfy((counts: number[]) =>
      counts.every((count) => count === 1),
    );
    expect(looks).to.not.be.empty;
  });

  it('is made once for each change, by several processes', async () => {
    for (let process = 0; process < 3; process += 1) startProcess();
    await subscribe(one());
    await subscribe(two());
    const made = await Promise.all(
      Array.from({ length: 60 }, (_, index) => change(index % 2 ? one() : two())),
    );

    await allDelivered(60);

    expect(receiver().requests).to.have.length(60);
    expect(new Set(receiver().requests.map(idOf)).size).to.equal(60);
    expect(receiver().requests.map((request) => eventOf(request).data.id)).to.have.members(made);
  });

  /**
   * Repeats a round until all calls that have ended were answered: the others hang, and end by themselves after 10 s. A
   * machine that is busy just then needs another round.
   */
  const whileOthersHang = (round: () => Promise<{ drain(): Promise<void> }>) =>
    until(async () => {
      await clear();
      const process = await round();
      const ended = (await deliveries()).filter(({ attempts }) => Number(attempts) > 0);
      await process.drain();
      return ended.every(({ last_status }) => last_status === 200);
    }, 100_000);
  const received = (...ids: number[]) =>
    until(async () =>
      ids.every((id) => receiver().requests.some((request) => eventOf(request).data.id === id)),
    );

  it('does not wait for receivers that do not answer, however many there are', async () => {
    let most = 0;
    await whileOthersHang(async () => {
      const silent = await Promise.all(Array.from({ length: 19 }, newSilent));
      for (const { url } of silent) await subscribe(one(), url);
      for (let count = 0; count < 12; count += 1) await change();
      const process = startProcess();
      await until(async () => silent.every(({ connections }) => connections() > 0));

      await subscribe(one());
      await subscribe(two());
      await received(await change(one()), await change(two()));

      most = Math.max(...silent.map(({ connections }) => connections()));
      return process;
    });
    expect(most, 'at once to one receiver').to.be.at.most(8);
  }).timeout(120_000);

  it('does not wait for the slow receivers of other owners, however many there are', async () => {
    const owners = await newOwners(26);
    await whileOthersHang(async () => {
      const dead = await newSilent();
      for (const owner of owners) await subscribeMany(owner, 20, dead.url);
      await subscribe(two());
      for (const owner of owners) {
        await change(owner);
        await placeAllChanges(garageOf(database(), owner));
      }
      const process = startProcess();
      await until(async () => dead.connections() >= 500);

      await received(await change(two()));
      return process;
    });
  }).timeout(120_000);

  it('is recorded while the calls of another owner wait for the row of their subscription', async () => {
    receiver().answerWith({ status: 200, held: true });
    const { id } = await subscribe(one());
    for (let count = 0; count < 5; count += 1) await change(one());
    await subscribe(two());
    startProcess();
    await receiver().waitFor(5);

    const recorded = await database().transaction(async (session) => {
      await select(session, 'SELECT id FROM webhooksubscriptions WHERE id = ? FOR UPDATE', [id]);
      receiver().release();
      await until(async () => (await waitingFor('webhooksubscriptions')) >= 2);
      await change(two());
      return until(async () => {
        const all = await deliveries();
        return all.some(({ owner_id, status }) => owner_id === two() && status === 'delivered') && all;
      });
    });

    const ofOne = recorded.filter(({ owner_id }) => owner_id === one());
    expect(ofOne.map(({ status }) => status)).to.deep.equal(Array(5).fill('pending'));
    await allDelivered(6);
  });

  it('does not wait until the many changes of other owners have their places', async () => {
    const busy = await newOwners(6);
    const [quiet = 0] = await newOwners(1);
    for (const owner of busy) {
      await subscribe(owner);
      await addEntries(owner, 400);
    }
    await subscribe(quiet);
    startProcess();
    await until(async () => receiver().requests.length > 0);

    const made = await change(quiet);
    await until(async () => receiver().requests.some((request) => eventOf(request).data.id === made));

    const left = await rows('SELECT DISTINCT owner_id FROM change_outbox');
    const waiting = left.filter(({ owner_id }) => busy.includes(Number(owner_id)));
    expect(waiting, 'busy owners with changes that have no place').to.not.be.empty;
  }).timeout(60_000);

  const newOwners = (count: number) =>
    Promise.all(Array.from({ length: count }, () => createOwner(database(), { name: 'Garage' })));
  const subscribeMany = async (owner: number, count: number, url: string) => {
    const made = await subscribe(owner, url);
    const [row] = await rows('SELECT * FROM webhooksubscriptions WHERE id = ?', [made.id]);
    const { id: _, ...copied } = row ?? {};
    const copies = Array.from({ length: count - 1 }, () => ({ ...copied }));
    await insertMany(database(), 'webhooksubscriptions', copies);
  };
  /** Entries of the outbox with twenty changes each, of records that nobody has. */
  const addEntries = async (owner: number, count: number) => {
    const change = { resource: 'turnovergroup', record_id: 0, action: 1, version: 1, at: databaseNow() };
    const changes = JSON.stringify(Array(20).fill(change));
    await insertMany(database(), 'change_outbox', Array(count).fill({ owner_id: owner, changes }));
  };

  it('survives the end of a process, and a drain does not count as a try', async () => {
    const dead = await newSilent();
    const first = startProcess();
    const { id } = await subscribe(one(), dead.url);
    await change();
    await until(async () => dead.connections() > 0);
    await first.drain();
    const [drained] = await deliveries();

    await run('UPDATE webhooksubscriptions SET url = ? WHERE id = ?', [receiver().url(), id]);
    startProcess();
    const [delivery] = await allDelivered(1);

    expect(drained).to.include({ attempts: 0, lease_until: null, status: 'pending' });
    expect(receiver().requests.map(idOf)).to.deep.equal([delivery?.message_id]);
  });

  it('takes over from a process that was killed, once its lease has ended', async () => {
    await subscribe();
    await change();
    const killed = startProcess(undefined, async () => true);
    await until(async () => (await deliveries()).length > 0);
    await killed.drain();
    const began = performance.now();
    await run('UPDATE webhookdeliveries SET lease_until = UTC_TIMESTAMP(3) + INTERVAL 2 SECOND', []);

    startProcess();
    await allDelivered(1);

    expect(receiver().requests).to.have.length(1);
    expect((receiver().requests[0]?.at ?? 0) - began).to.be.at.least(1_990);
  });
});
