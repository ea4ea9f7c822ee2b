// A duplicate names the record that has the value, to callers who may read it.
import { resourceNamed } from '../../../src/core/model/records/registry.ts';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build, sampleBody } from '../../support/build/build.ts';
import { buildTyres } from '../../support/build/work.ts';
import { type Answer, type Client, clientOf, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { importJson, person } from '../../support/client/import.ts';
import { recordOf, taking } from '../../support/client/resources.ts';
import { AT_ONCE } from '../../support/database/at-once.ts';
import { makeGarage } from '../../support/service/service.ts';

/** The record that each entry names. */
const named = ({ body }: Answer) => body.errors.map(({ field, resource, id }: Json) => [field, resource, id]);

describe('a duplicate', () => {
  let client: Client;
  beforeEach(async () => {
    client = await newClient();
  });

  for (const resource of taking('POST').filter(({ name }) => name !== 'webhooksubscription'))
    it(`names the ${resource.name} that has the external_id, on POST, PUT and upsert`, async () => {
      const { name } = resource;
      const holder = await recordOf(client, resource, { external_id: 'taken' });
      const other = await recordOf(client, resource, { external_id: 'other' });

      const posted = await client.post(
        `/${name}`,
        await sampleBody(client, resource, { external_id: 'taken' }),
      );
      const changed = await client.put(`/${name}/${other.id}`, { external_id: 'taken' });
      const upserted = await client.put(
        `/${name}?external_id=${encodeURIComponent('taken ')}`,
        await sampleBody(client, resource),
      );

      for (const answer of [posted, changed, upserted]) {
        expect(answer.status, answer.text).to.equal(409);
        expect(named(answer)).to.deep.equal([['external_id', name, holder.id]]);
      }
    });

  it('names each of several records', async () => {
    const one = await build(client, 'contact', { external_id: 'K', debtor_number: 'D-1' });
    const two = await build(client, 'contact', { creditor_number: 'C-1' });

    const answer = await client.post('/contact', {
      ...person({ external_id: 'K', debtor_number: 'D-2', creditor_number: 'C-1' }),
    });

    expect(answer.body.errors).to.deep.include.members([
      {
        code: 'value_duplicate',
        message: 'Field: [external_id] value: [K] has a duplicate illegal value',
        field: 'external_id',
        value: 'K',
        resource: 'contact',
        id: one.id,
      },
    ]);
    expect(named(answer)).to.have.deep.members([
      ['external_id', 'contact', one.id],
      ['creditor_number', 'contact', two.id],
    ]);
  });

  it('names the vehicle of a plate in any form, also for a new plate', async () => {
    const holder = await build(client, 'vehicle', { license_plate: 'ZX-123-V' });
    const other = await build(client, 'vehicle');

    const posted = await client.post(
      '/vehicle',
      await sampleBody(client, resourceNamed('vehicle'), { license_plate: 'zx123v' }),
    );
    const plate = await client.put('/updatelicenseplate', { id: other.id, license_plate: 'zx123v' });

    expect(named(posted)).to.deep.equal([['license_plate', 'vehicle', holder.id]]);
    expect(named(plate)).to.deep.equal([['license_plate', 'vehicle', holder.id]]);
    expect(posted.body.message).to.equal(
      'Field: [license_plate] value: [zx123v] has a duplicate illegal value',
    );
  });

  it('names what a rule finds: a number of a seller, a preferred address, a place of tyres', async () => {
    const order_type = LISTS.ordertypes.VEHICLE_PURCHASE;
    const purchase = await build(client, 'order', { order_type, supplier_invoice_number: '2026-1' });
    const mail = { communication_type: 4, value: 'a@b.nl', is_prefered_email: 1 };
    const contact_id = purchase.contact_id;
    const preferred = await build(client, 'contactcommunication', { contact_id, ...mail });
    const { swap } = await buildTyres(client);
    const stored = await build(client, 'tyreset', {
      tyreset_status: LISTS.tyresetstatuses.STORED,
      location: 'Z-9',
    });

    const seller = await client.post('/order', {
      order_type,
      order_date: '2026-05-01',
      contact_id,
      supplier_invoice_number: '2026-1',
    });
    const address = await client.post('/contactcommunication', { contact_id, ...mail });
    const swapped = await client.put('/tyreset/swap', { ...swap, location: stored.location });

    expect(named(seller)).to.deep.equal([['supplier_invoice_number', 'order', purchase.id]]);
    expect(named(address)).to.deep.equal([['is_prefered_email', 'contactcommunication', preferred.id]]);
    expect(named(swapped)).to.deep.equal([['location', 'tyreset', stored.id]]);
  });

  it('names nobody to a key or a user who may not read the record', async () => {
    const garage = await makeGarage();
    const holder = await build(clientOf(garage), 'contact', person({ external_id: 'K' }));
    const key = clientOf(await makeGarage({ owner: garage.owner, allow: ['POST /contact', 'PUT /contact'] }));

    const hidden = await key.post('/contact', person({ external_id: 'K' }));
    const shown = await clientOf(garage).post('/contact', person({ external_id: 'K' }));

    expect(named(hidden)).to.deep.equal([['external_id', undefined, undefined]]);
    expect(named(shown)).to.deep.equal([['external_id', 'contact', holder.id]]);
  });

  it('names nobody for usernames, and for two children of one body', async () => {
    const { username } = client.garage;
    const line = { line_kind: 1, description: 'Olie', quantity: 1, price: 1, vat_code: 1, sort_order: 1 };
    const { contact_id } = await build(client, 'order');

    const employee = await client.post(
      '/employee',
      await sampleBody(client, resourceNamed('employee'), { username }),
    );
    const order = await client.post('/order', {
      order_type: 1,
      order_date: '2026-05-01',
      contact_id,
      orderline: [line, line],
    });

    expect(named(employee)).to.deep.equal([['username', undefined, undefined]]);
    expect(named(order)).to.deep.equal([['orderline[1].sort_order', undefined, undefined]]);
  });

  it('names the record of the request that was faster', async () => {
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, () => client.post('/contact', person({ external_id: 'race' }))),
    );

    const added = answers.find(({ status }) => status === 201);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).to.have.length(AT_ONCE - 1);
    for (const answer of refused)
      expect(named(answer)).to.deep.equal([['external_id', 'contact', added?.data.id]]);
  });

  it('names the record in the report of an import, also one of the same file, but for a dry run', async () => {
    const holder = await build(client, 'contact', person({ debtor_number: 'D-1' }));
    const rows = [
      person({ debtor_number: 'D-1' }),
      person({ debtor_number: 'D-2' }),
      person({ debtor_number: 'D-2' }),
    ];

    const dry = await importJson(client, 'resource=contact&dry_run=1', rows);
    const { rows: report } = await importJson(client, 'resource=contact', rows);

    const namesOf = ({ errors }: { errors: Json[] }) => errors.map(({ resource, id }) => [resource, id]);
    expect(report.map(namesOf)).to.deep.equal([[['contact', holder.id]], [], [['contact', report[1].id]]]);
    expect(dry.rows.map(namesOf)).to.deep.equal([[['contact', holder.id]], [], [[undefined, undefined]]]);
  });

  it('names nobody in the report to a key that may not read the records', async () => {
    const garage = await makeGarage();
    await build(clientOf(garage), 'contact', person({ debtor_number: 'D-1' }));
    const allow = ['POST /import', 'POST /contact', 'GET /job'];
    const key = clientOf(await makeGarage({ owner: garage.owner, allow }));

    const { rows } = await importJson(key, 'resource=contact', [person({ debtor_number: 'D-1' })]);

    expect(rows[0].errors[0]).to.include({ code: 'value_duplicate' });
    expect(rows[0].errors[0]).to.not.have.any.keys('resource', 'id');
  });
});
