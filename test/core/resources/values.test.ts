// Values of the wrong datatype, and texts at and over the limit. Runs for every resource.
import type { Datatype } from '../../../src/core/model/fields/field.ts';
import type { Resource } from '../../../src/core/model/records/record.ts';
import { sampleBody } from '../../support/build/build.ts';
import { expect } from '../../support/client/expect.ts';
import { garageOf, messages, settable, WRITABLE, waysIn, write } from '../../support/client/resources.ts';

const LONG = 'x'.repeat(100);
const EMPTY = '""';
const ODD = ['true', 'false', '{}', '[]', '[1]', '{"a":[1,{"b":null}]}'];
const NO_INT4 = [EMPTY, '"5"', '1.5', '2147483648', '-2147483649', '"x"', `"${LONG}yz"`, ...ODD];
const NO_TEXT = ['5', '0', '1.5', '"\\ud800"', '"a\\udc00b"', ...ODD];

/** Wrong values of each datatype, as JSON text. */
const WRONG: Record<Datatype, readonly string[]> = {
  int4: NO_INT4,
  float8: [EMPTY, '"1.5"', '"x"', '1e999', '-1e999', ...ODD],
  varchar: NO_TEXT,
  text: NO_TEXT,
  timestamp: [
    EMPTY,
    ...['"yesterday"', '"2026-02-30"', '"2025-02-29"', '"2026-13-01"', '"2026-00-10"', '"2026-05-01T24:01"'],
    ...['"01-05-2026"', '"2026-05-01 10:30"', '"2026-05-01T10"', '"2026-05-01T10:30+25:00"', '"2026-W18-1"'],
    ...['"20260501"', '1777593600', '1.5', '"\\ud800"', ...ODD],
  ],
  'varchar[]': ['5', '"x"', 'true', '{}', '{"a":1}'],
  bytea: ['5', '"***"', '"abc"', '"YQ="', '"YWJj\\n"', '"\\ud800"', ...ODD],
};

/** A value as messages show it. */
const shown = (json: string) => {
  const value: unknown = JSON.parse(json);
  const text = typeof value === 'object' ? json : String(value);
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
};

const named = (datatype: Datatype) => (datatype === 'timestamp' ? 'timestamp(ISO 8601)' : datatype);

/** An empty required field has another refusal, so it is left out. */
const ofType = (resource: Resource, datatype: Datatype, isEmpty = false) =>
  settable(resource)
    .filter(([, field]) => field.datatype === datatype && !(isEmpty && field.required))
    .map(([name]) => name);

for (const resource of WRITABLE) {
  const texts = settable(resource).filter(([, { datatype }]) => ['varchar', 'text'].includes(datatype));

  describe(resource.name, () => {
    for (const method of waysIn(resource)) {
      for (const datatype of Object.keys(WRONG) as Datatype[]) {
        if (ofType(resource, datatype).length === 0) continue;

        it(`refuses a value that is not ${datatype} (${method})`, async () => {
          const client = await garageOf(resource);

          for (const value of WRONG[datatype]) {
            const fields = ofType(resource, datatype, value === EMPTY);
            if (fields.length === 0) continue;
            const body = `{${fields.map((field) => `"${field}": ${value}`)}}`;
            const answer = await write(method, client, resource, body);
            expect(answer.status, answer.text).to.equal(403);
            expect(messages(answer)).to.deep.equal(
              fields.map(
                (field) =>
                  `Field: [${field}] has an invalid value: [${resource.fields.get(field)?.writeOnly ? '...' : shown(value)}] for datatype: ${named(datatype)}`,
              ),
            );
          }
        });
      }

      it(`refuses texts one character too long (${method})`, async () => {
        const body = Object.fromEntries(
          texts.map(([field, { length = 0 }]) => [field, '😀'.repeat(length + 1)]),
        );

        const answer = await write(method, await garageOf(resource), resource, body);

        expect(answer.status, answer.text).to.equal(403);
        expect(messages(answer)).to.deep.equal(
          texts.map(
            ([field, { datatype, length = 0 }]) =>
              `Field: [${field}] valuelength: [${length + 1}] too long for datatype: ${datatype}: [${length}]`,
          ),
        );
      });
    }

    for (const [field, { length: bytes = 0 }] of settable(resource).filter(
      // A field with a validation does not take just any bytes; its own test has the limit.
      ([, one]) => one.datatype === 'bytea' && !one.validation,
    )) {
      it(`takes as many bytes of ${field} as fit, and no more`, async () => {
        const client = await garageOf(resource);
        const body = await sampleBody(client, resource);
        const post = (size: number) =>
          client.post(`/${resource.name}`, { ...body, [field]: Buffer.alloc(size).toString('base64') });

        expect((await post(bytes)).status).to.equal(201);
        expect(await post(bytes + 1)).to.be.refused(
          403,
          `Field: [${field}] valuelength: [${bytes + 1}] too long for datatype: bytea: [${bytes}]`,
        );
      });
    }

    it('takes texts of the full length, counted in characters', async () => {
      const client = await garageOf(resource);
      const free = texts.filter(
        ([, { validation, fixed, writeOnly }]) => !validation && !fixed && !writeOnly,
      );
      const long = Object.fromEntries(free.map(([field, { length = 0 }]) => [field, '😀'.repeat(length)]));

      const [method = 'POST'] = waysIn(resource);
      const answer = await write(method, client, resource, await sampleBody(client, resource, long));

      expect(answer.status, answer.text.slice(0, 300)).to.be.within(200, 201);
      for (const [field] of free) expect(answer.data[field], field).to.equal(long[field]);
    });
  });
}
