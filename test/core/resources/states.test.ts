// System, blocked and archived records: what they refuse, and the field that lifts the state. A parent's state also
// stops new children. Runs for every resource.
import type { Resource } from '../../../src/core/model/records/record.ts';
import { resourceNamed } from '../../../src/core/model/records/registry.ts';
import { build, sampleBody } from '../../support/build/build.ts';
import { expect } from '../../support/client/expect.ts';
import { force, garageOf, recordOf, taking, waysIn } from '../../support/client/resources.ts';

const SYSTEM = 'This is a system record, fields cannot be changed';
const SYSTEM_DELETE = 'This is a system-record, record cannot be deleted';
const STATES = {
  is_blocked: 'This is a blocked record, fields cannot be changed, only update: is_blocked',
  is_archived: 'This is an archived record, fields cannot be changed, only update: is_archived',
};
const FREE = { is_system: 0, is_blocked: 0, is_archived: 0 };

const isDeletable = ({ methods }: Resource) => methods.includes('DELETE');

for (const resource of taking('PUT')) {
  const path = `/${resource.name}`;

  describe(resource.name, () => {
    it("can't be changed as a system record", async () => {
      const client = await garageOf(resource);
      const { id } = await recordOf(client, resource);
      await force(resource, id, { is_system: 1 });

      for (const body of [{ external_id: 'x' }, { is_blocked: 1 }, { foo: 1 }, { id, is_archived: 0 }]) {
        expect(await client.put(`${path}/${id}`, body)).to.be.refused(409, SYSTEM);
      }
      if (isDeletable(resource)) expect(await client.del(`${path}/${id}`)).to.be.refused(409, SYSTEM_DELETE);
      expect(await client.put(`${path}/${id}`, '')).to.be.refused(400, 'Empty body');
      if (resource.ownership !== 'none') await force(resource, id, FREE);
    });

    if (!waysIn(resource).includes('PUT')) return;
    for (const [flag, message] of Object.entries(STATES)) {
      const other = flag === 'is_blocked' ? 'is_archived' : 'is_blocked';

      it(`takes ${flag} alone while it is set`, async () => {
        const client = await garageOf(resource);
        const { id } = await recordOf(client, resource);
        const at = `${path}/${id}`;
        expect((await client.put(at, { [flag]: 1 })).data).to.include({ [flag]: 1 });

        for (const body of [
          { external_id: 'x' },
          { [other]: 1 },
          { foo: 1 },
          { [flag]: 0, external_id: 'x' },
          { id },
        ]) {
          expect(await client.put(at, body)).to.be.refused(409, message);
        }
        if (isDeletable(resource)) expect(await client.del(at)).to.be.refused(409, message);
        expect(await client.put(at, { [flag]: 2 })).to.be.refused(
          403,
          `Field: [${flag}] has an invalid value: [2] for validation: [0,1]`,
        );
        expect((await client.put(at, { id, [flag]: 1 })).status).to.equal(200);
        expect((await client.put(path, { id, [flag]: 0 })).data).to.include({ [flag]: 0 });
        expect((await client.put(at, { external_id: `free ${id} ${flag}` })).status).to.equal(200);
      });
    }

    it('must be unblocked before it is unarchived', async () => {
      const client = await garageOf(resource);
      const { id } = await recordOf(client, resource);
      await force(resource, id, { is_blocked: 1, is_archived: 1 });

      expect(await client.put(`${path}/${id}`, { is_archived: 0 })).to.be.refused(409, STATES.is_blocked);
      expect((await client.put(`${path}/${id}`, { is_blocked: 0 })).status).to.equal(200);
      expect((await client.put(`${path}/${id}`, { is_archived: 0 })).status).to.equal(200);
    });
  });
}

for (const resource of taking('POST').filter(({ traits }) => traits.parent)) {
  const field = resource.traits.parent ?? '';
  const parent = resourceNamed(resource.fields.get(field)?.reference ?? '');

  describe(resource.name, () => {
    it(`is not added if its ${field} may not change`, async () => {
      const client = await garageOf(resource);
      const isRequired = resource.fields.get(field)?.required;
      const given = isRequired ? {} : { [field]: (await build(client, parent.name)).id };
      const body = await sampleBody(client, resource, given);
      const id = Number(body[field]);

      for (const [flag, message] of Object.entries({ is_system: SYSTEM, ...STATES })) {
        await force(parent, id, { ...FREE, [flag]: 1 });
        expect(await client.post(`/${resource.name}`, body)).to.be.refused(409, message);
        expect(await client.post(`/${resource.name}`, { [field]: id, foo: 1 })).to.be.refused(409, message);
      }
      await force(parent, id, FREE);
      expect((await client.post(`/${resource.name}`, body)).status).to.equal(201);
    });
  });
}
