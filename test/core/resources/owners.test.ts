// Nobody can read, change or refer to a record of another owner. Runs for every resource.
import { resourceNamed } from '../../../src/core/model/records/registry.ts';
import { beside, build, EXCLUSIVE, fullBody, sampleBody } from '../../support/build/build.ts';
import { expect } from '../../support/client/expect.ts';
import {
  garageOf,
  recordOf,
  settable,
  stranger,
  taking,
  WRITABLE,
  waysIn,
} from '../../support/client/resources.ts';

const NOBODYS = 2147483647;

for (const resource of taking('GET').filter(({ ownership }) => ownership !== 'none')) {
  const path = `/${resource.name}`;

  describe(resource.name, () => {
    it('does not exist for another owner', async () => {
      const client = await garageOf(resource);
      const other = await stranger();
      const record = await recordOf(client, resource);
      const unknown = `Field: [id] value: [${record.id}] not found`;

      expect(await other.get(`${path}/${record.id}`)).to.be.refused(404, unknown);
      expect(await other.get(`${path}?id=${record.id}&fields=id`)).to.be.refused(404, unknown);
      expect((await other.get(`${path}?filter=id:${record.id}&count=1`)).body).to.include({ total: 0 });
      if (resource.methods.includes('PUT')) {
        expect(await other.put(`${path}/${record.id}`, { external_id: 'mine' })).to.be.refused(404, unknown);
        expect(await other.put(path, { id: record.id, foo: 1 })).to.be.refused(404, unknown);
      }
      if (resource.methods.includes('DELETE')) {
        expect(await other.del(`${path}/${record.id}`)).to.be.refused(404, unknown);
      }
      expect((await client.get(`${path}/${record.id}`)).data).to.deep.equal(record);
    });

    it('is never in the list of another owner', async () => {
      const { id } = await recordOf(await garageOf(resource), resource);

      const other = await stranger();
      const { data } = await other.get(`${path}?page_size=1000&sort=-id`);

      expect(data.map((record: { id: number }) => record.id)).not.to.include(id);
    });
  });
}

for (const resource of WRITABLE) {
  const path = `/${resource.name}`;
  const references = settable(resource).filter(([, { reference }]) => reference !== undefined);

  describe(resource.name, () => {
    for (const [name, { reference = '', fixed }] of references) {
      const isShared = resourceNamed(reference).ownership === 'none';
      const strange = async () =>
        isShared ? NOBODYS : ((await build(await stranger(), reference)).id as number);

      it(`refuses a ${name} that the owner does not have`, async () => {
        const client = await garageOf(resource);

        for (const value of [await strange(), NOBODYS, 0, -1]) {
          const unknown = `Field: [${name}] value: [${value}] ID not found`;
          if (resource.methods.includes('POST')) {
            const body = await sampleBody(client, resource, { [name]: value });
            expect(await client.post(path, body)).to.be.refused(404, unknown);
          }
          if (fixed || !waysIn(resource).includes('PUT')) continue;
          const record = await recordOf(client, resource);
          const body = { ...(await beside(client, resource, { [name]: value })), [name]: value };
          expect(await client.put(`${path}/${record.id}`, body)).to.be.refused(404, unknown);
        }
      });
    }

    if (references.length > 1 && resource.methods.includes('POST')) {
      it('names all references to unknown records', async () => {
        const client = await garageOf(resource);
        const nowhere = Object.fromEntries(
          references
            .map(([name]) => name)
            .filter((name) => !EXCLUSIVE[resource.name]?.slice(0, -1).includes(name))
            .map((name) => [name, NOBODYS]),
        );

        const answer = await client.post(path, await fullBody(client, resource, { overrides: nowhere }));

        expect(answer.status).to.equal(404);
        expect(answer.body.errors.map(({ field }: { field: string }) => field)).to.have.members(
          Object.keys(nowhere),
        );
      });
    }
  });
}
