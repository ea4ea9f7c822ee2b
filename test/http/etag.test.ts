// ETags: who writes upon an old version is told so, and who has the newest is not sent it again.
import { build } from '../support/build.ts';
import { type Client, newClient } from '../support/client.ts';
import { expect } from '../support/expect.ts';

describe('ETags', () => {
  let client: Client;
  before(async () => {
    client = await newClient();
  });

  it('answers 412 where If-Match no longer holds, and 304 where nothing is new', async () => {
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

  it('writes upon a strong tag only, one of several if need be', async () => {
    const group = await build(client, 'turnovergroup');
    const tag = (await client.get(`/turnovergroup/${group.id}`)).headers.get('etag') ?? '';
    const put = (name: string, match: string) =>
      client.put(`/turnovergroup/${group.id}`, { name }, { 'if-match': match });

    for (const match of [`W/${tag}`, '"x"', '"x", "y"'])
      expect(await put('new', match), match).to.be.refused(412, 'Record was changed by another request');
    expect((await put('first', `"x", ${tag}`)).status).to.equal(200);
    expect((await put('second', '*')).status).to.equal(200);
    expect((await client.get(`/turnovergroup/${group.id}`, { 'if-none-match': '"x", *' })).status).to.equal(
      200,
    );
  });

  it('asks every PUT of a vehicle whether If-Match holds', async () => {
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

  it('makes one change of many at once that were read from the same version', async () => {
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
