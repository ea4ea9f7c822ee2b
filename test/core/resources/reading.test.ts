// Reads by each field: shown alone, filtered, sorted, described. Runs for every resource.
import { fullBody } from '../../support/build/build.ts';
import { type Client, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { recordOf, taking, visible } from '../../support/client/resources.ts';

/** A value as a filter has it: text in quotes. */
const quoted = (value: unknown) =>
  typeof value === 'string' ? `"${value.replaceAll('"', '""')}"` : String(value);

for (const resource of taking('GET')) {
  const path = `/${resource.name}`;
  const names = visible(resource).map(([name]) => name);
  const hidden = [...resource.fields].filter(([, { writeOnly }]) => writeOnly).map(([name]) => name);

  describe(resource.name, () => {
    let client: Client;
    // biome-ignore lint/suspicious/noExplicitAny: records are read by name in tests, whatever the resource
    let record: any;
    before(async () => {
      client = await newClient();
      record = await recordOf(client, resource);
      if (!resource.methods.includes('POST')) return;
      // One with empty fields is among them.
      for (const place of [0, 1]) {
        record = await recordOf(client, resource, await fullBody(client, resource, { place }));
      }
    });
    const list = async (query: string) => {
      const answer = await client.get(`${path}?${query}`);
      expect(answer.status, answer.text).to.equal(200);
      return answer.body;
    };

    it('shows each field alone', async () => {
      for (const name of names) {
        const { data } = await client.get(`${path}/${record.id}?fields=${name}`);
        const [first] = (await list(`fields=${name}&filter=id:${record.id}`)).data;
        expect(data).to.deep.equal({ id: record.id, [name]: record[name] });
        expect(first).to.deep.equal(data);
      }
    });

    it('is found by each field', async () => {
      for (const [name, { schema }] of visible(resource)) {
        if (schema.type === 'object' || schema.type === 'array') continue;
        const value = record[name];
        const [is, isNot] =
          value === null ? ['null]:1', 'null]:0'] : [`eq]:${quoted(value)}`, `ne]:${quoted(value)}`];
        const found = await list(`page_size=1000&count=1&filter=${encodeURIComponent(`${name}[${is}`)}`);
        const others = await list(`count=1&filter=${encodeURIComponent(`${name}[${isNot},id:${record.id}`)}`);
        expect(found.data, name).to.deep.include(record);
        expect(others.total, name).to.equal(0);
      }
    });

    it('is sorted by each field, both ways, and walked by cursor', async () => {
      const size = resource.ownership === 'none' ? 100 : 1;
      for (const name of names) {
        const up = await walk(`page_size=${size}&fields=${name}&sort=${name}`);
        const down = await walk(`page_size=${size}&fields=${name}&sort=-${name}`);
        expect(up, name).to.deep.equal((await list(`page_size=1000&fields=${name}&sort=${name}`)).data);
        expect(down, name).to.deep.equal(up.toReversed());
      }
    });

    async function walk(query: string): Promise<unknown[]> {
      const seen: unknown[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const part: { data: unknown[]; next: string | null } = await list(
          cursor === '' ? query : `${query}&cursor=${cursor}`,
        );
        seen.push(...part.data);
        cursor = part.next;
      }
      return seen;
    }

    for (const name of hidden) {
      it(`refuses ${name} in fields, filter, sort and expand`, async () => {
        const refusal = `Field: [${name}] not found in model`;

        for (const query of [`fields=${name}`, `filter=${name}:x`, `sort=${name}`, `expand=${name}`]) {
          expect(await client.get(`${path}?${query}`)).to.be.refused(403, refusal);
        }
        expect(await client.get(`${path}/${record.id}?fields=${name}`)).to.be.refused(403, refusal);
        expect(record).not.to.have.property(name);
      });
    }
  });
}
