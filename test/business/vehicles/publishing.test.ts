// Publishing a vehicle: what it requires, and that a published vehicle can't be deleted.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build } from '../../support/build/build.ts';
import { type Client, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';

const READY = {
  tax_kind: LISTS.taxkinds.VAT,
  sale_price: 9950,
  mileage: 120_000,
  fuel_kind: LISTS.fuelkinds.PETROL,
  first_registration_date: '2019-03-01',
};
const NO_SITE = 'Vehicleadvertisementsite is required, vehicle not published';

describe('publishing a vehicle', () => {
  let client: Client;
  // biome-ignore lint/suspicious/noExplicitAny: records as they are answered
  let [vehicle, site]: any[] = [];
  beforeEach(async () => {
    client = await newClient();
    vehicle = await build(client, 'vehicle', READY);
    site = await build(client, 'vehicleadvertisementsite', { vehicle_id: vehicle.id });
  });

  const start = (id: unknown = vehicle.id) => client.put('/vehicle/publishstart', { id });
  const stop = () => client.put(`/vehicle/publishstop?id=${vehicle.id}`);
  const check = (id: unknown = vehicle.id) => client.get(`/vehicle/publishstart?id=${id}`);
  const read = async () => (await client.get(`/vehicle/${vehicle.id}`)).data;

  it('takes the ID from the address or the body, and refuses two different IDs', async () => {
    expect(await client.put('/vehicle/publishstart')).to.be.refused(403, 'No primary ID provided');
    expect(await client.put(`/vehicle/publishstart?id=${vehicle.id}`, { id: vehicle.id + 1 })).to.be.refused(
      400,
      'Primary ID is not an valid ID',
    );
    expect(await client.put('/vehicle/publishstart', { id: vehicle.id, make: 'x' })).to.be.refused(
      403,
      'Field: [make] not found in model',
    );
    expect(await read()).to.deep.equal(vehicle);
  });

  it('is only checked by GET', async () => {
    expect((await check()).body).to.deep.equal({ successCode: 200, data: { publishable: 1 } });
    expect(await read()).to.deep.equal(vehicle);
  });

  it('is done by PUT, and undone by publishstop', async () => {
    const before = Date.now();
    const published = await start();
    expect(published.data).to.include({ id: vehicle.id, publish_status: 1 });
    expect(Date.parse(published.data.published_at)).to.be.within(before, Date.now());
    expect((await start()).data).to.deep.equal(published.data);
    expect(await read()).to.deep.equal(published.data);

    expect((await stop()).data).to.include({ publish_status: 0, published_at: null });
    expect((await stop()).status).to.equal(200);
  });

  for (const field of Object.keys(READY)) {
    it(`requires ${field}`, async () => {
      await client.put(`/vehicle/${vehicle.id}`, { [field]: null });
      const message = `Field: [${field}] value: [null] is required vehicle not published`;

      expect(await check()).to.be.refused(403, message);
      expect(await start()).to.be.refused(403, message);
      expect((await read()).publish_status).to.equal(0);
    });
  }

  it('names all missing fields before the missing site', async () => {
    const bare = await build(client, 'vehicle');

    const answer = await check(bare.id);

    expect(answer.body.errors.map(({ message }: { message: string }) => message)).to.deep.equal(
      Object.keys(READY).map((field) => `Field: [${field}] value: [null] is required vehicle not published`),
    );
  });

  it('requires an advertisement site', async () => {
    await client.del(`/vehicleadvertisementsite/${site.id}`);

    expect(await check()).to.be.refused(403, NO_SITE);
    expect(await start()).to.be.refused(403, NO_SITE);
  });

  it('prevents the deletion of the vehicle', async () => {
    await start();

    expect(await client.del(`/vehicle/${vehicle.id}`)).to.be.refused(
      403,
      `Vehicle with id: [${vehicle.id}] has publish status: published delete not allowed`,
    );
    await stop();
    expect(await client.del(`/vehicle/${vehicle.id}`)).to.be.refused(
      406,
      'Field: [id] in use at: [vehicleadvertisementsite]',
    );
    await client.del(`/vehicleadvertisementsite/${site.id}`);
    expect((await client.del(`/vehicle/${vehicle.id}`)).status).to.equal(200);
  });

  it("requires a vehicle of the caller's garage that is open to change", async () => {
    const stranger = await newClient();
    const unknown = `Field: [id] value: [${vehicle.id}] not found`;
    expect(await stranger.get(`/vehicle/publishstart?id=${vehicle.id}`)).to.be.refused(404, unknown);
    expect(await stranger.put('/vehicle/publishstart', { id: vehicle.id })).to.be.refused(404, unknown);
    expect(await client.get('/vehicle/publishstart')).to.be.refused(
      400,
      'These parameter(s): [id] are required',
    );
    expect(await check('x')).to.be.refused(403, 'Primary ID is invalid');
    expect(await start('x')).to.be.refused(400, 'Primary ID is not an valid ID');
    await client.put(`/vehicle/${vehicle.id}`, { is_archived: 1 });
    const archived = 'This is an archived record, fields cannot be changed, only update: is_archived';
    expect(await start()).to.be.refused(409, archived);
    expect(await stop()).to.be.refused(409, archived);
  });
});
