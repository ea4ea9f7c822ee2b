// Values of the right datatype that a field refuses: lists, flags, ranges, custom validations. Runs for every resource;
// a new custom validation needs a line in BAD.
import type { Field } from '../../../src/core/model/fields/field.ts';
import type { Resource } from '../../../src/core/model/records/record.ts';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { PICTURE } from '../../../src/core/trade/picture/picture.ts';
import { expect } from '../../support/client/expect.ts';
import {
  fixedMessage,
  garageOf,
  messages,
  settable,
  WRITABLE,
  waysIn,
  write,
} from '../../support/client/resources.ts';

/** The country whose forms the texts below break. */
const NETHERLANDS = 1;

/** Texts that each custom validation refuses. */
const BAD: Record<string, readonly string[]> = {
  license_plate: ['AB-12', 'ABC-123', 'AB-1-234', 'AB 123 C', 'ÄB-123-C', 'AB-123-C1'],
  vin: ['WVWZZZ1JZ3W00000', 'WVWZZZ1JZ3W00000O', 'WVWZZZ1JZ3W00000I', 'WVWZZZ1JZ3W-00001', ''],
  postcode: ['0123 AB', '1234 SS', '1234 SA', '1234 SD', '12345', '1234  AB', '1234 A', 'AB 1234'],
  email: ['nobody', 'a@b', 'a b@garage.nl', '@garage.nl', 'a@@garage.nl', 'a@garage.nl '],
  url: ['no address', 'ftp://garage.nl', 'javascript:alert(1)', 'https://', 'https://a:b@garage.nl'],
  'https, publicly accessible': [
    'no address',
    'http://garage.nl',
    'https://a:b@garage.nl',
    'https://10.0.0.1/',
    'https://[fd00::1]/',
  ],
  'vat codes': ['', 'VH', '["VH"]', '{"10": "VH"}', '{"1": ""}', '{"1": 2}'],
  timezone: ['Mars/Phobos', 'Amsterdam', '+25:00'],
  language: ['dutch', 'xx', 'NL', 'nl_NL', 'nl-'],
  kvk_number: ['1234567', '1234567a', '12 34567'],
  iban: ['NL91ABNA0417164301', 'NL91ABNA04171643', 'XX91ABNA0417164300', 'ABNA0417164300'],
  peppol_id: ['12345678', '0106:1234567', '9999:1', 'AN:1', '0009:'],
  vat_number: ['NL123456789B01', 'NL004495445B00', '004495445B01', 'NL004495445', 'BE0123456789'],
  'minimum 12 characters': ['eleven char', '😀'.repeat(11), 'x', ''],
  username: ['İ'.repeat(60)],
  'HH:MM': ['', '8:00', '24:01', '08:60', '08-00', '8:000'],
  dot: ['', '0026', '5426', '126', '12345', '1a26'],
  printable: ['محمد', '山田', 'Anna 👍'],
  '#rrggbb': ['', '#12345', '0a5c9e1', '#12345g', 'red'],
  // Nothing, text, a GIF, and the first bytes of a PNG.
  [PICTURE]: ['', 'bm8gcGljdHVyZQ==', 'R0lGODlhAQABAAAAACw=', 'iVBORw0KGgo='],
};

type Case = readonly [field: string, value: unknown, validation: string];

const isFlag = ({ schema, list }: Field) => schema.enum !== undefined && list === undefined;

function outOfList(resource: Resource): Case[] {
  return settable(resource).flatMap(([field, { list }]): Case[] => {
    if (list === undefined) return [];
    const values: number[] = Object.values(LISTS[list]);
    const others = [-1, 0, Math.max(...values) + 1, 2147483647].filter((value) => !values.includes(value));
    return others.map((value) => [field, value, list]);
  });
}

const outOfFlags = (resource: Resource): Case[] =>
  settable(resource).flatMap(([name, field]): Case[] =>
    isFlag(field) ? [2, -1, 2147483647].map((value) => [name, value, '0,1']) : [],
  );

const outOfRange = (resource: Resource): Case[] =>
  settable(resource).flatMap(
    ([
      field,
      {
        datatype,
        schema: { minimum, maximum },
      },
    ]): Case[] => {
      const step = datatype === 'int4' ? 1 : 0.0001;
      const range = maximum === undefined ? `>=${minimum}` : `${minimum}..${maximum}`;
      return [
        ...(minimum === undefined ? [] : [[field, minimum - step, range] as const]),
        ...(maximum === undefined ? [] : [[field, maximum + step, range] as const]),
      ];
    },
  );

/** Also values that are stored as the refused value. */
const excluded = (resource: Resource): Case[] =>
  settable(resource).flatMap(
    ([
      field,
      {
        schema: { not },
        scale = 0,
      },
    ]): Case[] =>
      not ? [0, -0, 0.4 / 10 ** scale].map((offset) => [field, not.const + offset, `not ${not.const}`]) : [],
  );

const tooManyDigits = (resource: Resource): Case[] =>
  settable(resource).flatMap(([field, { datatype, schema }]): Case[] => {
    if (datatype !== 'float8' || schema.maximum !== undefined) return [];
    const values = [1e14, 1e21, ...(schema.minimum === undefined ? [-1e14] : [])];
    return values.map((value) => [field, value, '14 digits']);
  });

const unfit = (resource: Resource): Case[] =>
  settable(resource).flatMap(([field, { validation, length = 0 }]): Case[] => {
    if (!validation) return [];
    const bad = BAD[validation.name];
    if (!bad) throw new Error(`No bad values are known for ${validation.name}: add them to BAD`);
    return bad.filter((value) => [...value].length <= length).map((value) => [field, value, validation.name]);
  });

const SUBJECTS: [string, (resource: Resource) => Case[]][] = [
  ['integers that their list does not hold', outOfList],
  ['flags other than 0 and 1', outOfFlags],
  ['numbers out of their range', outOfRange],
  ['numbers that are excluded', excluded],
  ['more than 14 digits before the point', tooManyDigits],
  ['what a custom validation refuses', unfit],
];

for (const resource of WRITABLE) {
  describe(resource.name, () => {
    for (const [subject, casesOf] of SUBJECTS) {
      const cases = casesOf(resource).filter(
        ([field, value]) => value !== '' || !resource.fields.get(field)?.required,
      );
      if (cases.length === 0) continue;

      for (const method of waysIn(resource)) {
        it(`refuses ${subject} (${method})`, async () => {
          const client = await garageOf(resource);

          for (const [field, value, validation] of cases) {
            const { writeOnly, fixed, validation: { dependsOn } = {} } = resource.fields.get(field) ?? {};
            // A test before may have moved the garage's own address to another country.
            const country = dependsOn ? { [dependsOn]: NETHERLANDS } : {};
            const answer = await write(method, client, resource, { ...country, [field]: value });
            const shown = writeOnly ? '...' : value;
            const message = `Field: [${field}] has an invalid value: [${shown}] for validation: [${validation}]`;
            const isChange = method === 'PUT' && fixed;
            const said = isChange ? fixedMessage(field, fixed) : message;
            expect(answer).to.be.refused(isChange ? 409 : 403, said);
            expect(messages(answer)).to.deep.equal([said]);
          }
        });
      }
    }
  });
}
