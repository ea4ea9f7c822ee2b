// GET /search: hits of several resources for one field to type in.
import { build } from '../../support/build/build.ts';
import { type Client, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';

const ask = (client: Client, words: string) => client.get(`/search?q=${encodeURIComponent(words)}`);
const REFUSED = 'Parameter invalid [q] must be 1 to 5 words of 2 to 100 characters';

describe('GET /search', () => {
  let client: Client;
  beforeEach(async () => {
    client = await newClient();
  });

  const scene = async () => {
    const person = { company_name: null, first_name: 'Zoë', prefix: 'de', last_name: 'Vries' };
    const contact = await build(client, 'contact', { ...person, city: 'Breda' });
    const car = await build(client, 'vehicle', {
      license_plate: 'ZX-123-V',
      make: 'Citroën',
      model: 'Vriesland',
    });
    const order = await build(client, 'order', { contact_id: contact.id, vehicle_id: car.id });
    const article = await build(client, 'article', { article_number: 'VRIES-1', description: 'Antivries' });
    return { contact, car, order, article };
  };

  it('answers hits of each resource, with titles and subtitles', async () => {
    const { contact, car, order, article } = await scene();

    const { status, data } = await ask(client, 'vries');

    expect(status).to.equal(200);
    expect(data).to.deep.equal([
      { resource: 'contact', id: contact.id, title: 'Zoë de Vries', subtitle: 'Breda' },
      { resource: 'vehicle', id: car.id, title: 'ZX-123-V', subtitle: 'Citroën Vriesland' },
      { resource: 'order', id: order.id, title: String(order.order_number), subtitle: 'Zoë de Vries' },
      { resource: 'article', id: article.id, title: 'VRIES-1', subtitle: 'Antivries' },
    ]);
    expect((await ask(client, 'zx123v')).data.map((hit: { resource: string }) => hit.resource)).to.deep.equal(
      ['vehicle', 'order'],
    );
  });

  it('answers at most 10 of a resource: a word that equals a whole text first, then the highest ID', async () => {
    const contact = (last_name: string) => build(client, 'contact', { last_name, company_name: null });
    const whole = await contact('Jansen');
    const others = [];
    for (let count = 0; count < 11; count += 1) others.push((await contact('Jansen-Smit')).id);

    const { data } = await ask(client, 'jansen');

    const ids = data.map(({ id }: { id: number }) => id);
    expect(ids).to.deep.equal([whole.id, ...others.reverse().slice(0, 9)]);
  });

  it('demands all words of one record', async () => {
    const { contact } = await scene();
    const other = await build(client, 'contact', {
      last_name: 'Vries',
      first_name: 'Jan',
      company_name: null,
    });

    expect((await ask(client, 'zoe vries breda')).data.map(({ id }: { id: number }) => id)).to.deep.equal([
      contact.id,
    ]);
    expect((await ask(client, 'vries jan')).data[0].id).to.equal(other.id);
    expect((await ask(client, 'vries zwolle')).data).to.deep.equal([]);
  });

  it('puts first, among the records that have all words, those where a word equals a whole text', async () => {
    const person = (first_name: string, last_name: string) =>
      build(client, 'contact', { company_name: null, first_name, last_name });
    const orderOf = (contact: { id: number }) => build(client, 'order', { contact_id: contact.id });
    const whole = await person('Jan', 'Bakker');
    const part = await person('Janneke', 'Bakkerij');
    const other = await person('Piet', 'Bakker');
    const orders = { whole: await orderOf(whole), part: await orderOf(part), other: await orderOf(other) };

    const { data } = await ask(client, 'jan bakker');

    const idsOf = (name: string) =>
      data
        .filter(({ resource }: { resource: string }) => resource === name)
        .map(({ id }: { id: number }) => id);
    expect(idsOf('contact')).to.deep.equal([whole.id, part.id]);
    expect(idsOf('order')).to.deep.equal([orders.whole.id, orders.part.id]);
  });

  it('leaves out what the key may not read', async () => {
    const { order } = await scene();
    const { owner } = client.garage;
    const orders = await newClient({ allow: ['GET /search', 'GET /order', 'GET /vehicle'], owner });

    const found = await ask(orders, 'zx123v');
    expect(found.data[1]).to.deep.equal({
      ...{ resource: 'order', id: order.id },
      ...{ title: String(order.order_number), subtitle: null },
    });
    const none = await ask(orders, 'zoe');
    expect([none.status, none.data]).to.deep.equal([200, []]);
    const lists = await newClient({ allow: ['GET /order'], owner });
    expect((await ask(lists, 'zx123v')).status).to.equal(403);
  });

  it('reads nothing of another owner', async () => {
    await scene();

    expect((await ask(await newClient(), 'vries')).data).to.deep.equal([]);
  });

  it('refuses what are no words', async () => {
    for (const words of [' ', 'a', 'zx 123 v', 'een twee drie vier vijf zes', '--'])
      expect(await ask(client, words), words).to.be.refused(400, REFUSED);
    expect((await client.get('/search')).status).to.equal(400);
    expect((await client.get('/search?q=jansen&page=2')).status).to.equal(400);
  });
});

describe('fields=version', () => {
  it('is the number in the ETag, of a list and of one record', async () => {
    const client = await newClient();
    const { id } = await build(client, 'contact');
    await client.put(`/contact/${id}`, { city: 'Breda' });

    const { data } = await client.get('/contact?fields=version,city');
    const one = await client.get(`/contact/${id}?fields=version`);

    expect(data).to.deep.equal([{ id, version: 2, city: 'Breda' }]);
    expect([one.data, one.headers.get('etag')]).to.deep.equal([{ id, version: 2 }, '"2"']);
    const changed = await client.put(
      `/contact/${id}`,
      { city: 'Epe' },
      { 'if-match': `"${data[0].version}"` },
    );
    expect(changed.status).to.equal(200);
  });

  it('works on a large page and on a page of a search', async () => {
    const client = await newClient();
    const { id } = await build(client, 'contact', { last_name: 'Jansen' });

    for (const asked of ['page_size=1000', 'search=jansen', 'sort=last_name&page=1&expand=country']) {
      const { data } = await client.get(`/contact?fields=version&${asked}`);
      expect(data[0], asked).to.include({ id, version: 1 });
    }
  });

  it('is neither sorted nor filtered by, nor a field of jobs', async () => {
    const client = await newClient();

    for (const path of ['/contact?sort=version', '/contact?filter=version:1', '/job?fields=version'])
      expect(await client.get(path), path).to.be.refused(403, 'Field: [version] not found in model');
  });
});
