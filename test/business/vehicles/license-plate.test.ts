// The license plate of a vehicle changes by one endpoint only, which keeps the old plate.

import { resourceNamed } from '../../../src/core/model/records/registry.ts';
import { build, sampleBody } from '../../support/build/build.ts';
import { type Client, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { messages } from '../../support/client/resources.ts';

const NOT_BY_PUT = 'The change of the licenseplate is not allowed via put, use /updatelicenseplate.';

describe('a license plate', () => {
  let client: Client;
  // biome-ignore lint/suspicious/noExplicitAny: a record as it is answered
  let vehicle: any;
  beforeEach(async () => {
    client = await newClient();
    vehicle = await build(client, 'vehicle', { license_plate: 'AB-123-C' });
  });

  const update = (license_plate: unknown, id: unknown = vehicle.id) =>
    client.put('/updatelicenseplate', { id, license_plate });
  const read = async () => (await client.get(`/vehicle/${vehicle.id}?expand=licenseplatehistory`)).data;

  it("can't be changed by PUT of the vehicle", async () => {
    for (const license_plate of ['ZZ-999-Z', 'NEW-1'])
      expect(await client.put(`/vehicle/${vehicle.id}`, { license_plate })).to.be.refused(409, NOT_BY_PUT);
    for (const license_plate of ['AB-123-C', 'ab123c', 'AB123C']) {
      expect((await client.put(`/vehicle/${vehicle.id}`, { license_plate })).data).to.deep.equal(vehicle);
    }
  });

  it('is changed by its own endpoint, which keeps earlier plates', async () => {
    const from = Date.now();
    const answer = await update('12abc3');
    expect((await update('K-123-BB')).status).to.equal(200);

    expect(answer.status).to.equal(200);
    expect(answer.data).to.include({ id: vehicle.id, license_plate: '12-ABC-3', make: vehicle.make });
    const { license_plate, licenseplatehistory } = await read();
    expect(license_plate).to.equal('K-123-BB');
    expect(licenseplatehistory.map((row: { license_plate: string }) => row.license_plate)).to.deep.equal([
      'AB-123-C',
      '12-ABC-3',
    ]);
    expect(Date.parse(licenseplatehistory[0].changed_at)).to.be.within(from, Date.now());
  });

  it('is changed with the ID in the query too', async () => {
    const change = (query: string, body: object) => client.put(`/updatelicenseplate?${query}`, body);
    const license_plate = 'K-123-BB';

    const answer = await change(`id=${vehicle.id}`, { license_plate });

    expect([answer.status, answer.data.license_plate]).to.deep.equal([200, license_plate]);
    for (const query of [`id=${vehicle.id + 1}`, 'id=x'])
      expect(await change(query, { id: vehicle.id, license_plate })).to.be.refused(
        400,
        'Primary ID is not an valid ID',
      );
    expect(await client.put('/updatelicenseplate', { license_plate })).to.be.refused(
      403,
      'No primary ID provided',
    );
  });

  it('changes nothing if the plate is the same', async () => {
    expect((await update('ab123c')).data).to.deep.equal(vehicle);
    expect((await read()).licenseplatehistory).to.deep.equal([]);
  });

  it('is unique apart from dashes', async () => {
    const other = await build(client, 'vehicle', { license_plate: 'ZZ-999-Z' });
    const body = await sampleBody(client, resourceNamed('vehicle'), { license_plate: 'zz999z' });

    expect(await client.post('/vehicle', body)).to.be.refused(
      409,
      'Field: [license_plate] value: [zz999z] has a duplicate illegal value',
    );
    expect(await update('ZZ999Z')).to.be.refused(
      409,
      'Field: [license_plate] Value: [ZZ999Z] has a duplicate illegal value',
    );
    expect((await read()).licenseplatehistory).to.deep.equal([]);
    expect((await client.get(`/vehicle/${other.id}`)).data).to.deep.equal(other);
  });

  it("has the form of the plate's country", async () => {
    const foreign = await build(client, 'vehicle', { license_plate: 'm-xy 42', plate_country_id: 3 });

    expect(foreign.license_plate).to.equal('M-XY 42');
    expect(await update('M-XY 42')).to.be.refused(
      403,
      'Field: [license_plate] has an invalid value: [M-XY 42] for validation: [license_plate]',
    );
    expect((await update('ö-1', foreign.id)).data.license_plate).to.equal('Ö-1');
    expect(await client.put(`/vehicle/${foreign.id}`, { plate_country_id: 1 })).to.be.refused(
      403,
      'Field: [plate_country_id] has an invalid value: [1] for validation: [license_plate]',
    );
  });

  it('gets the form of the new country if the country changes', async () => {
    for (const named of [{}, { license_plate: 'gb12cd' }]) {
      const { id, license_plate } = await build(client, 'vehicle', {
        license_plate: 'GB12CD',
        plate_country_id: 3,
      });

      const { data } = await client.put(`/vehicle/${id}`, { plate_country_id: 1, ...named });

      expect([license_plate, data.license_plate]).to.deep.equal(['GB12CD', 'GB-12-CD']);
      expect((await client.get(`/vehicle/${id}`)).data).to.deep.equal(data);
      await client.del(`/vehicle/${id}`);
    }
  });

  it('refuses a wrong request', async () => {
    const stranger = await newClient();
    const unknown = `Field: [id] value: [${vehicle.id}] not found`;
    const put = (body: unknown) => client.put('/updatelicenseplate', body);

    expect(await put('')).to.be.refused(400, 'Empty body');
    expect(await put({ license_plate: 'ZZ-999-Z' })).to.be.refused(403, 'No primary ID provided');
    expect(await update('ZZ-999-Z', 'x')).to.be.refused(400, 'Primary ID is not an valid ID');
    expect(await put({ id: vehicle.id })).to.be.refused(
      403,
      'Field: [license_plate] is required and not supplied in request',
    );
    expect(await update('')).to.be.refused(403, 'Field: [license_plate] is required and cannot be empty');
    expect(await update(5)).to.be.refused(
      403,
      'Field: [license_plate] has an invalid value: [5] for datatype: varchar',
    );
    expect(await put({ id: vehicle.id, license_plate: 'ZZ-999-Z', make: 'x' })).to.be.refused(
      403,
      'Field: [make] not found in model',
    );
    expect(
      await stranger.put('/updatelicenseplate', { id: vehicle.id, license_plate: 'ZZ-999-Z' }),
    ).to.be.refused(404, unknown);
    await client.put(`/vehicle/${vehicle.id}`, { is_blocked: 1 });
    expect((await update('ZZ-999-Z')).status).to.equal(409);
    expect((await read()).license_plate).to.equal('AB-123-C');
  });

  it('is refused together with unknown fields, in the order of the body', async () => {
    const answer = await client.put('/updatelicenseplate', { id: vehicle.id, license_plate: 5, make: 'x' });

    const wrong = 'Field: [license_plate] has an invalid value: [5] for datatype: varchar';
    expect(answer).to.be.refused(403, wrong);
    expect(messages(answer)).to.deep.equal([wrong, 'Field: [make] not found in model']);
  });

  it('leaves a history that goes with the vehicle', async () => {
    await update('ZZ-999-Z');

    expect((await client.del(`/vehicle/${vehicle.id}`)).status).to.equal(200);
  });

  it('goes to one vehicle if many request it at once', async () => {
    const vehicles = await Promise.all(Array.from({ length: 10 }, () => build(client, 'vehicle')));

    const answers = await Promise.all(vehicles.map(({ id }) => update('ZZ-999-Z', id)));

    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, ...Array(9).fill(409)]);
    expect((await client.get('/licenseplatehistory')).status).to.equal(400);
  });
});
