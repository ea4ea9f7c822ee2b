// An invoiced or cancelled order and its lines refuse changes, except that a cancelled order can be reopened, and that
// an invoice loses its block or leaves the archive.

import { resourceNamed } from '../../../src/core/model/records/registry.ts';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build, sampleBody } from '../../support/build/build.ts';
import { addLine, change, invoiceIt, orderIn, read, saleOf, stockCar } from '../../support/build/order.ts';
import { type Answer, type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';

const { ORDER, IN_PROGRESS, INVOICE, CANCELLED } = LISTS.orderstatuses;

type Attempt = (
  client: Client,
  order: { id: number; orderline: [{ id: number; price: number }] },
) => Promise<Answer>;

const put =
  (body: Json): Attempt =>
  (client, { id }) =>
    client.put(`/order/${id}`, body);

const ATTEMPTS: [string, Attempt][] = [
  ['a change of a field', put({ reference: 'B-2' })],
  ['a change of nothing', (client, { id }) => client.put('/order', { id, is_blocked: 0 })],
  ['a block', put({ is_blocked: 1 })],
  ['an archiving', put({ is_archived: 1 })],
  ['another status', put({ order_status: IN_PROGRESS })],
  ['an unknown field', put({ foo: 1 })],
  ['its deletion', (client, { id }) => client.del(`/order/${id}`)],
  [
    'a new line',
    async (client, { id }) =>
      client.post('/orderline', await sampleBody(client, resourceNamed('orderline'), { order_id: id })),
  ],
  [
    'a change of a line',
    (client, { orderline: [line] }) => client.put(`/orderline/${line.id}`, { price: 1 }),
  ],
  [
    'a line as it is',
    (client, { orderline: [line] }) => client.put(`/orderline/${line.id}`, { price: line.price }),
  ],
  ['the deletion of a line', (client, { orderline: [line] }) => client.del(`/orderline/${line.id}`)],
  [
    'a flat rate',
    async (client, { id }) =>
      client.post(`/order/${id}/flatrate`, { flatrate_id: (await build(client, 'flatrate')).id }),
  ],
];

for (const [status, word] of [
  [INVOICE, 'invoice'],
  [CANCELLED, 'cancelled'],
] as const) {
  describe(`an order in ${word}`, () => {
    let client: Client;
    // biome-ignore lint/suspicious/noExplicitAny: a record as it is answered
    let order: any;
    before(async () => {
      client = await newClient();
      order = await orderIn(client, status);
    });

    for (const [what, attempt] of ATTEMPTS) {
      it(`refuses ${what}`, async () => {
        const answer = await attempt(client, order);

        expect(answer).to.be.refused(409, `[order] is [${word}], cannot add/update/delete`);
        expect(await read(client, order.id)).to.deep.equal(order);
      });
    }
  });
}

describe('a cancelled order', () => {
  for (const state of ['is_blocked', 'is_archived']) {
    it(`can be reopened after ${state} is lifted, in a request of its own`, async () => {
      const client = await newClient();
      const { id } = await orderIn(client, ORDER);
      expect((await client.put(`/order/${id}`, { order_status: CANCELLED, [state]: 1 })).status).to.equal(
        200,
      );

      expect((await client.put(`/order/${id}`, { order_status: ORDER })).status).to.equal(409);
      expect((await client.put(`/order/${id}`, { order_status: ORDER, [state]: 0 })).status).to.equal(409);
      expect((await client.put(`/order/${id}`, { [state]: 0 })).status).to.equal(200);
      expect((await client.put(`/order/${id}`, { order_status: ORDER })).status).to.equal(200);
    });
  }

  it('can be reopened, and then changes like any other', async () => {
    const client = await newClient();
    const { id, orderline } = await orderIn(client, CANCELLED);

    expect((await client.put(`/order/${id}`, { id, order_status: ORDER })).data.order_status).to.equal(ORDER);

    expect((await client.put(`/order/${id}`, { reference: 'B-2' })).status).to.equal(200);
    expect((await addLine(client, id)).order_id).to.equal(id);
    expect((await client.del(`/orderline/${orderline[0].id}`)).status).to.equal(200);
  });
});

describe('a blocked and archived invoice', () => {
  let client: Client;
  beforeEach(async () => {
    client = await newClient();
  });

  const INVOICES: [string, () => Promise<number>][] = [
    ['of work', async () => (await orderIn(client, ORDER)).id],
    ['of a car', async () => (await saleOf(client, (await stockCar(client)).id)).id],
    ['of a deposit', async () => (await deposit((await orderIn(client, ORDER)).id)).id],
  ];
  const deposit = async (order_id: number) =>
    (await client.post('/order/deposit', { order_id, amount: 50 })).data;
  const whole = async (id: number) => (await client.get(`/order/${id}?expand=orderline,invoiceparty`)).data;
  const makeFrozen = (id: number) =>
    change(client, id, { order_status: INVOICE, is_blocked: 1, is_archived: 1 });

  for (const [what, make] of INVOICES)
    it(`${what} loses its block and leaves the archive, and stays the invoice that it was`, async () => {
      const id = await make();
      await makeFrozen(id);
      const invoice = await whole(id);

      const refused = await client.put(`/order/${id}`, { is_archived: 0 });
      await change(client, id, { is_blocked: 0 });
      const archived = await client.put(`/order/${id}`, { is_archived: 0, reference: 'x' });
      await change(client, id, { is_archived: 0 });

      const { modified_at } = await whole(id);
      expect(refused).to.be.refused(
        409,
        'This is a blocked record, fields cannot be changed, only update: is_blocked',
      );
      expect(archived).to.be.refused(
        409,
        'This is an archived record, fields cannot be changed, only update: is_archived',
      );
      expect(await whole(id)).to.deep.equal({ ...invoice, is_blocked: 0, is_archived: 0, modified_at });
      expect(await client.put(`/order/${id}`, { is_archived: 1 })).to.be.refused(
        409,
        '[order] is [invoice], cannot add/update/delete',
      );
    });

  it('of a deposit does so after the invoice of its order too', async () => {
    const order = await orderIn(client, ORDER);
    const { id } = await deposit(order.id);
    await makeFrozen(id);
    expect((await invoiceIt(client, order.id)).status).to.equal(200);

    expect(await change(client, id, { is_blocked: 0 })).to.include({ is_blocked: 0, is_archived: 1 });
    expect(await change(client, id, { is_archived: 0 })).to.include({ is_archived: 0 });
  });
});
