// Which fields a body must contain, and which it may empty. Runs for every resource.
import type { Resource } from '../../../src/core/model/records/record.ts';
import { beside, sampleBody } from '../../support/build/build.ts';
import type { Json } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { garageOf, messages, recordOf, settable, taking, waysIn } from '../../support/client/resources.ts';

for (const resource of taking('POST')) {
  const path = `/${resource.name}`;

  describe(resource.name, () => {
    it('demands each required field', async () => {
      const client = await garageOf(resource);
      const body = await sampleBody(client, resource, { is_blocked: 0 });

      for (const field of demanded(resource, body)) {
        const message = `Field: [${field}] is required and not supplied in request`;
        const { [field]: _, ...rest } = body;
        expect(await client.post(path, rest)).to.be.refused(403, message);
        expect(await client.post(path, { ...body, [field]: null })).to.be.refused(403, message);
        expect(await client.post(path, { ...body, [field]: '' })).to.be.refused(403, message);
      }
    });

    it('names all required fields at once', async () => {
      const answer = await (await garageOf(resource)).post(path, { is_blocked: 0 });

      expect(messages(answer)).to.deep.equal(
        demanded(resource, {}).map((field) => `Field: [${field}] is required and not supplied in request`),
      );
    });
  });
}

for (const resource of taking('PUT').filter((candidate) => waysIn(candidate).includes('PUT'))) {
  const path = `/${resource.name}`;

  describe(resource.name, () => {
    it('refuses to empty a required field', async () => {
      const client = await garageOf(resource);
      const record = await recordOf(client, resource);

      for (const field of demanded(resource, record)) {
        const message = `Field: [${field}] is required and cannot be empty`;
        expect(await client.put(`${path}/${record.id}`, { [field]: null })).to.be.refused(403, message);
        expect(await client.put(`${path}/${record.id}`, { [field]: '' })).to.be.refused(403, message);
      }
      expect((await client.get(`${path}/${record.id}`)).data).to.deep.equal(record);
    });

    it('empties every other field', async () => {
      const client = await garageOf(resource);
      const record = await recordOf(client, resource);
      const kept = new Set(demanded(resource, record));
      const emptied = settable(resource).filter(
        ([field, { fixed, writeOnly }]) => !kept.has(field) && !fixed && !writeOnly,
      );

      const body = Object.fromEntries(emptied.map(([field]) => [field, null]));
      const ruled = await beside(client, resource, body);
      const answer = await client.put(`${path}/${record.id}`, { ...body, ...ruled });

      expect(answer.status, answer.text).to.equal(200);
      for (const [field, { fallback, kind }] of emptied.filter(([name]) => !(name in ruled))) {
        const empty = kind === 'json' ? JSON.parse(String(fallback)) : fallback;
        expect(answer.data[field], field).to.deep.equal(empty);
      }
    });
  });
}

/** The fields that are always required, and the ones that this record requires. */
function demanded({ fields, traits }: Resource, record: Json): string[] {
  const asked = new Set(traits.requires?.(record as never));
  return [...fields]
    .filter(([field, { required, readonly }]) => !readonly && (required || asked.has(field)))
    .map(([field]) => field);
}
