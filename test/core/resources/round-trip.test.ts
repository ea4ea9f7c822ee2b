// Writes every field that can be set, and reads it again as given or in its normal form. Runs for every resource; a
// new custom validation needs a line in UNTIDY.
import type { Field } from '../../../src/core/model/fields/field.ts';
import type { Resource } from '../../../src/core/model/records/record.ts';
import { PICTURE } from '../../../src/core/trade/picture/picture.ts';
import { beside, fullBody } from '../../support/build/build.ts';
import type { Json } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import {
  garageOf,
  recordOf,
  settable,
  taking,
  WRITABLE,
  waysIn,
  write,
} from '../../support/client/resources.ts';
import { pngOf } from '../../support/files/picture.ts';

const LOGO = pngOf(40, 20).toString('base64');

/** For each custom validation: a value that it takes, and the value that is stored. */
const UNTIDY: Record<string, readonly [given: string, kept: string]> = {
  license_plate: ['zz999b', 'ZZ-999-B'],
  vin: ['wvwzzz1jz3wxxxxxx', 'WVWZZZ1JZ3WXXXXXX'],
  postcode: ['3581kl', '3581 KL'],
  email: ['Anna.de-Vries+garage@Voorbeeld.nl', 'Anna.de-Vries+garage@Voorbeeld.nl'],
  url: ['www.garage.nl/a?b=1', 'www.garage.nl/a?b=1'],
  'https, publicly accessible': ['https://127.0.0.1:1/a?b=é', 'https://127.0.0.1:1/a?b=é'],
  // Closed books keep their time zone.
  timezone: ['Europe/Amsterdam', 'Europe/Amsterdam'],
  'vat codes': ['{ "1": "VH" }', '{ "1": "VH" }'],
  language: ['nl-BE', 'nl-BE'],
  kvk_number: ['01234567', '01234567'],
  iban: ['nl91 abna 0417 1643 00', 'NL91ABNA0417164300'],
  peppol_id: [' 0106:12345678 ', '0106:12345678'],
  vat_number: ['nl004495445b01', 'NL004495445B01'],
  'minimum 12 characters': ['  twelve or more ', '  twelve or more '],
  username: ['Anna.DE.Vries', 'anna.de.vries'],
  'HH:MM': ['24:00', '24:00'],
  dot: ['5326', '5326'],
  printable: ['Łukasz  Nguyễn', 'Łukasz  Nguyễn'],
  '#rrggbb': ['#0A5C9E', '#0a5c9e'],
  [PICTURE]: [LOGO, LOGO],
};

function untidy(name: string, field: Field, sample: unknown): readonly [given: unknown, kept: unknown] {
  const { datatype, validation, list, reference, schema, scale, after } = field;
  if (validation) {
    const pair = UNTIDY[validation.name];
    if (!pair) throw new Error(`No untidy value is known for ${validation.name}: add it to UNTIDY`);
    return pair;
  }
  if (datatype === 'timestamp') {
    return after
      ? ['2026-05-02', '2026-05-02T00:00:00.000Z']
      : ['2026-05-01T10:30+02:00', '2026-05-01T08:30:00.000Z'];
  }
  if (datatype === 'float8') return scale === 2 ? [1.005, 1.01] : [1.00005, 1.0001];
  if (datatype === 'varchar' || datatype === 'text') return [' é\t😀 ', ' é\t😀 '];
  if (name.startsWith('is_') || list || reference || schema.enum) return [sample, sample];
  const most = schema.maximum ?? 2147483647;
  return datatype === 'int4' ? [most, most] : [sample, sample];
}

for (const resource of taking('POST')) {
  const path = `/${resource.name}`;

  describe(resource.name, () => {
    it('comes back as it was added, with all fields', async () => {
      const client = await garageOf(resource);
      const body = await fullBody(client, resource, { overrides: { is_blocked: 1, is_archived: 1 } });

      const added = await client.post(path, body);

      expect(added.status, added.text).to.equal(201);
      expect(added.data).to.deep.include(without('writeOnly', resource, body));
      const once = [...resource.fields].filter(([, { shownOnce }]) => shownOnce).map(([name]) => name);
      expect(Object.keys(added.data)).to.deep.equal([...resource.columns, ...once]);
      const read = await client.get(`${path}/${added.data.id}`);
      const kept = Object.entries(added.data).filter(([name]) => !once.includes(name));
      expect(read.data).to.deep.equal(Object.fromEntries(kept));
      expect(read.headers.get('etag')).to.equal(added.headers.get('etag'));
      expect(added.headers.get('location')).to.match(new RegExp(`/v2${path}/${added.data.id}$`));
    });

    it('has null in omitted fields', async () => {
      const client = await garageOf(resource);
      const record = await recordOf(client, resource);

      expect(record).to.include({ external_id: null, is_blocked: 0, is_archived: 0, is_system: 0 });
      expect(record.created_at).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(record.modified_at).to.equal(record.created_at);
    });
  });
}

for (const resource of WRITABLE) {
  const path = `/${resource.name}`;

  describe(resource.name, () => {
    it('stores values in their normal form', async () => {
      const client = await garageOf(resource);
      const full = await fullBody(client, resource);
      const pairs = settable(resource).map(
        ([name, field]) => [name, untidy(name, field, full[name])] as const,
      );
      const given = Object.fromEntries(pairs.map(([name, [value]]) => [name, value]));
      const kept = Object.fromEntries(pairs.map(([name, [, value]]) => [name, value]));
      const ruled = await beside(client, resource, given);

      const [method = 'POST'] = waysIn(resource);
      const answer = await write(method, client, resource, { ...given, ...ruled });

      expect(answer.status, answer.text).to.be.within(200, 201);
      expect(answer.data).to.deep.include(without('writeOnly', resource, { ...kept, ...ruled }));
    });

    if (!waysIn(resource).includes('PUT')) return;
    it('takes each field by PUT, and sets modified_at', async () => {
      const client = await garageOf(resource);
      const record = await recordOf(client, resource, await fullBody(client, resource));
      const body = without('fixed', resource, await fullBody(client, resource, { place: 1 }));

      const changed = await client.put(`${path}/${record.id}`, body);

      expect(changed.status, changed.text).to.equal(200);
      expect(changed.data).to.deep.include(without('writeOnly', resource, body));
      expect(changed.data).to.include({ id: record.id, created_at: record.created_at });
      expect(changed.data.modified_at > record.modified_at).to.equal(true);
      expect((await client.get(`${path}/${record.id}`)).data).to.deep.equal(changed.data);
      const again = without('writeOnly', resource, body);
      expect((await client.put(`${path}/${record.id}`, again)).data).to.deep.equal(changed.data);
    });
  });
}

/** The fields of a body, except fields that do not change or are not shown. */
const without = (kind: 'fixed' | 'writeOnly', { fields }: Resource, body: Json): Json =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !fields.get(name)?.[kind]));
