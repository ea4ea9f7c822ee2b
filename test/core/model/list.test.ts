// Lists: pages, fields, filters with every operator, order, cursor, count and expand.
import { build } from '../../support/build/build.ts';
import { type Client, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';

describe('lists', () => {
  let client: Client;
  const names = ['Ab', 'Bc', 'a,b', 'x"y', '50%', 'Zoë 😀', 'A|B'];
  before(async () => {
    client = await newClient();
    for (const [index, name] of names.entries()) {
      await build(client, 'turnovergroup', {
        code: `C${index}`,
        name,
        vat_code: 1 + (index % 3),
        ...(index < 5 ? { sort_order: 10 * index } : {}),
      });
    }
  });

  const list = async (query: string) => {
    const answer = await client.get(`/turnovergroup?${query}`);
    expect(answer.status, answer.text).to.equal(200);
    return answer.body;
  };
  const found = async (filter: string) =>
    (await list(`filter=${encodeURIComponent(filter)}`)).data.map(({ name }: { name: string }) => name);

  const FILTERS: [string, string[]][] = [
    ['name:Ab', ['Ab']],
    ['name[eq]:Ab', ['Ab']],
    ['name[ne]:Ab', ['Bc', 'a,b', 'x"y', '50%', 'Zoë 😀', 'A|B']],
    ['name:"a,b"', ['a,b']],
    ['name:"x""y"', ['x"y']],
    ['name[like]:*b', ['Ab', 'a,b'].filter((name) => name.endsWith('b'))],
    ['name[like]:50%', ['50%']],
    ['name[like]:Z*😀', ['Zoë 😀']],
    ['name[in]:Ab|Bc', ['Ab', 'Bc']],
    ['name[in]:"A|B"|"x""y"', ['x"y', 'A|B']],
    ['name[ni]:Ab|Bc|50%', ['a,b', 'x"y', 'Zoë 😀', 'A|B']],
    ['sort_order[gt]:10', ['a,b', 'x"y', '50%']],
    ['sort_order[ge]:10,sort_order[lt]:30', ['Bc', 'a,b']],
    ['sort_order[le]:10', ['Ab', 'Bc']],
    ['sort_order[ne]:10', ['Ab', 'a,b', 'x"y', '50%', 'Zoë 😀', 'A|B']],
    ['sort_order[null]:1', ['Zoë 😀', 'A|B']],
    ['sort_order[null]:0', ['Ab', 'Bc', 'a,b', 'x"y', '50%']],
    ['created_at[gt]:2020-01-01T00:00:00Z,vat_code:1', ['Ab', 'x"y', 'A|B']],
    ["name:' OR 1=1 -- ", []],
  ];
  for (const [filter, expected] of FILTERS) {
    it(`filters by ${filter}`, async () => {
      expect(await found(filter)).to.deep.equal(expected);
    });
  }

  const REFUSED: [string, number, string][] = [
    ['filter=name', 400, 'Parameter invalid [filter] at character 5: a [:] is expected, then the value'],
    ['filter=:1', 400, 'Parameter invalid [filter] at character 1: a field name is expected'],
    ['filter=name:a,', 400, 'Parameter invalid [filter] at character 8: a field name is expected'],
    [
      'filter=name[xx]:a',
      400,
      'Parameter invalid [filter] at character 6: operator [xx] is none of eq, ne, gt, ge, lt, le, in, ni, like, has, null',
    ],
    [
      'filter=name[eq:a',
      400,
      'Parameter invalid [filter] at character 8: a []] is expected after the operator',
    ],
    ['filter=name:"a', 400, 'Parameter invalid [filter] at character 6: the quoted value does not end'],
    [
      'filter=name:"a"b',
      400,
      'Parameter invalid [filter] at character 9: a [,] or the end is expected after a quoted value',
    ],
    [
      'filter=name:a"b',
      400,
      'Parameter invalid [filter] at character 7: a value that contains ["] must stand in quotes',
    ],
    [
      'filter=vat_code[like]:1',
      400,
      'Parameter invalid [filter] at character 1: operator [like] needs a field of datatype varchar or text, [vat_code] is int4',
    ],
    [
      'filter=sort_order[null]:2',
      400,
      'Parameter invalid [filter] at character 1: operator [null] takes 1 or 0',
    ],
    [
      'filter=name[like]:*a*a*a*a*a*a',
      400,
      'Parameter invalid [filter] at character 1: operator [like] takes at most 5 [*]',
    ],
    [
      `filter=name[like]:${'a'.repeat(201)}`,
      400,
      'Parameter invalid [filter] at character 1: operator [like] takes at most 200 characters',
    ],
    ['filter=foo:1', 403, 'Field: [foo] not found in model'],
    ['filter=vat_code:abc', 403, 'Field: [vat_code] has an invalid value: [abc] for datatype: int4'],
    [
      'filter=created_at[gt]:2026-02-30',
      403,
      'Field: [created_at] has an invalid value: [2026-02-30] for datatype: timestamp(ISO 8601)',
    ],
    ['sort=foo', 403, 'Field: [foo] not found in model'],
    ['fields=name,foo', 403, 'Field: [foo] not found in model'],
    ['expand=foo', 403, 'Field: [foo] not found in model'],
    ['page=0', 400, 'Parameter invalid [page] value must be greater than 0'],
    ['page=-1', 400, 'Parameter invalid [page] value must be greater than 0'],
    ['page=x', 400, 'Parameter invalid [page] value must be greater than 0'],
    ['page_size=0', 400, 'Parameter invalid [page_size] value must be between 1 and 1000'],
    ['page_size=1001', 400, 'Parameter invalid [page_size] value must be between 1 and 1000'],
    ['count=2', 400, 'Parameter invalid [count] value must be 0 or 1'],
    ['cursor=abc', 400, 'Parameter invalid [cursor] value is not a cursor of this list'],
    ['cursor=abc&page=1', 400, 'Parameter invalid [cursor] cannot be combined with [page]'],
    ['foo=1', 400, 'Invalid request, query parameter is not supported: [foo]'],
    ['page=1&page=2', 400, 'Invalid request, query parameter is provided more than once: [page]'],
  ];
  for (const [query, status, message] of REFUSED) {
    it(`refuses ${query.slice(0, 60)}`, async () => {
      expect(await client.get(`/turnovergroup?${query}`)).to.be.refused(status, message);
    });
  }

  it('shows the requested fields and the id', async () => {
    expect((await list('fields=name&page_size=1')).data[0]).to.have.all.keys('id', 'name');
  });

  it('pages, counts, and says whether there is another page', async () => {
    const last = await list('page=3&page_size=3&count=1');

    expect(last).to.include({ page: 3, page_size: 3, has_more: false, next: null, total: 7 });
    expect(last.data).to.have.length(1);
  });

  for (const sort of ['', 'name', '-name', 'sort_order', '-sort_order', 'vat_code,-name', '-created_at']) {
    it(`gives the same rows by cursor as in one page, sorted by ${sort || 'id'}`, async () => {
      const query = sort === '' ? '' : `&sort=${sort}`;
      const whole = (await list(`page_size=100${query}`)).data;
      const walked: unknown[] = [];
      for (let next: string | null = ''; next !== null; ) {
        const part: { data: unknown[]; next: string | null } = await list(
          `page_size=2${query}${next === '' ? '' : `&cursor=${next}`}`,
        );
        walked.push(...part.data);
        next = part.next;
      }

      expect(walked).to.deep.equal(whole);
      expect(whole).to.have.length(names.length);
    });
  }

  it('names all wrong parameters', async () => {
    const query =
      'page=0&page_size=0&count=5&fields=a,b&sort=c&expand=d&filter=name[null]:2,vat_code[like]:1';

    const { body } = await client.get(`/turnovergroup?${query}`);

    const of = ({ code, field }: { code: string; field: string }) => [code, field];
    expect(body).to.include({ errorCode: 400, code: 'parameter_invalid' });
    expect(body.errors.map(of)).to.deep.equal([
      ...['page', 'page_size', 'count'].map((field) => ['parameter_invalid', field]),
      ...['a', 'b'].map((field) => ['field_unknown', field]),
      ...['filter', 'filter'].map((field) => ['parameter_invalid', field]),
      ...['c', 'd'].map((field) => ['field_unknown', field]),
    ]);
  });

  it('expands resources that the key may read, and resources without an endpoint', async () => {
    const all = await newClient();
    const vehicle = await build(all, 'vehicle');
    const order = await build(all, 'order', { vehicle_id: vehicle.id });
    const limited = await newClient({ allow: ['GET /order', 'GET /vehicle'], owner: all.garage.owner });

    const refusal = 'Endpoint: [GET /contact] is not allowed for this api_key';
    for (const path of [`/order/${order.id}?`, '/order?']) {
      expect((await limited.get(`${path}expand=vehicle`)).status).to.equal(200);
      expect(await limited.get(`${path}expand=vehicle,contact`)).to.be.refused(403, refusal);
    }
    const history = await limited.get(`/vehicle/${vehicle.id}?expand=licenseplatehistory`);
    expect(history.data.licenseplatehistory).to.be.an('array');
  });

  it('expands children whose name has more than one word', async () => {
    const other = await newClient();
    const group = await build(other, 'turnovergroup');
    const article = await build(other, 'article', { turnover_group_id: group.id });

    const { data } = await other.get(`/turnovergroup/${group.id}?expand=article`);

    expect(data.article.map(({ id }: { id: number }) => id)).to.deep.equal([article.id]);
  });

  it('expands references and children, in lists and for one record', async () => {
    const order = await build(client, 'order');
    const second = await build(client, 'orderline', { order_id: order.id, sort_order: 2 });
    const first = await build(client, 'orderline', { order_id: order.id, sort_order: 1 });
    const loose = await build(client, 'orderline', { order_id: order.id });

    const one = await client.get(`/order/${order.id}?expand=contact,orderline,vehicle&fields=order_number`);
    const many = await client.get('/order?expand=orderline');

    expect(one.data).to.have.all.keys('id', 'order_number', 'contact', 'orderline', 'vehicle');
    expect(one.data.contact.id).to.equal(order.contact_id);
    expect(one.data.vehicle).to.equal(null);
    expect(one.data.orderline.map(({ id }: { id: number }) => id)).to.deep.equal([
      first.id,
      second.id,
      loose.id,
    ]);
    expect(many.data[0].orderline).to.deep.equal(one.data.orderline);
    for (const names of ['contact,vehicle,employee,orderline', 'a,b,c,d', 'contact,contact,contact,contact'])
      expect(await client.get(`/order?expand=${names}`)).to.be.refused(
        400,
        'Parameter invalid [expand] at most 3 names',
      );
  });

  it('expands relations of the same snapshot', async () => {
    const order = await build(client, 'order');
    const line = await build(client, 'orderline', {
      order_id: order.id,
      quantity: 1,
      discount_percentage: 0,
    });
    let over = false;
    const write = async () => {
      for (let price = 1; !over; price += 1)
        await client.put(`/orderline/${line.id}`, { price: (price % 90) + 1 });
    };
    const writing = write();
    const read = async (path: string) => {
      const { data } = await client.get(path);
      return [data].flat().find(({ id }: { id: number }) => id === order.id);
    };

    for (let times = 0; times < 60; times += 1) {
      const one = await read(`/order/${order.id}?expand=orderline`);
      const many = await read('/order?expand=orderline');
      expect(one.total_net).to.equal(one.orderline[0].line_net);
      expect(many.total_net).to.equal(many.orderline[0].line_net);
    }
    over = true;
    await writing;
  });
});
