// Requests for single records at the same moment: one statement for each owner, and no record of another owner.

import { expect } from 'chai';
import { createFinder } from '../../../src/core/model/lists/find.ts';
import { resourceNamed } from '../../../src/core/model/records/registry.ts';
import { rowsOf, seededOwner, useDatabase } from '../../business/seed/seeded.ts';
import { recording } from '../../support/database/recording.ts';
import { execute } from '../../support/database/sql.ts';

const UNKNOWN = 2147483647;

describe('reading single records', () => {
  const database = useDatabase();
  let owners: number[];
  let ids: number[];

  before(async function () {
    this.timeout(60_000);
    owners = [await seededOwner(database(), 40), await seededOwner(database(), 40)];
    const rows = await rowsOf(database(), owners[0] ?? 0, 'order');
    ids = rows.map(({ id }) => Number(id));
  });

  const finder = () => {
    const { session, statements } = recording(database());
    return { find: createFinder(session), statements };
  };

  it('gives each request its own record, with one statement', async () => {
    const { find, statements } = finder();
    const wanted = [...ids.slice(0, 20).reverse(), UNKNOWN, ids[3] ?? 0];

    const rows = await Promise.all(wanted.map((id) => find(resourceNamed('order'), owners[0] ?? 0, id)));

    expect(rows.map((row) => row?.id)).to.deep.equal(wanted.map((id) => (id === UNKNOWN ? undefined : id)));
    expect(rows[0]).to.include.keys(...resourceNamed('order').columns, 'version');
    expect(statements).to.have.lengthOf(1);
  });

  it('never gives the record of another owner', async () => {
    const { find, statements } = finder();
    const order = resourceNamed('order');

    const found = await Promise.all(
      ids.slice(0, 5).map((id) => Promise.all(owners.map((owner) => find(order, owner, id)))),
    );

    expect(found.map((rows) => rows.map((row) => row?.id))).to.deep.equal(
      ids.slice(0, 5).map((id) => [id, undefined]),
    );
    expect(statements).to.have.lengthOf(2);
  });

  it('keeps resources with the same IDs apart, and owners as records', async () => {
    const { find } = finder();
    const [first = 0, second = 0] = owners;

    const [owner, stranger, country] = await Promise.all([
      find(resourceNamed('owner'), first, first),
      find(resourceNamed('owner'), first, second),
      find(resourceNamed('country'), first, 1),
    ]);

    expect(owner?.name).to.equal('Garage Zaaigoed');
    expect(stranger).to.equal(undefined);
    expect(country?.code).to.equal('NL');
  });

  it('splits too many requests over several statements', async () => {
    const { find, statements } = finder();

    const rows = await Promise.all(
      [...ids, ...ids].map((id) => find(resourceNamed('order'), owners[0] ?? 0, id)),
    );

    expect(rows.map((row) => row?.id)).to.deep.equal([...ids, ...ids]);
    expect(statements).to.have.lengthOf(Math.ceil((2 * ids.length) / 32));
  });

  it('reads again for a later request', async () => {
    const { find } = finder();
    const order = resourceNamed('order');
    const [owner = 0] = owners;
    const [id = 0] = ids;

    const before = await find(order, owner, id);
    await execute(database(), 'UPDATE orders SET version = version + 1 WHERE owner_id = ? AND id = ?', [
      owner,
      id,
    ]);
    const after = await find(order, owner, id);

    expect(Number(after?.version)).to.equal(Number(before?.version) + 1);
  });

  it('rejects the requests of a failed statement only', async () => {
    const find = createFinder({
      ...database(),
      execute: (sql, values) => database().execute(sql.replace('`contacts`', '`nowhere`'), values),
    });
    const [owner = 0] = owners;

    const [one, two, fine] = await Promise.allSettled([
      find(resourceNamed('contact'), owner, 1),
      find(resourceNamed('contact'), owner, 2),
      find(resourceNamed('order'), owner, ids[0] ?? 0),
    ]);

    expect([one?.status, two?.status, fine?.status]).to.deep.equal(['rejected', 'rejected', 'fulfilled']);
  });
});
