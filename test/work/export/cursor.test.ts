// The cursor of an export belongs to its snapshot: what the file lacks comes behind the cursor, and nothing comes
// twice.

import { resourceNamed } from '../../../src/core/model/records/registry.ts';
import { garageOf } from '../../../src/core/model/statements/garage.ts';
import { insertMany } from '../../../src/core/model/statements/insert-many.ts';
import type { Session } from '../../../src/core/model/statements/session.ts';
import type { Changes } from '../../../src/core/model/writes/change-log.ts';
import { addRecord } from '../../../src/core/model/writes/store.ts';
import { databaseNow } from '../../../src/core/trade/time/timestamp.ts';
import { writeFeedCursor } from '../../../src/platform/changes/feed-cursor.ts';
import { placeSnapshot } from '../../../src/platform/changes/place.ts';
import { connectReader, type SnapshotReader } from '../../../src/platform/database/snapshot.ts';
import { build } from '../../support/build/build.ts';
import { follow } from '../../support/client/changes.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { exported, listed, recordsIn } from '../../support/client/export.ts';
import { select } from '../../support/database/sql.ts';
import { database, theService } from '../../support/service/service.ts';

const GROUP = { name: 'Onderdelen', vat_code: 1 };

describe('the cursor of an export', () => {
  let client: Client;
  let reader: SnapshotReader;
  beforeEach(async () => {
    client = await newClient();
    reader = await connectReader(theService().base.connection);
  });
  afterEach(() => reader.close());

  const add = async (code: string) => {
    const { status } = await client.post('/turnovergroup', { ...GROUP, code });
    expect(status).to.equal(201);
  };

  /** Adds a group in a transaction that writes its log now, and commits when the result is called. */
  const addLate = async (code: string): Promise<() => Promise<unknown>> => {
    const [written, gate] = [deferred(), deferred()];
    const ended = database().transaction(async (session) => {
      await addRecord(garageOf(session, client.garage.owner), resourceNamed('turnovergroup'), {
        ...GROUP,
        code,
      });
      await (session.changes as Changes).write(session);
      written.open();
      await gate.opened;
    });
    await Promise.race([written.opened, ended]);
    return () => {
      gate.open();
      return ended;
    };
  };

  const place = (begin: () => Promise<Pick<Session, 'knex'>>) =>
    placeSnapshot(database(), client.garage.owner, begin);

  const placed = async (): Promise<number[]> => {
    const sql = 'SELECT seq FROM changes WHERE owner_id = ? ORDER BY seq';
    return (await select(database(), sql, [client.garage.owner])).map(({ seq }) => Number(seq));
  };

  const codesIn = async ({ knex }: Pick<Session, 'knex'>) =>
    (
      await select({ knex } as Session, 'SELECT code FROM turnovergroups WHERE owner_id = ? ORDER BY code', [
        client.garage.owner,
      ])
    ).map(({ code }) => code);

  const codesBehind = async (last: number) => {
    const cursor = writeFeedCursor(client.garage.owner, last);
    const found = await follow(client, cursor, { resource: 'turnovergroup', expand: 'record' });
    return found.map(({ record }) => record.code).sort();
  };

  it('stands between what committed before the snapshot and what commits later', async () => {
    await add('EARLY');
    const commit = await addLate('LATE');

    const last = await place(async () => {
      await add('BEFORE');
      await reader.begin();
      await add('AFTER');
      await commit();
      return reader;
    });

    const places = await placed();
    const added = ['AFTER', 'BEFORE', 'EARLY', 'LATE'];
    const codes = (await codesIn(reader)).filter((code) => added.includes(String(code)));
    expect(codes).to.deep.equal(['BEFORE', 'EARLY']);
    expect(await codesBehind(last)).to.deep.equal(['AFTER', 'LATE']);
    expect(places).to.deep.equal(Array.from({ length: last }, (_, index) => index + 1));
  });

  it('is the last place where the snapshot sees no change without a place', async () => {
    await add('EARLY');
    const first = await place(async () => {
      await reader.begin();
      return reader;
    });
    const again = await place(async () => {
      await reader.begin();
      await add('LATER');
      return reader;
    });

    expect(again).to.equal(first);
    expect(await codesBehind(again)).to.deep.equal(['LATER']);
  });

  it('is of a new snapshot where places were given between the snapshot and the lock', async () => {
    await add('EARLY');
    await place(async () => {
      await reader.begin();
      return reader;
    });
    await reader.begin();
    await add('UNPLACED');
    let tries = 0;

    // Another node of a cluster can do this, because the lock does not cross the nodes.
    const last = await place(async () => {
      tries += 1;
      if (tries > 1) await reader.begin();
      return reader;
    });

    expect(tries).to.equal(2);
    expect(await codesIn(reader)).to.include('UNPLACED');
    expect(await codesBehind(last)).to.deep.equal([]);
  });

  it('makes the events of the changes that get their places', async () => {
    const { owner } = client.garage;
    const subscription = await build(client, 'webhooksubscription', { resources: ['turnovergroup'] });

    const last = await placeSnapshot(database(), owner, async () => {
      // Nobody else gives this change its place, since the counter is locked.
      await add('LOCKED');
      await reader.begin();
      return reader;
    });

    const events = await select(
      database(),
      'SELECT seq, subscription_id FROM webhookdeliveries WHERE owner_id = ?',
      [owner],
    );
    expect(events).to.deep.equal([{ seq: last, subscription_id: subscription.id }]);
  });

  it('gives many changes their places in portions, and too many of them before the snapshot', async () => {
    const { owner } = client.garage;
    await place(async () => {
      await reader.begin();
      return reader;
    });
    const before = (await placed()).length;
    const made: number[] = [];

    const last = await place(async () => {
      const count = made.length === 0 ? 10_001 : 2_500;
      made.push(count);
      await addChanges(owner, count);
      await reader.begin();
      return reader;
    });

    const seqs = await placed();
    expect(made).to.deep.equal([10_001, 2_500]);
    expect(seqs.length - before).to.equal(12_501);
    expect(seqs).to.deep.equal(seqs.map((_, index) => index + 1));
    expect(last).to.equal(seqs.length);
  });

  /** Three writers add, change and delete groups until the result is called. */
  const startWriters = () => {
    let writing = true;
    const write = async (writer: number) => {
      for (let count = 0; writing; count += 1) {
        const answer = await client.post('/turnovergroup', { ...GROUP, code: `${writer}-${count}` });
        const { id } = answer.data;
        await client.put(`/turnovergroup/${id}`, { name: `Groep ${count}` });
        if (count % 3 === 0) await client.del(`/turnovergroup/${id}`);
      }
    };
    const writers = [1, 2, 3].map(write);
    return () => {
      writing = false;
      return Promise.all(writers);
    };
  };

  it('lets a copy follow while records are added, changed and deleted', async () => {
    const commit = await addLate('LATE');
    const end = startWriters();
    const exports = [];
    try {
      for (let count = 0; count < 4; count += 1)
        exports.push(await exported(client, { resource: 'turnovergroup' }));
    } finally {
      await commit();
      await end();
    }

    const list = byId(await listed(client, '/turnovergroup'));
    for (const { text, summary } of exports) {
      const copy = byId(recordsIn(text));
      const found = await follow(client, summary.after, {
        resource: 'turnovergroup',
        expand: 'record',
        page_size: '1000',
      });
      for (const { action, id, record } of found) {
        // A change that came twice would add an existing record, or delete a missing one.
        expect(copy.has(id), `${action} ${id}`).to.equal(action !== 'created');
        if (action === 'deleted') copy.delete(id);
        else copy.set(id, record ?? { id });
      }
      expect(found.length).to.be.above(0);
      expect([...copy].sort()).to.deep.equal([...list].sort());
    }
  }).timeout(60_000);
});

const byId = (records: readonly Json[]) => new Map(records.map((one) => [one.id, one]));

function deferred() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

/** Committed changes without a place. */
const addChanges = (owner: number, count: number) =>
  insertMany(
    database(),
    'change_outbox',
    Array.from({ length: count }, (_, index) => ({
      owner_id: owner,
      changes: JSON.stringify([
        { resource: 'article', record_id: index + 1, action: 1, version: 1, at: databaseNow() },
      ]),
    })),
  );
