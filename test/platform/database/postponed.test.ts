// Statements that wait for the next command of their transaction: their order, their values, their errors, and how
// many packets they save.
import { garageOf } from '../../../src/core/model/statements/garage.ts';
import type { Session } from '../../../src/core/model/statements/session.ts';
import { deleteRecord } from '../../../src/core/model/writes/delete.ts';
import { changeRecord } from '../../../src/core/model/writes/store.ts';
import { TurnoverGroup } from '../../../src/core/resources/turnover-group.ts';
import { build } from '../../support/build/build.ts';
import { clientOf } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { openProxied } from '../../support/database/proxied-database.ts';
import { select } from '../../support/database/sql.ts';
import { type Garage, makeGarage, theService } from '../../support/service/service.ts';

const RENAME = 'UPDATE contacts SET last_name = ? WHERE id = ?';
const READ = 'SELECT last_name FROM contacts WHERE id = ?';
const FAILING = 'UPDATE contacts SET nothing = ? WHERE id = ?';

describe('a statement that is postponed', () => {
  const database = () => theService().base.database;
  let garage: Garage;
  let id: string;

  before(async () => {
    garage = await makeGarage();
    id = String((await build(clientOf(garage), 'contact')).id);
  });
  beforeEach(() => rename(database(), 'Bakker'));

  /** Outside a transaction nothing is postponed. */
  const rename = async ({ postpone, execute }: Session, name: string) => {
    await (postpone ?? execute)(RENAME, [name, id]);
  };
  const nameIn = async (session: Session) => (await select(session, READ, [id]))[0]?.last_name;
  const failing = ({ postpone }: Session) => postpone?.(FAILING, ['x', id]);
  const code = (error: { code?: string }) => error.code;

  it('runs before the next query, whoever sends the query', async () => {
    const seen = await database().transaction(async (session) => {
      const early = session.knex.raw(READ, [id]);
      await rename(session, 'Visser');
      const [[byKnex]] = await early;
      await rename(session, 'Smit');
      return [byKnex, ...((await session.execute(READ, [id])) as object[])];
    });

    expect(seen).to.deep.equal([{ last_name: 'Visser' }, { last_name: 'Smit' }]);
  });

  it('keeps every text as it is', async () => {
    const texts = [
      `d'Artagnan "x" \\' \\`,
      "'; DROP TABLE contacts; -- ",
      'what? ?? :name $1 %s',
      'one\0two\b\n\r\t\x1a',
      'Łukasz 🚗 ø \u2028',
      '',
    ];

    const kept = [];
    for (const text of texts) {
      await database().transaction((session) => rename(session, text));
      kept.push(await nameIn(database()));
    }

    expect(kept).to.deep.equal(texts);
  });

  it('may be longer than a packet of several', async () => {
    await database().transaction(async (session) => {
      await rename(session, 'Visser');
      await session.postpone?.(`${RENAME} AND ? <> ''`, ['Smit', id, "'".repeat(150_000)]);
    });

    expect(await nameIn(database())).to.equal('Smit');
  });

  it('never runs if its transaction or its savepoint is undone', async () => {
    const stop = new Error('stop');
    const undone = async (session: Session) => {
      await rename(session, 'Visser');
      // Would stop the packet before the order to undo.
      await failing(session);
      throw stop;
    };

    const error = await database()
      .transaction(undone)
      .catch((reason) => reason);
    const after = await nameIn(database());
    await database().transaction(async (session) => {
      await rename(session, 'Smit');
      await session.savepoint?.(() => undone(session)).catch(() => {});
    });

    expect([error, after, await nameIn(database())]).to.deep.equal([stop, 'Bakker', 'Smit']);
  });

  it('undoes the transaction if it fails, and the connection goes on', async () => {
    const error = await database()
      .transaction(async (session) => {
        await session.execute(RENAME, ['Visser', id]);
        await failing(session);
      })
      .catch(code);
    const early = await database()
      .transaction(async (session) => {
        await failing(session);
        await nameIn(session);
      })
      .catch(code);

    expect([error, early]).to.deep.equal(['ER_BAD_FIELD_ERROR', 'ER_BAD_FIELD_ERROR']);
    expect(await nameIn(database())).to.equal('Bakker');
    await database().transaction((session) => rename(session, 'Smit'));
    expect(await nameIn(database())).to.equal('Smit');
  });

  it('fails within its savepoint', async () => {
    const errors = await database().transaction(async (session) => {
      await rename(session, 'Visser');
      return session.savepoint?.(async () => void (await failing(session))).catch(code);
    });

    expect([errors, await nameIn(database())]).to.deep.equal(['ER_BAD_FIELD_ERROR', 'Visser']);
  });

  it('goes to the server with the commit: a change and a deletion of a record take two packets each', async () => {
    const { resource } = TurnoverGroup;
    const { id: group } = await build(clientOf(garage), resource.name);
    const distant = await countingPackets();
    const change = (name: string) =>
      distant.database.transaction((session) =>
        changeRecord(garageOf(session, garage.owner), resource, group, { name }),
      );
    const actor = { owner: garage.owner };
    await change('Banden');

    const taken = [
      await distant.packetsOf(() => change('Velgen')),
      await distant.packetsOf(() => deleteRecord(distant.database, resource, { actor, id: group })),
    ];
    await distant.close();

    // The lock of the row, and then all that writes.
    expect(taken).to.deep.equal([2, 2]);
    expect((await clientOf(garage).get(`/turnovergroup/${group}`)).status).to.equal(404);
  });
});

/** The same database behind a proxy that counts the packets of the service. */
async function countingPackets() {
  let packets = 0;
  const proxied = await openProxied((client, server) => {
    client.on('data', () => {
      packets += 1;
    });
    client.pipe(server).pipe(client);
  });
  return {
    ...proxied,
    packetsOf: async (work: () => Promise<unknown>) => {
      packets = 0;
      await work();
      return packets;
    },
  };
}
