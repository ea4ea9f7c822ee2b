// GET /contact/checkaddress: whether an address can exist, and its street and city where the address file
// knows them.
import { type Violation, violation } from '../errors.ts';
import { refuse } from '../model/check.ts';
import type { Session } from '../model/session.ts';
import { NETHERLANDS } from '../model/validation.ts';
import { isExactDutchPostcode } from '../trade/postcode.ts';
import { type Answer, success } from './answer.ts';
import type { Call, Endpoint } from './endpoint.ts';

const LONGEST = 10;
const DATATYPES = { postcode: 'varchar', huisnummer: 'int4', toevoeging: 'varchar' } as const;

export const contactEndpoints: Endpoint[] = [
  {
    path: '/contact/checkaddress',
    methods: { GET: { parameters: [...Object.keys(DATATYPES), 'country_id'], handle: checkAddress } },
  },
];

async function checkAddress({ parts, parameters }: Call): Promise<Answer> {
  const given = (name: string) => parameters.get(name) || undefined;
  const [postcode = '', huisnummer, toevoeging, country = ''] = [
    'postcode',
    'huisnummer',
    'toevoeging',
    'country_id',
  ].map(given);
  refuse(
    ['postcode', 'country_id']
      .filter((name) => !given(name))
      .map((field) => violation('field_required', { field })),
  );
  refuse(tooLong(given));
  const number = huisnummer === undefined ? null : Number(huisnummer);
  if (
    huisnummer !== undefined &&
    (!/^-?\d+$/.test(huisnummer) || Math.abs(Number(huisnummer)) > 2147483647)
  ) {
    refuse([violation('value_wrong_type', { field: 'huisnummer', value: huisnummer, datatype: 'int4' })]);
  }
  refuse(await malformed(parts.database, postcode, country));
  const known = await lookUp(parts.database, postcode, number, toevoeging ?? '');
  return success({
    postcode,
    huisnummer: number,
    toevoeging: toevoeging ?? null,
    country_id: Number(country),
    street: known?.street ?? null,
    city: known?.city ?? null,
  });
}

function tooLong(given: (name: string) => string | undefined): Violation[] {
  return Object.entries(DATATYPES).flatMap(([field, datatype]) => {
    const length = Array.from(given(field) ?? '').length;
    return length > LONGEST
      ? [violation('address_too_long', { field, length, datatype, limit: LONGEST })]
      : [];
  });
}

async function malformed(session: Session, postcode: string, country: string): Promise<Violation[]> {
  const isNumber = /^[1-9]\d{0,8}$/.test(country);
  const rows = isNumber ? await session.rows('SELECT id FROM countries WHERE id = ?', [Number(country)]) : [];
  const wrong = (field: string, value: string, validation: string) =>
    violation('value_invalid', { field, value, validation });
  const found: Violation[] = [];
  if (Number(country) === NETHERLANDS && !isExactDutchPostcode(postcode))
    found.push(wrong('postcode', postcode, 'postcode'));
  if (rows.length === 0) found.push(wrong('country_id', country, 'country'));
  return found;
}

/** The address itself, or else another one of the same number: the street is the same. */
async function lookUp(session: Session, postcode: string, huisnummer: number | null, toevoeging: string) {
  if (huisnummer === null) return undefined;
  const [row] = await session.rows(
    'SELECT street, city FROM addresses WHERE postcode = ? AND huisnummer = ? ORDER BY toevoeging = ? DESC, toevoeging LIMIT 1',
    [postcode, huisnummer, toevoeging.toUpperCase()],
  );
  return row;
}
