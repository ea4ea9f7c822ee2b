// The logo and the colour of a garage over HTTP: what is refused, what a reader sees, and what the log keeps.
import { randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { PICTURE } from '../../src/core/trade/picture/picture.ts';
import { buildBuyer, buildInvoice } from '../support/build/build.ts';
import { type Client, newClient } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { execute, select } from '../support/database/sql.ts';
import { progressiveJpeg } from '../support/files/jpeg.ts';
import { pngOf } from '../support/files/picture.ts';
import { database } from '../support/service/service.ts';

const LIMIT = 1024 * 1024;
const LOGO = pngOf(120, 40).toString('base64');

/** A PNG that takes nearly as many bytes as a logo may. */
function largePng(): string {
  const rows = Array.from({ length: 590 }, () => Buffer.concat([Buffer.of(0), randomBytes(590 * 3)]));
  const pixels = deflateSync(Buffer.concat(rows), { level: 0 });
  return pngOf(590, 590, undefined, { pixels }).toString('base64');
}

describe('the logo of a garage', () => {
  let client: Client;
  let path: string;
  before(async () => {
    client = await newClient();
    path = `/owner/${client.garage.owner}`;
  });

  const put = (body: object) => client.put(path, body);
  const printed = async () =>
    (await select(database(), 'SELECT printed_logo FROM owners WHERE id = ?', [client.garage.owner]))[0]
      ?.printed_logo;
  const refused = (logo: string) =>
    `Field: [logo] has an invalid value: [${logo.length > 100 ? `${logo.slice(0, 100)}…` : logo}] for validation: [${PICTURE}]`;

  it('is kept as it was given, and shown to its own garage only', async () => {
    const other = await newClient();

    const changed = await put({ logo: LOGO, accent_color: '#0A5C9E' });

    expect(changed.status, changed.text).to.equal(200);
    expect(changed.data).to.include({ logo: LOGO, accent_color: '#0a5c9e' });
    const read = await client.get(path);
    expect(read.data.logo).to.equal(LOGO);
    expect(read.headers.get('etag')).to.equal(changed.headers.get('etag'));
    expect((await client.get('/owner')).data[0].logo).to.equal(LOGO);
    expect((await client.get(`${path}?fields=id,name`)).data).to.have.all.keys('id', 'name');
    expect((await other.get('/owner')).data[0]).to.include({ logo: null, accent_color: null });
    expect((await other.put(path, { logo: LOGO })).status).to.equal(404);
  });

  it('may have 1 MiB, also in a body that is larger than 1 MiB', async () => {
    const large = largePng();
    expect(Buffer.from(large, 'base64').length).to.be.within(LIMIT - 8_000, LIMIT);

    expect((await put({ logo: large })).data.logo).to.equal(large);

    const tooLarge = Buffer.alloc(LIMIT + 1).toString('base64');
    expect(await put({ logo: tooLarge })).to.be.refused(
      403,
      `Field: [logo] valuelength: [${LIMIT + 1}] too long for datatype: bytea: [${LIMIT}]`,
    );
    expect(await put({ logo: 'A'.repeat(3 * LIMIT) })).to.be.refused(
      413,
      `Body is larger than [${3 * LIMIT}] bytes`,
    );
    expect((await client.get(path)).data.logo).to.equal(large);
  });

  it('is a PNG or JPEG that can be decoded', async () => {
    const jpeg = await sharp(pngOf(64, 64)).jpeg().toBuffer();
    const gif = await sharp(pngOf(64, 64)).gif().toBuffer();
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"/>');
    const wrong: [string, Buffer][] = [
      ['a GIF', gif],
      ['an SVG', svg],
      ['nothing', Buffer.alloc(0)],
      ['a PNG that ends early', pngOf(64, 64).subarray(0, 70)],
      ['a JPEG that ends early', jpeg.subarray(0, jpeg.length - 30)],
      ['the begin of a PNG', pngOf(64, 64).subarray(0, 8)],
      ['pixels that are no pixels', pngOf(64, 64, undefined, { pixels: randomBytes(200) })],
      ['a small file of a huge picture', pngOf(64, 64, undefined, { claimed: 50_000 })],
      ['too many pixels', pngOf(3001, 16)],
      ['too few pixels', pngOf(64, 15)],
    ];

    expect((await put({ logo: jpeg.toString('base64') })).status).to.equal(200);
    for (const [name, bytes] of wrong) {
      const logo = bytes.toString('base64');
      expect(await put({ logo }), name).to.be.refused(403, refused(logo));
    }
    expect((await client.get(path)).data.logo).to.equal(jpeg.toString('base64'));
  });

  it('has 50 scans at most, so no logo takes a decoder long', async () => {
    const many = progressiveJpeg({ side: 3_000, scans: 800 }).toString('base64');
    const most = progressiveJpeg({ side: 3_000, scans: 41 }).toString('base64');

    const answers = await Promise.all([many, many, most, many, many].map((logo) => put({ logo })));

    expect(answers.map(({ status }) => status)).to.deep.equal([403, 403, 200, 403, 403]);
    expect(answers[0]).to.be.refused(403, refused(many));
    expect((await client.get(path)).data.logo).to.equal(most);
  });

  it('is decoded once: the same logo again changes nothing', async () => {
    await put({ logo: LOGO });
    const mark = pngOf(50, 20).toString('base64');
    await execute(database(), 'UPDATE owners SET printed_logo = ? WHERE id = ?', [mark, client.garage.owner]);

    expect((await put({ logo: LOGO, accent_color: '#0a5c9f' })).status).to.equal(200);
    expect(await printed()).to.equal(mark);

    await put({ logo: null });
    expect(await printed()).to.equal(null);
  });

  it('has a colour of six hexadecimal digits beside it', async () => {
    for (const color of ['red', '#fff', '#12345g', '0a5c9e', ''])
      expect(await put({ accent_color: color })).to.be.refused(
        403,
        `Field: [accent_color] has an invalid value: [${color}] for validation: [#rrggbb]`,
      );
    expect(await put({ accent_color: '#0a5c9e00' })).to.be.refused(
      403,
      'Field: [accent_color] valuelength: [9] too long for datatype: varchar: [7]',
    );
  });

  it('is a change in the log, without its bytes', async () => {
    const own = await newClient();
    const change = (body: object) => own.put(`/owner/${own.garage.owner}`, body);
    await change({ logo: LOGO });
    await change({ logo: LOGO });
    await change({ logo: pngOf(50, 50).toString('base64') });
    await change({ logo: null });

    const { data } = await own.get('/audit?filter=resource:owner&sort=seq');

    const logos = data.flatMap(({ changes }: { changes: { logo?: unknown } | null }) => changes?.logo ?? []);
    expect(logos).to.deep.equal([null, '[...]', '[...]', '[...]', '[...]', null]);
    const feed = await own.get('/changes?resource=owner');
    expect(feed.data.at(-1)).to.deep.include({ resource: 'owner', action: 'updated', fields: ['logo'] });
  });

  it('is not copied into invoices', async () => {
    await put({ logo: LOGO });
    const { id } = await buildInvoice(client, { contact_id: (await buildBuyer(client)).id });

    const [kept] = await select(database(), 'SELECT seller FROM invoiceparties WHERE order_id = ?', [id]);

    expect(JSON.parse(String(kept?.seller)))
      .to.include({ id: client.garage.owner })
      .and.not.have.any.keys('logo', 'accent_color');
  });
});
