// A record whose relations make a long answer: the service keeps no such answer in memory. It comes in chunks, with the
// ETag of all that it shows.
import { createHash } from 'node:crypto';
import { LISTS } from '../../src/core/trade/lists.ts';
import { build, buildBuyer } from '../support/build/build.ts';
import { type Answer, type Client, newClient } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';

/** Each character takes six in JSON. */
const NOTES = '\u0001'.repeat(16_000);
/** Together they have more characters than an answer that is kept. */
const LINES = 48;
const HEAD = '{"successCode":200,"data":';

describe('a record with relations that are too long to be kept', function () {
  this.timeout(60_000);
  let client: Client;
  let vehicle: number;
  let path: string;
  before(async () => {
    client = await newClient();
    vehicle = (await build(client, 'vehicle', { external_id: 'LONG' })).id;
    path = `/vehicle/${vehicle}?expand=vehicleroleline`;
    const contact_id = (await buildBuyer(client)).id;
    for (let count = 0; count < LINES; count += 1)
      await build(client, 'vehicleroleline', {
        ...{ vehicle_id: vehicle, contact_id, role_kind: LISTS.vehicleroles.DRIVER, notes: NOTES },
        external_id: `LINE-${count}`,
      });
  });

  const plain = { 'accept-encoding': 'identity' };
  const tagOf = ({ headers }: Answer) => headers.get('etag') ?? '';

  it('is the record of the list, byte for byte, and comes in chunks', async () => {
    const one = await client.get(path, plain);
    const list = await client.get(`/vehicle?filter=id:${vehicle}&expand=vehicleroleline`, plain);

    const record = one.text.slice(HEAD.length, -1);
    expect(one.text.length).to.be.above(2 ** 22);
    expect(one.text === `${HEAD}${record}}`).to.equal(true);
    expect(list.text.startsWith(`${HEAD}[${record}]`)).to.equal(true);
    expect(one.headers.has('content-length')).to.equal(false);
    const sha1 = createHash('sha1').update(record).digest('base64url');
    expect(tagOf(one)).to.equal(`"1-${sha1.slice(0, 12)}"`);
  });

  it('is 304 until one of its relations changes', async () => {
    const tag = tagOf(await client.get(path));
    const again = await client.get(path, { 'if-none-match': tag });
    await client.put('/vehicleroleline?external_id=LINE-7', { contract_number: 'C-1' });
    const changed = await client.get(path, { 'if-none-match': tag });

    expect([again.status, again.text, tagOf(again)]).to.deep.equal([304, '', tag]);
    expect(changed.status).to.equal(200);
    expect(tagOf(changed)).to.match(/^"1-/).and.not.equal(tag);
  });

  it('has the same ETag and the same text if it is compressed, and HEAD has the ETag too', async () => {
    const [one, zipped] = [
      await client.get(path, plain),
      await client.get(path, { 'accept-encoding': 'gzip' }),
    ];
    const head = await client.request('HEAD', path);

    expect(zipped.headers.get('content-encoding')).to.equal('gzip');
    expect(zipped.text === one.text).to.equal(true);
    expect([zipped, head].map(tagOf)).to.deep.equal([tagOf(one), tagOf(one)]);
    expect([head.status, head.text]).to.deep.equal([200, '']);
  });

  it('gives its connection back, whether it is sent or not', async () => {
    const tag = tagOf(await client.get(path));
    for (let time = 0; time < 15; time += 1) {
      await client.get(path, { 'if-none-match': tag });
      await client.request('HEAD', path);
    }
    for (let time = 0; time < 15; time += 1) expect((await client.get(path)).status).to.equal(200);
  });

  it('is the answer of an upsert that changes the record', async () => {
    const lines = [{ external_id: 'LINE-3', contract_number: 'C-2' }];

    const changed = await client.put('/vehicle?external_id=LONG', { color: 'red', vehicleroleline: lines });

    expect(changed.status, changed.text.slice(0, 200)).to.equal(200);
    expect(changed.text === (await client.get(path)).text).to.equal(true);
    expect(changed.data.vehicleroleline[3].contract_number).to.equal('C-2');
    expect(tagOf(changed)).to.equal('"2"');
  });

  it('is 404 for another garage', async () => {
    expect((await (await newClient()).get(path)).status).to.equal(404);
  });
});
