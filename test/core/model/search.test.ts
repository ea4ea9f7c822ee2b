// `search=`: each word is in one of the texts of the record.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build } from '../../support/build/build.ts';
import { type Client, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';

const { PHONE, EMAIL } = LISTS.communicationtypes;

const search = (client: Client, resource: string, words: string, more = '') =>
  client.get(`/${resource}?search=${encodeURIComponent(words)}${more}`);

const idsOf = (data: readonly { id: number }[]) => data.map(({ id }) => id);

/** Adds one communication. */
const reach = (client: Client, contact_id: number, value: string, communication_type: number = PHONE) =>
  client.post('/contactcommunication', { contact_id, communication_type, value });

describe('a search', () => {
  let client: Client;
  const found = async (resource: string, words: string, more = '') => {
    const { status, text, data } = await search(client, resource, words, more);
    expect(status, text).to.equal(200);
    return idsOf(data);
  };
  beforeEach(async () => {
    client = await newClient();
  });

  it('finds a contact by each of its texts', async () => {
    const { id } = await build(client, 'contact', {
      ...{ company_name: 'Bakkerij Zoë', first_name: 'Jan', prefix: 'van der', last_name: 'Straße' },
      ...{ print_name: 'Latijn', street: 'Røde Gracht', city: 'Düsseldorf', postcode: '3581 KL' },
      ...{ debtor_number: 'D-0077', creditor_number: 'CR/99' },
    });
    await build(client, 'contact', { last_name: 'Overig', postcode: '1011 AB' });

    const names = ['zoe', 'bakkerij', 'ja', 'der', 'strasse', 'latijn'];
    const others = ['rode', 'dusseldorf', '3581kl', '3581-KL', 'd-0077', 'cr/99', 'zoe van 3581kl rode cr/9'];
    for (const words of [...names, ...others])
      expect(await found('contact', words), words).to.deep.equal([id]);
    for (const words of ['zoe overig', 'd0077', '1011ab zoe'])
      expect(await found('contact', words), words).to.deep.equal([]);
  });

  it('finds a contact by its communications', async () => {
    const { id } = await build(client, 'contact', { last_name: 'Jansen' });
    await reach(client, id, '+31 (0)6 1234 5678');
    await reach(client, id, 'Jan@Voorbeeld.NL', EMAIL);
    await build(client, 'contact', { last_name: 'Jansen' });

    for (const words of [
      '0612345678',
      '+31612345678',
      '1234-5678',
      'jan@voorbeeld.nl',
      'JAN@',
      'jansen 0612 nl',
    ])
      expect(await found('contact', words), words).to.deep.equal([id]);
    for (const words of ['janvoorbeeld', '31612', '06@'])
      expect(await found('contact', words), words).to.deep.equal([]);
  });

  it('finds a contact by its number', async () => {
    for (let number = 1; number <= 10; number += 1)
      await build(client, 'contact', { debtor_number: `d${number}` });

    const { data } = await search(client, 'contact', '10');

    expect(data.map(({ contact_number }: { contact_number: number }) => contact_number)).to.include(10);
  });

  it('finds a vehicle, and an article, by each of their texts', async () => {
    const names = { make: 'Citroën', model: 'C4', version_name: 'Première' };
    const car = await build(client, 'vehicle', {
      license_plate: 'ZX-123-V',
      vin: 'WVWZZZ1JZ3W000001',
      ...names,
    });
    const texts = { description: 'Oliefilter', brand: 'Škoda' };
    const article = await build(client, 'article', {
      article_number: 'OLF-0003',
      ean: '8712345678906',
      ...texts,
    });

    for (const words of ['zx123v', 'ZX-123-V', '3w0000', 'citroen', 'c4', 'premiere', 'citroën zx12'])
      expect(await found('vehicle', words), words).to.deep.equal([car.id]);
    for (const words of ['olf0003', 'olf-0003', '871234', 'oliefilter', 'skoda'])
      expect(await found('article', words), words).to.deep.equal([article.id]);
  });

  it('finds an order by its texts, the names of its contact and payer, and the plate of its vehicle', async () => {
    const car = await build(client, 'vehicle', { license_plate: 'ZX-123-V', make: 'Citroën' });
    const contact = await build(client, 'contact', {
      last_name: 'Crèvecœur',
      company_name: null,
      city: 'Breda',
    });
    const payer = await build(client, 'contact', { company_name: 'Lease & Zn.' });
    const parties = { contact_id: contact.id, invoice_contact_id: payer.id, vehicle_id: car.id };
    const texts = { reference: 'PO-7781', buyer_reference: 'Kostenplaats Ü' };
    const { id } = await build(client, 'order', { ...parties, ...texts });

    for (const words of [
      'crevecoeur',
      'lease',
      'zx123v',
      'po-7781',
      '7781',
      'kostenplaats',
      'crevecoeur zx-12 lease po',
    ])
      expect(await found('order', words), words).to.deep.equal([id]);
    for (const words of ['po7781', 'citroen', '&zn', 'breda'])
      expect(await found('order', words), words).to.deep.equal([]);
  });

  it('finds a change with the next request, whatever makes it', async () => {
    const contact = await build(client, 'contact', { last_name: 'Eerst', external_id: 'K-1' });
    const car = await build(client, 'vehicle', { license_plate: 'ZX-123-V' });
    const order = await build(client, 'order', { contact_id: contact.id, vehicle_id: car.id });

    await client.put(`/contact/${contact.id}`, { last_name: 'Tweede' });
    expect([await found('contact', 'eerst'), await found('contact', 'tweede')]).to.deep.equal([
      [],
      [contact.id],
    ]);
    await client.put('/contact?external_id=K-1', { last_name: 'Derde' });
    expect([await found('order', 'tweede'), await found('order', 'derde')]).to.deep.equal([[], [order.id]]);

    await client.put('/updatelicenseplate', { id: car.id, license_plate: 'AB-12-CD' });
    for (const resource of ['vehicle', 'order'])
      expect([await found(resource, 'zx123v'), await found(resource, 'ab12cd')]).to.deep.equal([
        [],
        [resource === 'order' ? order.id : car.id],
      ]);

    const { data: number } = await reach(client, contact.id, '0612345678');
    expect(await found('contact', '0612345678')).to.deep.equal([contact.id]);
    await client.del(`/contactcommunication/${number.id}`);
    expect(await found('contact', '0612345678')).to.deep.equal([]);
    await client.del(`/order/${order.id}`);
    expect(await found('order', 'derde')).to.deep.equal([]);
  });

  it('reads nothing of another owner', async () => {
    const other = await newClient();
    const contact = await build(other, 'contact', { last_name: 'Jansen' });
    await reach(other, contact.id, '0612345678');
    await build(other, 'order', { contact_id: contact.id, reference: 'PO-1' });

    for (const [resource, words] of [
      ['contact', 'jansen'],
      ['contact', '0612345678'],
      ['order', 'jansen'],
      ['order', 'po-1'],
    ])
      expect(await found(String(resource), String(words))).to.deep.equal([]);
  });

  it('counts the texts of another resource only where the caller may read it', async () => {
    const contact = await build(client, 'contact', { last_name: 'Jansen' });
    await reach(client, contact.id, '0612345678');
    const car = await build(client, 'vehicle', { license_plate: 'ZX-123-V' });
    const order = await build(client, 'order', { contact_id: contact.id, vehicle_id: car.id });
    const limited = await newClient({ allow: ['GET /order', 'GET /contact'], owner: client.garage.owner });
    const orders = await newClient({ allow: ['GET /order'], owner: client.garage.owner });

    const ids = async (one: Client, resource: string, words: string) =>
      idsOf((await search(one, resource, words)).data);

    expect(await ids(limited, 'contact', 'jansen')).to.deep.equal([contact.id]);
    expect(await ids(limited, 'contact', '0612345678')).to.deep.equal([]);
    expect(await ids(limited, 'order', 'jansen')).to.deep.equal([order.id]);
    for (const words of ['jansen', 'zx123v']) expect(await ids(orders, 'order', words)).to.deep.equal([]);
  });
});

describe('the words of a search', () => {
  let client: Client;
  before(async () => {
    client = await newClient();
  });

  const REFUSED = [
    '',
    ' ',
    'a',
    'zx 123 v',
    'een twee drie vier vijf zes',
    '--',
    `${'z'.repeat(101)}`,
    'ja --',
    '\u02bc\u02bc',
  ];
  for (const words of REFUSED)
    it(`are refused: ${words.slice(0, 30)}`, async () => {
      expect(await search(client, 'contact', words)).to.be.refused(
        400,
        'Parameter invalid [search] must be 1 to 5 words of 2 to 100 characters',
      );
    });

  it('may hold any character', async () => {
    const words = ['!a%', 'a\\b', "o'b", '"a"', 'a*', '😀a', '中文', 'z'.repeat(100), 'a;--b', '\u0000aa'];
    for (const word of words) {
      const { status, text, data } = await search(client, 'contact', word);
      expect([status, data], text).to.deep.equal([200, []]);
    }
  });

  it('find what has them, and not what a pattern would find', async () => {
    const odd = await build(client, 'contact', { last_name: '100%_zeker!', city: 'a\\b' });
    await build(client, 'contact', { last_name: '100 procent', city: 'acb' });

    for (const word of ['100%', '0%_z', '_zeker!', 'a\\b'])
      expect(idsOf((await search(client, 'contact', word)).data), word).to.deep.equal([odd.id]);
  });

  it('are supported where a search is', async () => {
    for (const resource of ['employee', 'orderline', 'contactcommunication', 'document'])
      expect(await search(client, resource, 'jansen')).to.be.refused(
        400,
        'Invalid request, query parameter is not supported: [search]',
      );
    const contact = await build(client, 'contact');
    expect(await client.get(`/contact/${contact.id}?search=ab`)).to.be.refused(
      400,
      'Invalid request, query parameter is not supported: [search]',
    );
  });
});
