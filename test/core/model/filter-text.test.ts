// Filters as people ask: `has`, and values that are normalised as a write normalises them.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build } from '../../support/build/build.ts';
import { type Client, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';

const { PHONE, EMAIL, WEBSITE } = LISTS.communicationtypes;
const BELGIUM = 2;

/** The values of a field in the list that the filter gives, sorted. */
const lister = (client: () => Client) => async (resource: string, field: string, filter: string) => {
  const { status, text, data } = await client().get(`/${resource}?filter=${encodeURIComponent(filter)}`);
  expect(status, text).to.equal(200);
  return data.map((one: Record<string, unknown>) => one[field]).sort();
};

describe('the operator has', () => {
  let client: Client;
  const found = lister(() => client);
  before(async () => {
    client = await newClient();
    for (const last_name of ['Zoë', 'Straße', 'Øresund', 'Crèvecœur', 'Jansen', 'JANSEN', 'jan[x]%_', 'Łódź'])
      await build(client, 'contact', { last_name, phone: undefined });
  });

  const NAMES: [string, string[]][] = [
    ['zoe', ['Zoë']],
    ['ZOË', ['Zoë']],
    ['strasse', ['Straße']],
    ['sse', ['Straße']],
    ['oresund', ['Øresund']],
    ['crevecoeur', ['Crèvecœur']],
    ['veco', ['Crèvecœur']],
    ['jansen', ['JANSEN', 'Jansen']],
    ['lodz', ['Łódź']],
    ['n[x]%', ['jan[x]%_']],
    ['an.en', []],
    ['jan%', []],
  ];
  for (const [value, names] of NAMES)
    it(`finds ${value} in ${names.join(' and ') || 'nothing'}`, async () => {
      expect(await found('contact', 'last_name', `last_name[has]:${value}`)).to.deep.equal(names);
    });

  it('does not count spaces and punctuation in codes', async () => {
    await build(client, 'vehicle', {
      license_plate: 'ZX-123-V',
      vin: 'WVWZZZ1JZ3W000001',
      engine_number: 'AB 12.34',
    });
    await build(client, 'vehicle', { license_plate: 'ZX-124-V' });

    for (const filter of ['license_plate[has]:x 123', 'vin[has]:z1jz-3w', 'engine_number[has]:b1234'])
      expect(await found('vehicle', 'license_plate', filter), filter).to.deep.equal(['ZX-123-V']);
    expect(await found('vehicle', 'license_plate', 'license_plate[has]:zx12')).to.have.length(2);
  });

  it('counts them in other texts', async () => {
    await build(client, 'vehicle', { license_plate: 'ZX-125-V', model: 'C-Max' });

    expect(await found('vehicle', 'model', 'model[has]:c-max')).to.deep.equal(['C-Max']);
    expect(await found('vehicle', 'model', 'model[has]:cmax')).to.deep.equal([]);
  });

  it('knows the prefix of Dutch telephone numbers', async () => {
    const numbers = ['+31 (0)6 1111 2222', '06-11112222', '0031 6 1111 2222', '+32 6 1111 2222'];
    const contact = await build(client, 'contact');
    for (const value of [...numbers, 'www.06-11112222.nl', '06-11112222@x.nl'])
      await client.post('/contactcommunication', {
        contact_id: contact.id,
        communication_type: PHONE,
        value,
      });

    for (const value of ['0611112222', '+31611112222', '06 1111'])
      expect(await found('contactcommunication', 'value', `value[has]:${value}`), value).to.include.members(
        numbers.slice(0, 3),
      );
    expect(await found('contactcommunication', 'value', 'value[has]:0611112222')).to.deep.equal([
      '+31 (0)6 1111 2222',
      '0031 6 1111 2222',
      '06-11112222',
      'www.06-11112222.nl',
    ]);
    expect(await found('contactcommunication', 'value', 'value[has]:06-11112222@')).to.deep.equal([
      '06-11112222@x.nl',
    ]);
  });

  const REFUSED: [string, string][] = [
    ['last_name[has]:z', 'at character 1: operator [has] takes 2 to 100 characters with a letter or a digit'],
    [
      'last_name[has]:--',
      'at character 1: operator [has] takes 2 to 100 characters with a letter or a digit',
    ],
    // U+02BC is a letter to Unicode.
    [
      'postcode[has]:\u02bc\u02bc',
      'at character 1: operator [has] takes 2 to 100 characters with a letter or a digit',
    ],
    [
      `last_name[has]:${'z'.repeat(101)}`,
      'at character 1: operator [has] takes 2 to 100 characters with a letter or a digit',
    ],
    [
      'id:1,contact_kind[has]:12',
      'at character 6: operator [has] needs a field of datatype varchar or text, [contact_kind] is int4',
    ],
  ];
  for (const [filter, reason] of REFUSED)
    it(`refuses ${filter.slice(0, 40)}`, async () => {
      expect(await client.get(`/contact?filter=${filter}`)).to.be.refused(
        400,
        `Parameter invalid [filter] ${reason}`,
      );
    });

  it('is stopped where the server gives up looking', async () => {
    await build(client, 'contact', { notes: 'a\u0301'.repeat(8_000) });

    const answer = await client.get(`/contact?filter=notes[has]:${'a'.repeat(99)}b`);

    // MariaDB looks to the end of the text.
    if (answer.status !== 200) expect(answer).to.be.refused(503, 'Request takes too long');
  });

  it('takes 100 characters, and characters outside of the plane of letters', async () => {
    for (const value of ['s'.repeat(100), '😀a', '中文', 'ÿ'.repeat(100)])
      expect(await found('contact', 'id', `notes[has]:"${value}"`)).to.deep.equal([]);
  });
});

describe('a value that somebody looks for', () => {
  let client: Client;
  const found = lister(() => client);
  before(async () => {
    client = await newClient();
  });

  it('is normalised as a write of the field is', async () => {
    const contact = { postcode: '3581 KL', iban: 'NL91ABNA0417164300', vat_number: 'NL123456782B12' };
    await build(client, 'contact', contact);
    await build(client, 'contact', { postcode: '3581 KM' });

    for (const [field, value] of [
      ['postcode', '3581kl'],
      ['iban', 'nl91 abna 0417164300'],
      ['vat_number', 'nl123456782.b12'],
    ] as const) {
      for (const [operator, first] of [
        ['eq', value],
        ['in', `x|${value}`],
      ])
        expect(await found('contact', field, `${field}[${operator}]:${first}`), field).to.deep.equal([
          contact[field],
        ]);
      expect(await found('contact', field, `${field}[ne]:${value}`)).to.not.include(contact[field]);
      expect(await found('contact', field, `${field}[ni]:x|${value}`)).to.not.include(contact[field]);
    }
  });

  it('is found in the given form too, if a country decides the form', async () => {
    await build(client, 'contact', { country_id: BELGIUM, postcode: 'b-2000' });
    await build(client, 'vehicle', { plate_country_id: BELGIUM, license_plate: '1-abc-234' });
    await build(client, 'vehicle', { license_plate: 'ZX-123-V' });

    expect(await found('contact', 'postcode', 'postcode:b-2000')).to.deep.equal(['B-2000']);
    expect(await found('vehicle', 'license_plate', 'license_plate:1-ABC-234')).to.deep.equal(['1-ABC-234']);
    for (const plate of ['zx123v', 'ZX-123-V', 'zx-123-v', 'ZX123V'])
      expect(await found('vehicle', 'license_plate', `license_plate:${plate}`), plate).to.deep.equal([
        'ZX-123-V',
      ]);
    expect(await found('vehicle', 'license_plate', 'license_plate[ne]:zx123v')).to.deep.equal(['1-ABC-234']);
  });

  it('is found in any case if it is an e-mail address', async () => {
    const contact = await build(client, 'contact');
    const add = (communication_type: number, value: string) =>
      client.post('/contactcommunication', { contact_id: contact.id, communication_type, value });
    await add(EMAIL, 'Jan.Jansen@Garage.nl');
    await add(EMAIL, 'jan.jansen@garage.be');
    await add(WEBSITE, 'www.Garage.nl');
    await build(client, 'employee', { emailaddress: 'Piet@Garage.nl' });

    for (const value of ['jan.jansen@garage.nl', 'Jan.Jansen@Garage.nl', 'JAN.JANSEN@GARAGE.NL']) {
      expect(await found('contactcommunication', 'value', `value:${value}`)).to.deep.equal([
        'Jan.Jansen@Garage.nl',
      ]);
      expect(await found('contactcommunication', 'value', `value[ne]:${value}`)).to.not.include(
        'Jan.Jansen@Garage.nl',
      );
      expect(await found('contactcommunication', 'value', `value[in]:x|${value}`)).to.have.length(1);
    }
    expect(await found('contactcommunication', 'value', 'value:www.garage.nl')).to.deep.equal([]);
    expect(await found('employee', 'emailaddress', 'emailaddress:piet@GARAGE.nl')).to.deep.equal([
      'Piet@Garage.nl',
    ]);
  });

  it('is equal to itself, also where its letters have small forms of their own', async () => {
    const contact_id = (await build(client, 'contact')).id;
    for (const value of ['İsmail@garage.nl', 'GROẞ@garage.nl', 'ΝΙΚΟΣ.ΠΑΠΑΣ@x.gr', 'Ⴀ@x.ge', '𐐀@x.us']) {
      await build(client, 'employee', { emailaddress: value });
      await build(client, 'contactcommunication', { contact_id, communication_type: PHONE, value });

      for (const [list, field] of [
        ['employee', 'emailaddress'],
        ['contactcommunication', 'value'],
      ] as const) {
        expect(await found(list, field, `${field}:${value}`)).to.deep.equal([value]);
        expect(await found(list, field, `${field}[ne]:${value}`)).to.not.include(value);
      }
    }
  });
});
