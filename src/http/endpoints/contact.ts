// GET /contact/checkaddress: checks an address, and completes it with street and city from the address file.

import { problem, type Violation, violation } from '../../core/errors.ts';
import { refuse } from '../../core/model/bodies/check.ts';
import { INT4_MAX } from '../../core/model/fields/int4.ts';
import { NETHERLANDS } from '../../core/model/fields/validation.ts';
import { findRecord } from '../../core/model/lists/find.ts';
import { type Garage, garageOf } from '../../core/model/statements/garage.ts';
import { findAddress } from '../../core/resources/address.ts';
import { Country } from '../../core/resources/country.ts';
import { isExactDutchPostcode } from '../../core/trade/identity/postcode.ts';
import { type Answer, success } from '../answer.ts';
import { type Call, type Endpoint, get } from '../endpoint.ts';
import { integer, optionalInteger, optionalText, text } from '../openapi/operation.ts';
import { object } from '../openapi/schema.ts';

const LONGEST = 10;
const DATATYPES = { postcode: 'varchar', huisnummer: 'int4', toevoeging: 'varchar' } as const;

export const contactEndpoints: Endpoint[] = [
  get('/contact/checkaddress', {
    needs: 'READONLY',
    parameters: [...Object.keys(DATATYPES), 'country_id'],
    handle: checkAddress,
    doc: {
      operationId: 'checkAddress',
      summary: 'Whether an address can exist, with its street and city if they are known',
      description:
        'Checks the form of a Dutch postcode, and that the country exists. `street` and `city` come from the address file of the installation, ' +
        'which has Dutch addresses; they are null if the file does not have this address.',
      parameters: {
        postcode: { description: 'For the Netherlands `1234 AB`', required: true, example: '3511 AB' },
        huisnummer: { description: 'House number', schema: integer, example: 12 },
        toevoeging: { description: 'Addition to the house number' },
        country_id: { description: 'ID of a country', required: true, schema: integer, example: 1 },
      },
      data: object({
        postcode: text,
        huisnummer: optionalInteger,
        toevoeging: optionalText,
        country_id: integer,
        street: optionalText,
        city: optionalText,
      }),
      errors: [
        violation('field_required', { field: 'postcode' }),
        violation('address_too_long', { field: 'postcode', length: 12, datatype: 'varchar', limit: 10 }),
        violation('value_wrong_type', { field: 'huisnummer', value: 'x', datatype: 'int4' }),
        violation('value_invalid', { field: 'postcode', value: '1234ab', validation: 'postcode' }),
      ],
    },
  }),
];

async function checkAddress({ services: { database }, identity, parameters }: Call): Promise<Answer> {
  const given = (name: string) => parameters.get(name) || undefined;
  const missing = ['postcode', 'country_id'].filter((name) => !given(name));
  refuse(missing.map((field) => violation('field_required', { field })));
  refuse(tooLong(given));
  const [postcode = '', toevoeging, country = ''] = ['postcode', 'toevoeging', 'country_id'].map(given);
  const huisnummer = readNumber(given('huisnummer'));
  refuse(await malformed(garageOf(database, identity.owner), postcode, country));
  // The address file is Dutch. A postcode abroad may look like a Dutch one.
  const mayBeKnown = Number(country) === NETHERLANDS && huisnummer !== null;
  const known = mayBeKnown ? await findAddress(database, postcode, huisnummer, toevoeging) : undefined;
  return success({
    postcode,
    huisnummer,
    toevoeging: toevoeging ?? null,
    country_id: Number(country),
    street: known?.street ?? null,
    city: known?.city ?? null,
  });
}

function readNumber(text: string | undefined): number | null {
  if (text === undefined) return null;
  const number = Number(text);
  if (/^-?\d+$/.test(text) && Math.abs(number) <= INT4_MAX) return number;
  throw problem('value_wrong_type', { field: 'huisnummer', value: text, datatype: 'int4' });
}

function tooLong(given: (name: string) => string | undefined): Violation[] {
  return Object.entries(DATATYPES).flatMap(([field, datatype]) => {
    const length = Array.from(given(field) ?? '').length;
    return length > LONGEST
      ? [violation('address_too_long', { field, length, datatype, limit: LONGEST })]
      : [];
  });
}

async function malformed(garage: Garage, postcode: string, country: string): Promise<Violation[]> {
  const isNumber = /^[1-9]\d{0,8}$/.test(country);
  const known = isNumber && (await findRecord(garage, Country.resource, Number(country)));
  const wrong = (field: string, value: string, validation: string) =>
    violation('value_invalid', { field, value, validation });
  const found: Violation[] = [];
  if (Number(country) === NETHERLANDS && !isExactDutchPostcode(postcode))
    found.push(wrong('postcode', postcode, 'postcode'));
  if (!known) found.push(wrong('country_id', country, 'country'));
  return found;
}
