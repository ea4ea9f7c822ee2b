// How many statements a request sends to the database, COMMIT included: on a database that is a millisecond away each
// of them is a millisecond of the user's.
import { LISTS } from '../../src/core/trade/lists.ts';
import { build } from '../support/build/build.ts';
import { buildWorkshop } from '../support/build/workshop.ts';
import { type Client, newClient } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { expectStatements } from '../support/database/statements.ts';
import { PASSWORD } from '../support/service/service.ts';

const LINE = { line_kind: 1, description: 'Olie', quantity: 2, price: 10, vat_code: LISTS.vatcodes.HIGH };

describe('statements of a request', () => {
  let client: Client;
  let contact_id: number;
  before(async () => {
    client = await newClient();
    contact_id = (await build(client, 'contact')).id;
  });

  const expectAtMost = (
    most: number,
    request: (turn: number) => Promise<{ status: number; text: string }>,
    caller = client,
  ) =>
    expectStatements(caller, most, async (turn) => {
      const { status, text } = await request(turn);
      expect(status, text).to.be.lessThan(300);
    });

  const order = (lines: number) => ({
    order_type: LISTS.ordertypes.WORKSHOP,
    order_date: '2026-05-01',
    contact_id,
    orderline: Array.from({ length: lines }, (_, index) => ({ ...LINE, sort_order: index })),
  });

  it('adds an order with ten lines', async () => {
    await expectAtMost(7, () => client.post('/order', order(10)));
  });

  it('adds a flat rate with lines of one article', async () => {
    const { id: article_id } = await build(client, 'article', { article_number: 'OIL' });
    const flatrateline = [1, 2, 3].map((sort_order) => ({ article_id, article_number: 'OIL', sort_order }));

    await expectAtMost(8, (turn) =>
      client.post('/flatrate', { code: `F${turn}`, name: 'Beurt', flatrateline }),
    );
  });

  it('changes a line', async () => {
    const { data } = await client.post('/order', order(3));

    await expectAtMost(5, (turn) => client.put(`/orderline/${data.orderline[1].id}`, { quantity: 3 + turn }));
  });

  it('reads one record', async () => {
    const { data } = await client.post('/order', order(1));

    await expectAtMost(1, () => client.get(`/order/${data.id}`));
  });

  it('reads 100 orders with their lines', async () => {
    const garage = await newClient();
    const buyer = await build(garage, 'contact');
    for (let count = 0; count < 100; count += 1)
      await build(garage, 'order', { ...order(3), contact_id: buyer.id });

    await expectAtMost(4, () => garage.get('/order?page_size=100&expand=orderline'), garage);
    await expectAtMost(4, () => garage.get('/order?page_size=100&expand=contact'), garage);
  });

  it('books an employee and a workplace', async () => {
    const booked = await buildWorkshop(client);
    const { id } = await build(client, 'order', { contact_id });

    await expectAtMost(9, (turn) => {
      const day = `2026-05-${String(turn + 1).padStart(2, '0')}`;
      return client.post('/appointment', {
        ...booked,
        order_id: id,
        starts_at: `${day}T10:00:00.000Z`,
        ends_at: `${day}T10:30:00.000Z`,
      });
    });
  });

  it('logs in', async () => {
    const { username, apiKey } = client.garage;

    await expectAtMost(5, () =>
      client.post('/authenticate', { api_key: apiKey, username, password: PASSWORD }),
    );
  });
});
