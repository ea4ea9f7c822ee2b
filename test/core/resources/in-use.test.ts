// A record that others refer to can't be deleted, and the refusal names the first of these resources by the alphabet.
// Runs for every reference of every resource.

import type { Resource } from '../../../src/core/model/records/record.ts';
import { linksTo } from '../../../src/core/model/records/registry.ts';
import { build, sampleBody } from '../../support/build/build.ts';
import { expect } from '../../support/client/expect.ts';
import { garageOf, plant, taking } from '../../support/client/resources.ts';
import { select } from '../../support/database/sql.ts';
import { database } from '../../support/service/service.ts';

/** A record without a route of its own is a part of the record that it refers to. */
const isAnnex = ({ methods }: Resource) => methods.length === 0;

/**
 * The references that keep a record. Left out: records that only a frozen record takes, such as payments, because it
 * can't be deleted anyway; and readonly references, because no request can set them.
 */
const linksKeeping = (resource: Resource) =>
  linksTo(resource).filter(
    ({ from, field }) => typeof from.traits.frozenBy !== 'function' && !from.fields.get(field)?.readonly,
  );

for (const resource of taking('DELETE').filter(({ ownership }) => ownership !== 'none')) {
  const path = `/${resource.name}`;

  describe(resource.name, () => {
    it('is deleted if nothing refers to it', async () => {
      const client = await garageOf(resource);
      const { id } = await build(client, resource.name);

      expect((await client.del(`${path}/${id}`)).body).to.deep.equal({ successCode: 200, data: { id } });
      const unknown = `Field: [id] value: [${id}] not found`;
      expect(await client.get(`${path}/${id}`)).to.be.refused(404, unknown);
      expect(await client.del(`${path}?id=${id}`)).to.be.refused(404, unknown);
    });

    it('stays while another record refers to it', async () => {
      const client = await garageOf(resource);
      const target = await build(client, resource.name);

      // In reverse alphabetical order, so that the refusal names each new one.
      for (const { from, field } of linksKeeping(resource).toReversed()) {
        if (isAnnex(from)) continue;
        await build(client, from.name, { [field]: target.id });
        expect(await client.del(`${path}/${target.id}`)).to.be.refused(
          406,
          `Field: [id] in use at: [${from.name}]`,
        );
      }
      expect((await client.get(`${path}/${target.id}`)).status).to.equal(200);
    });

    for (const { from, field } of linksTo(resource).filter((link) => isAnnex(link.from))) {
      it(`is deleted with its ${from.name}`, async () => {
        const client = await garageOf(resource);
        const target = await build(client, resource.name);
        await plant(client, from.name, { [field]: target.id });

        expect((await client.del(`${path}/${target.id}`)).status).to.equal(200);
        const left = `SELECT id FROM ${from.table} WHERE owner_id = ? AND ${field} = ?`;
        expect(await select(database(), left, [client.garage.owner, target.id])).to.deep.equal([]);
      });
    }

    for (const { from, field } of linksKeeping(resource)) {
      if (!from.methods.includes('POST')) continue;
      it(`is deleted or gets a ${from.name} (${field}) if both are requested at once`, async () => {
        const client = await garageOf(resource);
        const { id } = await build(client, resource.name);
        const body = await sampleBody(client, from, { [field]: id });

        const [deleted, added] = await Promise.all([
          client.del(`${path}/${id}`),
          client.post(`/${from.name}`, body),
        ]);

        if (deleted.status === 200) {
          expect(added).to.be.refused(404, `Field: [${field}] value: [${id}] ID not found`);
        } else {
          expect(deleted).to.be.refused(406, `Field: [id] in use at: [${from.name}]`);
          expect(added.status, added.text).to.equal(201);
        }
      });
    }
  });
}
