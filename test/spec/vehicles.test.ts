// The specification's rows about vehicles: one owner, publishing, and the license plate.
import { LISTS } from '../../src/core/trade/lists.ts';
import { build } from '../support/build/build.ts';
import { type Client, type Json, newClient } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { row, says } from './row.ts';

const TABLE = 'Per endpoint';
const { PUBLISHED } = LISTS.publishstatuses;
const { OWNER, DRIVER } = LISTS.vehicleroles;
const PUBLISHABLE = {
  tax_kind: LISTS.taxkinds.VAT,
  sale_price: 12_950,
  mileage: 84_000,
  fuel_kind: LISTS.fuelkinds.PETROL,
  first_registration_date: '2019-03-01',
};

describe('specification: vehicles', () => {
  let client: Client;
  let contact_id: number;
  before(async () => {
    client = await newClient();
    contact_id = (await build(client, 'contact')).id;
  });

  const vehicleWith = async (fields: Json = {}): Promise<number> =>
    (await build(client, 'vehicle', fields)).id;
  const advertised = async (fields: Json = PUBLISHABLE): Promise<number> => {
    const id = await vehicleWith(fields);
    await build(client, 'vehicleadvertisementsite', { vehicle_id: id });
    return id;
  };
  const publish = (method: string, id: number) => client.request(method, `/vehicle/publishstart?id=${id}`);
  const give = (vehicle_id: number, role_kind: number = OWNER, dates: Json = { start_date: '2026-05-01' }) =>
    client.post('/vehicleroleline', { vehicle_id, contact_id, role_kind, ...dates });

  row(TABLE, 'POST /vehicleroleline | Vehicle already has an owner', async (says) => {
    const id = await vehicleWith();
    await give(id);

    expect(await give(id)).to.be.refused(...says());
    expect((await give(id, DRIVER)).status).to.equal(201);
  });

  row('Limits', 'Vehicle owners per vehicle', async () => {
    const id = await vehicleWith();
    await give(id, OWNER, { start_date: '2019-05-01', end_date: '2020-05-01' });

    const answers = await Promise.all([give(id), give(id), give(id)]);

    expect(answers.map(({ status }) => status).sort(), 'three at once').to.deep.equal([201, 403, 403]);
  });

  row('Endpoints', 'POST | /vehicleroleline', async () => {
    const { status, data } = await give(await vehicleWith());

    expect(status).to.equal(201);
    expect(data).to.include({ contact_id, role_kind: OWNER, start_date: '2026-05-01T00:00:00.000Z' });
  });

  for (const method of ['PUT', 'GET']) {
    row(
      TABLE,
      'PUT and GET /vehicle/publishstart | Required field empty (e.g. tax_kind)',
      method,
      async (says) => {
        const { tax_kind: _, ...rest } = PUBLISHABLE;

        expect(await publish(method, await advertised(rest))).to.be.refused(...says());
        expect(await publish(method, await vehicleWith()), 'all is missing').to.be.refused(...says());
      },
    );

    row(TABLE, 'PUT and GET /vehicle/publishstart | No advertisement site', method, async (says) => {
      expect(await publish(method, await vehicleWith(PUBLISHABLE))).to.be.refused(...says());
    });

    row('Endpoints', 'PUT and GET | /vehicle/publishstart', method, async () => {
      const answer = await publish(method, await advertised());

      expect(answer.status).to.equal(200);
      expect(answer.data).to.include(method === 'GET' ? { publishable: 1 } : { publish_status: PUBLISHED });
    });
  }

  row(TABLE, 'DELETE /vehicle | Vehicle is published', async (says) => {
    const id = await advertised();
    await publish('PUT', id);

    expect(await client.del(`/vehicle/${id}`)).to.be.refused(...says(id));
    expect((await client.get(`/vehicle/${id}`)).status).to.equal(200);
  });

  row('States and transitions', 4, async () => {
    const id = await vehicleWith();
    expect((await publish('PUT', id)).status).to.equal(403);
    await client.put(`/vehicle/${id}`, PUBLISHABLE);
    expect((await publish('PUT', id)).status).to.equal(403);

    const site = await build(client, 'vehicleadvertisementsite', { vehicle_id: id });
    expect((await publish('PUT', id)).status).to.equal(200);

    expect((await client.del(`/vehicle/${id}`)).status).to.equal(403);
    await client.put('/vehicle/publishstop', { id });
    await client.del(`/vehicleadvertisementsite/${site.id}`);
    expect((await client.del(`/vehicle/${id}`)).status).to.equal(200);
  });

  row(TABLE, 'PUT /vehicle | license_plate changed via PUT', async (says) => {
    const { id, license_plate } = await build(client, 'vehicle');

    expect(await client.put(`/vehicle/${id}`, { license_plate: 'GB-001-B' })).to.be.refused(...says());
    expect((await client.put(`/vehicle/${id}`, { license_plate, color: 'red' })).status, 'kept').to.equal(
      200,
    );
  });

  row('Endpoints', 'PUT / DELETE | /vehicle', 'PUT', async () => {
    const { status, data } = await client.put(`/vehicle/${await vehicleWith()}`, { color: 'red' });

    expect([status, data.color]).to.deep.equal([200, 'red']);
  });

  row('Endpoints', 'PUT / DELETE | /vehicle', 'DELETE', async () => {
    const id = await vehicleWith();

    expect((await client.del(`/vehicle/${id}`)).body).to.deep.equal({ successCode: 200, data: { id } });
  });

  row('Endpoints', 'PUT | /updatelicenseplate', async () => {
    const { id, license_plate: old } = await build(client, 'vehicle');

    const answer = await client.put('/updatelicenseplate', { id, license_plate: 'gb002b' });

    expect(answer.data.license_plate).to.equal('GB-002-B');
    const { data } = await client.get(`/vehicle/${id}?expand=licenseplatehistory`);
    expect(data.licenseplatehistory[0].license_plate).to.equal(old);
  });

  row('Other resources', 'vehicle', async () => {
    const plain = { vehicle_kind: 1, make: 'Volvo', model: 'V60', stock_status: 2 };

    expect(await client.post('/vehicle', plain)).to.be.refused(
      ...says('POST (add one item)', 'Required field missing', 'license_plate'),
    );
    expect(await client.put(`/vehicle/${await vehicleWith()}`, { publish_status: PUBLISHED })).to.be.refused(
      ...says('PUT', 'Readonly field', 'publish_status'),
    );
  });
});
