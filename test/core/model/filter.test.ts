// Filters at their limits: the forms of a number, and as many conditions and values as fit in a URL.
import { build } from '../../support/build/build.ts';
import { type Client, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';

describe('filters', () => {
  let client: Client;
  before(async () => {
    client = await newClient();
  });

  const AMOUNTS: [string, number[]][] = [
    ['price:1.5', [1.5]],
    ['price:15e-1', [1.5]],
    ['price[lt]:1e1', [0.0001, 1.5]],
    ['price[gt]:1e-4', [1.5, 99_999_999_999_999]],
    ['price[lt]:1e300', [0.0001, 1.5, 99_999_999_999_999]],
    ['price[le]:-1e300', []],
    ['price[gt]:0.00009999999999', [0.0001, 1.5, 99_999_999_999_999]],
    ['price[gt]:0.000100000000001', [1.5, 99_999_999_999_999]],
    ['price[ge]:1.500000000000001', [99_999_999_999_999]],
    ['price:0.000100000000001', [0.0001]],
    ['price:1.50004', [1.5]],
    ['price:1.50005', []],
    ['price[in]:0.00005|1.49995', [0.0001, 1.5]],
    ['price[ne]:1.5000000000000004', [0.0001, 99_999_999_999_999]],
    ['price[ni]:0.00014|1.5', [99_999_999_999_999]],
  ];
  it('takes every form of a JSON number', async () => {
    for (const price of [0.0001, 1.5, 99_999_999_999_999]) await build(client, 'article', { price });

    for (const [filter, expected] of AMOUNTS) {
      const { data } = await client.get(`/article?filter=${encodeURIComponent(filter)}`);
      expect(
        data.map(({ price }: { price: number }) => price),
        filter,
      ).to.deep.equal(expected);
    }
    for (const value of ['1e400', '1e', '.5', '1.', '0x1', 'NaN', '']) {
      expect(await client.get(`/article?filter=price:${value}`)).to.be.refused(
        403,
        `Field: [price] has an invalid value: [${value}] for datatype: float8`,
      );
    }
  });

  it('looks for an amount as a write rounds it', async () => {
    const { id, sale_price } = await build(client, 'vehicle', { sale_price: 2.345 });
    await build(client, 'vehicle', { sale_price: 2.34 });

    const { data } = await client.get('/vehicle?filter=sale_price:2.345');

    expect(sale_price).to.equal(2.35);
    expect(data.map((found: { id: number }) => found.id)).to.deep.equal([id]);
  });

  const CITIES: [string, string[]][] = [
    ['city:Zürich', ['Zürich']],
    ['city:zürich', ['zürich']],
    ['city[in]:ZÜRICH|Zurich', ['Zurich', 'ZÜRICH']],
    ['city[ne]:Zürich', ['Zurich', 'ZÜRICH', 'zürich']],
    ['city[like]:Z*', ['Zurich', 'ZÜRICH', 'Zürich']],
    ['city[like]:*urich', ['Zurich']],
    ['city[like]:*RICH', ['ZÜRICH']],
    ['city[ge]:a', ['zürich']],
    ['city:"Zürich "', ['Zürich']],
    ['city[like]:"Zürich "', []],
  ];
  it('compares texts exactly, but for spaces at the end', async () => {
    for (const city of ['ZÜRICH', 'Zurich', 'Zürich', 'zürich']) await build(client, 'contact', { city });

    for (const [filter, expected] of CITIES) {
      const { data } = await client.get(`/contact?sort=city&filter=${encodeURIComponent(filter)}`);
      expect(data.map(({ city }: { city: string }) => city).sort(), filter).to.deep.equal(expected);
    }
  });

  it('takes as many conditions and values as a URL can hold', async () => {
    const conditions = Array(2_700).fill('id:1').join(',');
    const values = Array(7_000).fill(1).join('|');

    expect((await client.get(`/turnovergroup?filter=${conditions}`)).status).to.equal(200);
    expect((await client.get(`/turnovergroup?filter=id[in]:${values}`)).status).to.equal(200);
    const pattern = `*a*a*a*a*${'a'.repeat(191)}`;
    expect((await client.get(`/turnovergroup?filter=name[like]:${pattern}`)).status).to.equal(200);
  });
});
