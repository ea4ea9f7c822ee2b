// The specification's rows about contacts: the address check, and the one preferred e-mail address.
import { LISTS } from '../../src/core/trade/lists.ts';
import { build } from '../support/build/build.ts';
import { type Client, newClient } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { row, says } from './row.ts';

const TABLE = 'Per endpoint';
const { EMAIL, PHONE } = LISTS.communicationtypes;
const RIGHT = { postcode: '3511 AB', huisnummer: '12', toevoeging: 'A', country_id: '1' };

describe('specification: contacts', () => {
  let client: Client;
  before(async () => {
    client = await newClient();
  });

  const check = (changes: Partial<typeof RIGHT> = {}) =>
    client.get(`/contact/checkaddress?${new URLSearchParams({ ...RIGHT, ...changes })}`);
  const prefer = (contact_id: number, value: string, communication_type: number = EMAIL) =>
    client.post('/contactcommunication', { contact_id, communication_type, value, is_prefered_email: 1 });

  const format = 'GET /contact/checkaddress | Postcode not in format 1234 AB; country id invalid';

  row(TABLE, format, 'postcode', async (says) => {
    for (const postcode of ['3511AB', '3511 ab', '0511 AB', '3511 SS', '351 AB', '3511  AB']) {
      expect(await check({ postcode })).to.be.refused(...says('postcode', postcode, 'postcode'));
    }
  });

  row(TABLE, format, 'country_id', async (says) => {
    for (const country_id of ['999999', '0', 'NL', '-1']) {
      expect(await check({ country_id })).to.be.refused(...says('country_id', country_id, 'country'));
    }
  });

  const empty = 'GET /contact/checkaddress | Postcode and country id empty';

  row(TABLE, empty, 'postcode', async (says) => {
    expect(await check({ postcode: '' })).to.be.refused(...says('postcode'));
    expect(await client.get('/contact/checkaddress?huisnummer=12')).to.be.refused(...says('postcode'));
  });

  row(TABLE, empty, 'country_id', async (says) => {
    expect(await check({ country_id: '' })).to.be.refused(...says('country_id'));
  });

  row(TABLE, 'GET /contact/checkaddress | Huisnummer not a number', async (says) => {
    for (const huisnummer of ['12a', '1.5', 'twelve', '9999999999']) {
      expect(await check({ huisnummer })).to.be.refused(...says('huisnummer', huisnummer));
    }
  });

  const long = 'GET /contact/checkaddress | Postcode, huisnummer or toevoeging longer than 10';
  for (const [field, datatype] of [
    ['postcode', 'varchar'],
    ['huisnummer', 'int4'],
    ['toevoeging', 'varchar'],
  ] as const) {
    row(TABLE, long, field, async (says) => {
      expect(await check({ [field]: '12345678901' })).to.be.refused(...says(field, 11, datatype, 10));
    });
  }

  row('Limits', 'Length of postcode, huisnummer, toevoeging', async () => {
    const longest = {
      postcode: '1234567890',
      huisnummer: '0000000012',
      toevoeging: '12345678😀0',
      country_id: '2',
    };

    expect((await check(longest)).status).to.equal(200);
    for (const field of ['postcode', 'huisnummer', 'toevoeging'] as const) {
      expect((await check({ ...longest, [field]: `${longest[field]}1` })).body.message).to.match(
        /\[11] too long/,
      );
    }
  });

  row('Endpoints', 'GET | /contact/checkaddress', async () => {
    const answer = await check();

    expect(answer.status).to.equal(200);
    expect(answer.data).to.deep.include({
      postcode: '3511 AB',
      huisnummer: 12,
      toevoeging: 'A',
      country_id: 1,
    });
  });

  row('Other resources', 'contact address check', async () => {
    expect((await check({ toevoeging: '' })).data.toevoeging).to.equal(null);
    expect((await check({ huisnummer: '7' })).data.huisnummer).to.equal(7);
    expect((await check({ postcode: '3511AB' })).status).to.equal(403);
  });

  row(
    TABLE,
    'POST /contactcommunication | is_prefered_email 1 more than once for type email',
    async (says) => {
      const { id } = await build(client, 'contact');
      await prefer(id, 'anna@garage.example');

      expect(await prefer(id, 'bert@garage.example')).to.be.refused(...says());
    },
  );

  row(TABLE, 'POST /contactcommunication | is_prefered_email 1 for a type other than email', async (says) => {
    const { id } = await build(client, 'contact');

    expect(await prefer(id, '030 123 4567', PHONE)).to.be.refused(...says());
  });

  row('Limits', 'Preferred e-mail per contact', async () => {
    const { id } = await build(client, 'contact');

    const answers = await Promise.all(['a@b.example', 'c@d.example'].map((value) => prefer(id, value)));

    expect(answers.map(({ status }) => status).sort(), 'two at once').to.deep.equal([201, 409]);
    expect((await client.get(`/contactcommunication?filter=contact_id:${id}`)).data).to.have.length(1);
  });

  row('Endpoints', 'POST | /contactcommunication', async () => {
    const { id } = await build(client, 'contact');

    const answer = await prefer(id, 'anna@garage.example');

    expect(answer.status).to.equal(201);
    expect(answer.data).to.include({ contact_id: id, value: 'anna@garage.example', is_prefered_email: 1 });
  });

  row('Other resources', 'contactcommunication', async () => {
    const { id } = await build(client, 'contact');
    const { data } = await prefer(id, 'anna@garage.example');

    const answer = await client.put(`/contactcommunication/${data.id}`, { communication_type: PHONE });

    expect(EMAIL).to.equal(4);
    expect(answer).to.be.refused(
      ...says(TABLE, 'POST /contactcommunication | is_prefered_email 1 for a type other than email'),
    );
  });
});
