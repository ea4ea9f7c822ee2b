// A contact's kind decides which fields it requires; its country decides the form of its postcode.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build } from '../../support/build/build.ts';
import { type Client, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { execute } from '../../support/database/sql.ts';
import { database } from '../../support/service/service.ts';

const { PERSON, COMPANY } = LISTS.contactkinds;
const [NETHERLANDS, BELGIUM] = [1, 2];

describe('a contact', () => {
  let client: Client;
  before(async () => {
    client = await newClient();
  });

  const KINDS = [
    [PERSON, 'last_name', COMPANY, 'company_name'],
    [COMPANY, 'company_name', PERSON, 'last_name'],
  ] as const;
  for (const [kind, name, otherKind, otherName] of KINDS) {
    it(`of kind ${kind} has a ${name}`, async () => {
      const { id } = await build(client, 'contact', { contact_kind: kind, [name]: 'De Boer' });
      const put = (body: object) => client.put(`/contact/${id}`, body);
      const missing = (field: string) => `Field: [${field}] is required and not supplied in request`;

      expect(
        await client.post('/contact', { contact_kind: kind, [otherName]: 'x', country_id: NETHERLANDS }),
      ).to.be.refused(403, missing(name));
      expect(await put({ [name]: '' })).to.be.refused(
        403,
        `Field: [${name}] is required and cannot be empty`,
      );
      expect(await put({ contact_kind: otherKind })).to.be.refused(403, missing(otherName));
      expect((await put({ contact_kind: otherKind, [otherName]: 'x', [name]: null })).status).to.equal(200);
    });
  }

  it("can't be its own parent", async () => {
    const { id } = await build(client, 'contact');

    expect(await client.put(`/contact/${id}`, { parent_contact_id: id })).to.be.refused(
      403,
      `Field: [parent_contact_id] has an invalid value: [${id}] for validation: [another contact]`,
    );
  });

  it('gets street and city of the address file in the Netherlands only', async () => {
    await execute(
      database(),
      "INSERT IGNORE INTO addresses (postcode, huisnummer, toevoeging, street, city) VALUES ('9999 ZZ', 12, '', 'Dorpsstraat', 'Onderdendam')",
      [],
    );
    const check = async (country: number) => {
      const query = `postcode=9999%20ZZ&huisnummer=12&country_id=${country}`;
      return (await client.get(`/contact/checkaddress?${query}`)).data;
    };

    expect(await check(NETHERLANDS)).to.include({ street: 'Dorpsstraat', city: 'Onderdendam' });
    expect(await check(BELGIUM)).to.include({ postcode: '9999 ZZ', street: null, city: null });
  });

  it('has a postcode in the form of its country', async () => {
    const { id } = await build(client, 'contact', { country_id: BELGIUM, postcode: ' b-1000 ' });
    const put = (body: object) => client.put(`/contact/${id}`, body);
    const wrong = 'Field: [postcode] has an invalid value: [B-1000] for validation: [postcode]';

    expect(await put({ country_id: NETHERLANDS })).to.be.refused(403, wrong);
    expect(await put({ country_id: NETHERLANDS, postcode: 'B-1000' })).to.be.refused(403, wrong);
    expect(await put({ postcode: 'ß'.repeat(10) })).to.be.refused(
      403,
      `Field: [postcode] has an invalid value: [${'ß'.repeat(10)}] for validation: [postcode]`,
    );
    expect((await put({ postcode: '3581kl' })).data.postcode).to.equal('3581KL');
    expect((await put({ country_id: NETHERLANDS, postcode: '3581kl' })).data.postcode).to.equal('3581 KL');
    expect((await put({ country_id: BELGIUM, postcode: '3581kl' })).data.postcode).to.equal('3581KL');
    expect((await put({ country_id: NETHERLANDS })).data.postcode).to.equal('3581 KL');
  });

  it('is numbered from 1 for each owner, without a gap after a refusal', async () => {
    const other = await newClient();
    await build(other, 'contact', { debtor_number: 'D1' });
    const body = { contact_kind: PERSON, last_name: 'x', country_id: NETHERLANDS };

    expect((await other.post('/contact', { ...body, debtor_number: 'D1' })).status).to.equal(409);
    expect((await other.post('/contact', { ...body, parent_contact_id: 2147483647 })).status).to.equal(404);
    expect((await other.post('/contact', body)).data.contact_number).to.equal(2);
  });
});
