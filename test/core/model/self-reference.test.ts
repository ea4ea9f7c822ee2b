// References to records of the same resource hold on every server, also with requests at once. MySQL's own keys let
// them pass on INSERT.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build, buildInvoice } from '../../support/build/build.ts';
import { type Client, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { execute, select } from '../../support/database/sql.ts';
import { forecourt } from '../../support/process/forecourt.ts';
import { database, serviceEnvironment } from '../../support/service/service.ts';

const ROUNDS = 12;
const UNKNOWN = 2 ** 30;

describe('a reference to a record of the same resource', () => {
  let client: Client;
  let other: Client;
  before(async () => {
    [client, other] = [await newClient(), await newClient()];
  });

  const person = (more: object = {}) => ({ contact_kind: 1, last_name: 'Jansen', country_id: 1, ...more });

  it('is refused where the owner has no such record', async () => {
    const theirs = await build(other, 'contact');
    const before = (await client.get('/contact?count=1')).body.total;

    for (const parent_contact_id of [theirs.id, UNKNOWN])
      expect(await client.post('/contact', person({ parent_contact_id }))).to.be.refused(
        404,
        `Field: [parent_contact_id] value: [${parent_contact_id}] ID not found`,
      );

    expect((await client.get('/contact?count=1')).body.total).to.equal(before);
  });

  it('is refused on another resource too, with all other unknown references', async () => {
    const theirs = await buildInvoice(other);
    const contact = await build(client, 'contact');

    const answer = await client.post('/order', {
      order_type: LISTS.ordertypes.INTERNAL_REVERSAL,
      order_date: '2026-05-01',
      contact_id: contact.id,
      vehicle_id: UNKNOWN,
      credited_order_id: theirs.id,
    });

    expect(answer.status).to.equal(404);
    expect(answer.body.errors.map(({ field }: { field: string }) => field)).to.have.members([
      'vehicle_id',
      'credited_order_id',
    ]);
  });

  it('to nothing, written by SQL, is named by doctor', async () => {
    const { id } = await build(client, 'contact');
    const environment = serviceEnvironment();
    const refer = (parent: number | null) =>
      database().transaction(async (session) => {
        await execute(session, 'SET SESSION foreign_key_checks = 0');
        await execute(session, 'UPDATE contacts SET parent_contact_id = ? WHERE id = ?', [parent, id]);
        await execute(session, 'SET SESSION foreign_key_checks = 1');
      });

    await refer(UNKNOWN);
    const { out } = await forecourt(environment, ['doctor', '--offline', '--json']);
    await refer(null);

    const found = JSON.parse(out).findings.find(({ check }: { check: string }) => check === 'references');
    expect(found.ok).to.equal(false);
    expect(found.detail).to.include(`parent_contact_id of contact ${id} of owner ${client.garage.owner}`);
  });

  it('never dangles, whether a POST or the DELETE of its record comes first', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const parent = await build(client, 'contact');
      const add = () => client.post('/contact', person({ parent_contact_id: parent.id }));

      const [removed, ...added] = await Promise.all([
        client.del(`/contact/${parent.id}`),
        add(),
        add(),
        add(),
      ]);

      const statuses = added.map(({ status }: { status: number }) => status);
      if (removed.status === 200) expect(statuses).to.deep.equal([404, 404, 404]);
      else {
        expect(removed).to.be.refused(406, 'Field: [id] in use at: [contact]');
        expect(statuses).to.include(201);
      }
    }
    const [row] = await select(
      database(),
      `SELECT COUNT(*) AS n FROM contacts c LEFT JOIN contacts p ON p.owner_id = c.owner_id AND p.id = c.parent_contact_id
       WHERE c.owner_id = ? AND c.parent_contact_id IS NOT NULL AND p.id IS NULL`,
      [client.garage.owner],
    );
    expect(Number(row?.n)).to.equal(0);
  });
});
