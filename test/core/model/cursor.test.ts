// Cursors: a walk shows each row exactly once, whatever changes meanwhile. Anything that is not a cursor of the list is
// refused.
import { build } from '../../support/build/build.ts';
import { type Client, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';

interface Shown {
  readonly id: number;
}
interface Page {
  readonly data: Shown[];
  readonly next: string | null;
}

const NO_CURSOR = 'Parameter invalid [cursor] value is not a cursor of this list';
const LONGEST_ADDRESS = 16 * 1024;

/** All IDs of a list by its cursors; `beside` runs before each page but the first. */
async function walk(client: Client, path: string, beside = async () => {}): Promise<number[]> {
  const ids: number[] = [];
  for (let next: string | null = ''; next !== null; ) {
    if (next !== '') await beside();
    const address = next === '' ? path : `${path}&cursor=${next}`;
    expect(address.length).to.be.below(LONGEST_ADDRESS);
    const answer = await client.get(address);
    expect(answer.status, answer.text).to.equal(200);
    const page: Page = answer.body;
    ids.push(...page.data.map(({ id }) => id));
    next = page.next;
  }
  return ids;
}

const forged = (values: unknown) => Buffer.from(JSON.stringify(values)).toString('base64url');
const opened = (cursor: string): unknown[] => JSON.parse(Buffer.from(cursor, 'base64url').toString());

describe('cursors', () => {
  let client: Client;
  let stranger: Client;
  before(async () => {
    client = await newClient();
    stranger = await newClient();
    for (const price of [1, 2, 2, 3]) await build(client, 'article', { price, brand: 'B' });
  });
  const cursorOf = async (query: string): Promise<string> =>
    (await client.get(`/article?page_size=1&${query}`)).body.next;

  it('belong to one list: its owner, resource, filter and order', async () => {
    const cursor = await cursorOf('sort=-price&filter=brand:B');

    expect((await client.get(`/article?sort=-price&filter=brand:B&cursor=${cursor}`)).status).to.equal(200);
    for (const query of ['sort=price&filter=brand:B', 'sort=-price', 'filter=brand:B', 'sort=-price,brand'])
      expect(await client.get(`/article?${query}&cursor=${cursor}`)).to.be.refused(400, NO_CURSOR);
    expect(await client.get(`/contact?cursor=${cursor}`)).to.be.refused(400, NO_CURSOR);
    expect(await stranger.get(`/article?sort=-price&filter=brand:B&cursor=${cursor}`)).to.be.refused(
      400,
      NO_CURSOR,
    );
  });

  const WRONG: [sort: string, field: string, values: unknown[]][] = [
    ['id', 'int4', ['1', null, 1.5, 2147483648, 1e300, true, [1], {}]],
    ['-price', 'float8', ['x', null, 1.5, '1,5', '1e999', "1' OR '1'='1", '', {}]],
    ['purchase_price', 'an empty float8', ['x', 1, false]],
    [
      '-created_at',
      'timestamp',
      ['x', null, 5, '2026-02-30 00:00:00', '2026-01-01', '2026-01-01 00:00:00 x'],
    ],
    ['description', 'varchar', [5, null, '\ud800', ['a']]],
    ['-external_id', 'an empty varchar', [5, true, {}]],
  ];
  for (const [sort, field, values] of WRONG) {
    it(`are refused if they contain anything but ${field}`, async () => {
      const [list, , ...rest] = opened(await cursorOf(`sort=${sort}`));

      for (const value of values) {
        const answer = await client.get(`/article?sort=${sort}&cursor=${forged([list, value, ...rest])}`);
        expect(answer, JSON.stringify(value)).to.be.refused(400, NO_CURSOR);
      }
    });
  }

  it('are refused in any other form', async () => {
    const cursor = await cursorOf('sort=price');
    const values = opened(cursor);

    const others = [forged(values.slice(0, -1)), forged([...values, 1]), forged({}), forged(null), 'x', ''];
    for (const other of [...others, `${cursor}=`, `${cursor}!`, `${cursor}A`, cursor.slice(1)])
      expect(await client.get(`/article?sort=price&cursor=${other}`), other).to.be.refused(400, NO_CURSOR);
  });

  for (const sort of ['notes', '-notes', 'notes,-advert_text']) {
    it(`fit in a URL when sorted by long texts: ${sort}`, async () => {
      const garage = await newClient();
      const long = '😀'.repeat(15_000);
      for (const notes of [`${long}b`, 'short', `${long}a`, null, '\u0001'.repeat(16_000), long])
        await build(garage, 'vehicle', { notes, advert_text: notes });

      const whole: Page = (await garage.get(`/vehicle?sort=${sort}`)).body;
      expect(whole.data).to.have.length(6);
      expect(await walk(garage, `/vehicle?sort=${sort}&page_size=1`)).to.deep.equal(
        whole.data.map(({ id }) => id),
      );
    });
  }

  for (const sort of ['id', '-price', 'brand,-price', 'notes', '-modified_at']) {
    it(`show each row once while others are added, changed and deleted: ${sort}`, async () => {
      const garage = await newClient();
      const values = (n: number) => ({ last_name: `L${n % 5}`, huisnummer: n % 3, notes: `n${n % 4}` });
      const order = sort.replace('brand', 'last_name').replace('price', 'huisnummer');
      const staying: number[] = [];
      const passing: number[] = [];
      for (let n = 0; n < 30; n += 1)
        (n % 3 === 0 ? passing : staying).push((await build(garage, 'contact', values(n))).id);
      let turn = 0;
      const bustle = async () => {
        turn += 1;
        const [gone, changed] = [passing.shift(), passing.at(-1)];
        const left = gone === undefined ? undefined : garage.del(`/contact/${gone}`);
        const made = [turn, turn + 7].map((n) => build(garage, 'contact', values(n)));
        if (changed !== undefined) await garage.put(`/contact/${changed}`, values(turn + 2));
        await Promise.all([left, ...made]);
      };

      const seen = await walk(garage, `/contact?page_size=3&sort=${order}`, () =>
        turn < 15 ? bustle() : Promise.resolve(),
      );

      expect(turn).to.be.above(5);
      expect(seen.filter((id) => staying.includes(id)).toSorted((a, b) => a - b)).to.deep.equal(staying);
    });
  }
});
