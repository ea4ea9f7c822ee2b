// ETags: a change of an old version is refused, and a client that has the newest version gets 304.
import { build } from '../support/build/build.ts';
import { type Client, newClient } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';

describe('ETags', () => {
  let client: Client;
  before(async () => {
    client = await newClient();
  });

  it('answers 412 if If-Match does not hold, and 304 if nothing changed', async () => {
    const group = await build(client, 'turnovergroup');
    const tag = (await client.get(`/turnovergroup/${group.id}`)).headers.get('etag') ?? '';
    await client.put(`/turnovergroup/${group.id}`, { name: 'newer' });

    const late = await client.put(`/turnovergroup/${group.id}`, { name: 'late' }, { 'if-match': tag });
    const read = await client.get(`/turnovergroup/${group.id}?fields=name`);

    expect(late).to.be.refused(412, 'Record was changed by another request');
    expect(read.data).to.deep.equal({ id: group.id, name: 'newer' });
    expect(
      (await client.get(`/turnovergroup/${group.id}`, { 'if-none-match': read.headers.get('etag') ?? '' }))
        .status,
    ).to.equal(304);
  });

  it('takes one of several tags in If-Match, and `*` only alone', async () => {
    const group = await build(client, 'turnovergroup');
    const tag = (await client.get(`/turnovergroup/${group.id}`)).headers.get('etag') ?? '';
    const put = (name: string, match: string) =>
      client.put(`/turnovergroup/${group.id}`, { name }, { 'if-match': match });

    for (const match of ['"x"', '"x", "y"', 'W/"x"', '"x-gzip"', '"1;zip"', '"11"', '"x", *'])
      expect(await put('new', match), match).to.be.refused(412, 'Record was changed by another request');
    expect((await put('first', `"x", ${tag}`)).status).to.equal(200);
    expect((await put('second', '*')).status).to.equal(200);
    expect((await client.get(`/turnovergroup/${group.id}`, { 'if-none-match': '"x", *' })).status).to.equal(
      200,
    );
  });

  it('reads a long If-Match in a time like its length', async () => {
    const dashes = '-'.repeat(15_000);

    for (let time = 0; time < 300; time += 1)
      expect((await client.del('/turnovergroup/1', { 'if-match': dashes })).status).to.be.oneOf([404, 412]);
  });

  for (const form of ['W/"1"', '"1-gzip"', '"1;gzip"', '"1-br"', '"1;br"', 'W/"1-gzip"', '"9", W/"1;br"'])
    it(`takes ${form} for version 1, as a proxy may send it`, async () => {
      const { id } = await build(client, 'turnovergroup');
      const path = `/turnovergroup/${id}`;

      const unchanged = await client.get(path, { 'if-none-match': form });
      const changed = await client.put(path, { name: 'newer' }, { 'if-match': form });
      const late = await client.del(path, { 'if-match': form });
      const newer = await client.get(path, { 'if-none-match': form });

      expect([unchanged, changed, newer].map(({ status }) => status)).to.deep.equal([304, 200, 200]);
      expect(late).to.be.refused(412, 'Record was changed by another request');
      const again = await client.del(path, { 'if-match': form.replace('"1', '"2') });
      expect(again.status).to.equal(200);
    });

  it('knows the tag of expanded relations in the forms of proxies', async () => {
    const contact = await build(client, 'contact');
    const path = `/contact/${contact.id}?expand=contactcommunication`;
    const tag = (await client.get(path)).headers.get('etag') ?? '';

    for (const form of [tag, `W/${tag}`, tag.replace(/"$/, '-gzip"'), `W/${tag.replace(/"$/, ';br"')}`]) {
      expect((await client.get(path, { 'if-none-match': form })).status, form).to.equal(304);
      const other = form.replace('"1', '"2');
      expect((await client.get(path, { 'if-none-match': other })).status, other).to.equal(200);
    }
    expect(
      (await client.put(path.replace(/\?.*/, ''), { city: 'Delft' }, { 'if-match': `W/${tag}` })).status,
    ).to.equal(200);
  });

  it('checks If-Match for every PUT of a vehicle', async () => {
    const { id } = await build(client, 'vehicle');
    const late = { 'if-match': '"99"' };

    for (const [path, body] of [
      [`/vehicle/${id}`, { make: 'M' }],
      ['/updatelicenseplate', { id, license_plate: 'ZZ-999-Z' }],
      [`/vehicle/publishstart?id=${id}`, undefined],
      ['/vehicle/publishstop', { id }],
    ] as const)
      expect(await client.put(path, body, late), path).to.be.refused(
        412,
        'Record was changed by another request',
      );
  });

  it('makes one of many simultaneous changes of the same version', async () => {
    const group = await build(client, 'turnovergroup');
    const tag = (await client.get(`/turnovergroup/${group.id}`)).headers.get('etag') ?? '';

    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        client.put(`/turnovergroup/${group.id}`, { name: `n${n}` }, { 'if-match': tag }),
      ),
    );

    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, ...Array(7).fill(412)]);
  });
});
