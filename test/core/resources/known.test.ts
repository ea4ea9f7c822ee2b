// A body must not contain unknown or readonly fields. Runs for every resource.
import { expect } from '../../support/client/expect.ts';
import { garageOf, messages, taking, WRITABLE, waysIn, write } from '../../support/client/resources.ts';

const UNKNOWN = ['foo', 'ID', '__proto__', 'constructor', 'owner_id', 'version', 'password_hash', ''];

for (const resource of WRITABLE) {
  describe(resource.name, () => {
    for (const method of waysIn(resource)) {
      it(`refuses unknown fields (${method})`, async () => {
        const body = `{${UNKNOWN.map((field) => `${JSON.stringify(field)}: 1`)}}`;

        const answer = await write(method, await garageOf(resource), resource, body);

        expect(answer).to.be.refused(403, 'Field: [foo] not found in model');
        expect(messages(answer)).to.deep.equal(
          UNKNOWN.map((field) => `Field: [${field}] not found in model`),
        );
      });

      it(`refuses each readonly field (${method})`, async () => {
        const fields = [...resource.fields].filter(([, { readonly, primary }]) => readonly && !primary);
        const body = Object.fromEntries(fields.map(([field]) => [field, 1]));

        const answer = await write(method, await garageOf(resource), resource, body);

        expect(answer.status).to.equal(403);
        expect(messages(answer)).to.deep.equal(
          fields.map(([field]) => `Field: [${field}] is readonly do not supply in request`),
        );
      });

      it(`refuses a body that is empty or no JSON object (${method})`, async () => {
        const client = await garageOf(resource);

        for (const body of ['', ' \n', '{}']) {
          expect(await write(method, client, resource, body)).to.be.refused(400, 'Empty body');
        }
        for (const body of ['{', '[1]', 'null', '5', '"a"', "{'a': 1}"]) {
          expect(await write(method, client, resource, body)).to.be.refused(400, 'Body is not valid JSON');
        }
      });
    }
  });
}

for (const resource of taking('POST')) {
  describe(resource.name, () => {
    it('refuses a primary ID', async () => {
      const client = await garageOf(resource);

      expect(await client.post(`/${resource.name}`, { id: 5 })).to.be.refused(
        403,
        'Field: [id] is primary ID do not supply in request',
      );
    });
  });
}
