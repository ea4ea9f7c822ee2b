// The methods of a resource, the IDs of its records, and /model. Runs for every resource.
import type { Field } from '../../../src/core/model/fields/field.ts';
import { newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { garageOf, RESOURCES, stranger, taking } from '../../support/client/resources.ts';

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const;
const NO_IDS = ['abc', '0', '-1', '1.5', '01', '1e3', '2147483648', '%20', '5;', '😀'];
const UNKNOWN = 2147483647;

/** The rule of a field, as messages name it. */
function ruleOf({
  validation,
  list,
  after,
  schema,
}: Pick<Field, 'validation' | 'list' | 'after' | 'schema'>) {
  const { enum: values, minimum, maximum, not } = schema;
  if (not) return `not ${not.const}`;
  if (after) return `after ${after}`;
  if (minimum !== undefined) return maximum === undefined ? `>=${minimum}` : `${minimum}..${maximum}`;
  return validation?.name ?? list ?? values?.join(',') ?? null;
}

for (const resource of RESOURCES) {
  const { name, fields, methods } = resource;
  const path = `/${name}`;

  describe(name, () => {
    it('has exactly its methods', async () => {
      const client = await garageOf(resource);

      for (const method of [...METHODS, 'PATCH'].filter((one) => !methods.includes(one as 'GET'))) {
        const answer = await client.request(method, `${path}/1`);
        if (methods.length === 0) {
          expect(answer).to.be.refused(400, `Invalid endpoint: [${path}/1]`);
          expect(await client.request(method, path)).to.be.refused(400, `Invalid endpoint: [${path}]`);
        } else {
          expect(answer).to.be.refused(400, `Method: [${method}] not supported for endpoint: [${path}]`);
          expect(answer.headers.get('allow')).to.equal(methods.join(', '));
        }
      }
    });

    it('is described by /model', async () => {
      const { data } = await (await stranger()).get(`/model/${name}`);

      expect(data).to.have.all.keys('name', 'fields');
      expect(data.name).to.equal(name);
      expect(data.fields).to.deep.equal(
        [...fields].map(([field, { datatype, length, required, readonly, primary, unique, ...more }]) => ({
          name: field,
          datatype,
          length: length ?? null,
          required: required && !readonly ? 1 : 0,
          readonly: readonly ? 1 : 0,
          primary: primary ? 1 : 0,
          unique: unique || primary ? 1 : 0,
          fixed: more.fixed ? 1 : 0,
          reference: more.reference ?? null,
          list: more.list ?? null,
          validation: ruleOf(more),
          ...(more.personal ? { personal: true } : {}),
        })),
      );
    });
  });
}

for (const resource of taking('GET')) {
  const { name, methods } = resource;
  const path = `/${name}`;

  describe(name, () => {
    it('refuses an invalid ID', async () => {
      const client = await garageOf(resource);
      const invalid = 'Primary ID is not an valid ID';

      for (const id of NO_IDS) {
        expect(await client.get(`${path}/${id}`)).to.be.refused(403, 'Primary ID is invalid');
        expect(await client.get(`${path}?id=${id}`)).to.be.refused(403, 'Primary ID is invalid');
        if (methods.includes('DELETE')) expect(await client.del(`${path}/${id}`)).to.be.refused(400, invalid);
        if (methods.includes('PUT')) {
          expect(await client.put(`${path}/${id}`, { is_blocked: 0 })).to.be.refused(400, invalid);
          expect(await client.put(path, { id, is_blocked: 0 })).to.be.refused(400, invalid);
        }
      }
    });

    it('refuses an unknown ID, and a request without an ID', async () => {
      const client = await newClient();
      const unknown = `Field: [id] value: [${UNKNOWN}] not found`;

      expect(await client.get(`${path}/${UNKNOWN}`)).to.be.refused(404, unknown);
      if (methods.includes('PUT')) {
        expect(await client.put(path, { id: UNKNOWN, foo: 1 })).to.be.refused(404, unknown);
        expect(await client.put(path, { foo: 1 })).to.be.refused(403, 'No primary ID provided');
        expect(await client.put(`${path}/5?id=6`, { foo: 1 })).to.be.refused(
          400,
          'Primary ID is not an valid ID',
        );
        expect(await client.put(`${path}/5`, { id: 6 })).to.be.refused(400, 'Primary ID is not an valid ID');
      }
      if (methods.includes('DELETE')) {
        expect(await client.del(`${path}/${UNKNOWN}`)).to.be.refused(404, unknown);
        expect(await client.del(path)).to.be.refused(403, 'No primary ID provided');
      }
    });
  });
}
