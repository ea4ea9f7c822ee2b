// Unique values, fixed values, and dates in their order. Runs for every resource.
import type { Field } from '../../../src/core/model/fields/field.ts';
import { build, newValue, sampleBody, sampleValue } from '../../support/build/build.ts';
import type { Json } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import {
  fixedMessage,
  garageOf,
  recordOf,
  settable,
  stranger,
  taking,
  waysIn,
} from '../../support/client/resources.ts';

/** Beside `owner` and `all`, the field within which a value is unique. */
const within = ({ unique = 'owner' }: Field, record: Json): Json =>
  ['owner', 'all'].includes(unique) ? {} : { [unique]: record[unique] };

for (const resource of taking('POST')) {
  const path = `/${resource.name}`;
  const uniques = settable(resource).filter(([, { unique }]) => unique !== undefined);

  describe(resource.name, () => {
    for (const [name, field] of uniques) {
      it(`refuses a second ${name}`, async () => {
        const client = await garageOf(resource);
        const first = await build(client, resource.name, { [name]: sampleValue(name, field) });
        const value = first[name];

        const body = await sampleBody(client, resource, { ...within(field, first), [name]: value });

        expect(await client.post(path, body)).to.be.refused(
          409,
          `Field: [${name}] value: [${value}] has a duplicate illegal value`,
        );
      });

      it(`demands a unique ${name} only where it must be unique`, async () => {
        const client = await garageOf(resource);
        const first = await build(client, resource.name, { [name]: sampleValue(name, field) });
        const elsewhere = field.unique === 'owner' || field.unique === 'all' ? await stranger() : client;

        const body = await sampleBody(elsewhere, resource, { [name]: first[name] });

        expect((await elsewhere.post(path, body)).status).to.equal(field.unique === 'all' ? 409 : 201);
      });

      if (!field.required && field.check(name, '', {}).violation === undefined) {
        it(`stores an empty ${name} as null, any number of times`, async () => {
          const client = await garageOf(resource);
          const first = await build(client, resource.name, { [name]: '' });
          const second = await build(client, resource.name, { [name]: '' });

          expect([first[name], second[name]]).to.deep.equal([null, null]);
        });
      }

      if (field.fixed || !resource.methods.includes('PUT')) continue;
      it(`refuses a second ${name} on PUT, and takes the record's own`, async () => {
        const client = await garageOf(resource);
        const first = await build(client, resource.name, { [name]: sampleValue(name, field) });
        const overrides = { ...within(field, first), [name]: sampleValue(name, field, 1) };
        const second = await recordOf(client, resource, overrides);

        expect(await client.put(`${path}/${second.id}`, { [name]: first[name] })).to.be.refused(
          409,
          `Field: [${name}] Value: [${first[name]}] has a duplicate illegal value`,
        );
        expect((await client.put(`${path}/${second.id}`, { [name]: second[name] })).data).to.deep.equal(
          second,
        );
      });
    }
  });
}

for (const resource of taking('PUT').filter((candidate) => waysIn(candidate).includes('PUT'))) {
  const path = `/${resource.name}`;

  describe(resource.name, () => {
    for (const [name, field] of settable(resource).filter(([, { fixed }]) => fixed)) {
      it(`keeps ${name} as it was added`, async () => {
        const client = await garageOf(resource);
        // A sample has all required fields, and with a value that its own rules accept.
        const given = field.required ? {} : { [name]: await newValue(client, name, field) };
        const record = await build(client, resource.name, given);

        const answer = await client.put(`${path}/${record.id}`, {
          [name]: await newValue(client, name, field, 1),
        });

        expect(answer).to.be.refused(409, fixedMessage(name, field.fixed));
        expect((await client.get(`${path}/${record.id}`)).data).to.deep.equal(record);
        if (!field.writeOnly) {
          expect((await client.put(`${path}/${record.id}`, { [name]: record[name] })).data).to.deep.equal(
            record,
          );
        }
      });
    }

    for (const [later, { after: earlier }] of settable(resource)) {
      if (earlier === undefined) continue;
      const early = '2026-05-01T10:00:00.000Z';
      const late = '2026-05-01T10:00:00.001Z';
      const refusal = (value: string, other: string) =>
        `Field: [${later}] value: [${value}] date must be after Field: [${earlier}] value: [${other}]`;

      it(`requires a ${later} after ${earlier}`, async () => {
        const client = await garageOf(resource);
        const body = await sampleBody(client, resource, { [earlier]: late, [later]: late });

        expect(await client.post(path, body)).to.be.refused(403, refusal(late, late));
        expect(await client.post(path, { ...body, [later]: early })).to.be.refused(403, refusal(early, late));
        expect((await client.post(path, { ...body, [earlier]: early })).status).to.equal(201);
      });

      it(`checks ${later} and ${earlier} as they would become`, async () => {
        const client = await garageOf(resource);
        const record = await recordOf(client, resource, { [earlier]: early, [later]: late });
        const put = (change: Json) => client.put(`${path}/${record.id}`, change);

        expect(await put({ [earlier]: late })).to.be.refused(403, refusal(late, late));
        expect(await put({ [later]: '2026-05-01T12:00+02:00' })).to.be.refused(
          403,
          refusal('2026-05-01T12:00+02:00', early),
        );
        expect((await put({ [earlier]: late, [later]: '2026-05-20' })).status).to.equal(200);
      });
    }
  });
}
