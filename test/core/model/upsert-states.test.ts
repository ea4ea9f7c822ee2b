// An upsert of a parent whose state changes, or binds its children.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build, buildBuyer } from '../../support/build/build.ts';
import { stockCar } from '../../support/build/order.ts';
import { buildWorkshop, time } from '../../support/build/workshop.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';

const { INVOICE, CANCELLED, ORDER } = LISTS.orderstatuses;
const line = (external_id: string, more: Json = {}): Json => ({
  external_id,
  line_kind: 1,
  description: 'Olie',
  quantity: 2,
  price: 10,
  vat_code: LISTS.vatcodes.HIGH,
  ...more,
});

let keys = 0;

/** Upserts of one new order. */
const upserts = (client: Client) => {
  keys += 1;
  const path = `/order?external_id=T-${keys}`;
  return (body: Json) => client.put(path, body);
};

describe('an upsert of a parent in a state', () => {
  let client: Client;
  let contact_id: number;
  before(async () => {
    client = await newClient();
    contact_id = (await buildBuyer(client)).id;
  });
  const whole = (more: Json): Json => ({ order_type: 1, order_date: '2026-05-01', contact_id, ...more });
  const ok = async (answer: Promise<{ status: number; text: string; data: Json }>) => {
    const { status, text, data } = await answer;
    expect(status, text).to.be.lessThan(300);
    // biome-ignore lint/suspicious/noExplicitAny: records are read by name
    return data as any;
  };

  it('makes the lines of its body part of the invoice, and then changes appointments only', async () => {
    const booked = await buildWorkshop(client);
    const visit = { external_id: 'v-1', ...booked, ...time('16:00', '17:00') };
    const order = upserts(client);
    await ok(order(whole({ orderline: [line('i-1')] })));

    const invoice = await ok(
      order({ order_status: INVOICE, orderline: [line('i-2'), line('i-1', { price: 5 })] }),
    );
    const frozen = await order({ orderline: [line('i-1', { price: 6 })], appointment: [visit] });
    const visited = await ok(order({ appointment: [visit] }));

    expect(invoice).to.include({ is_invoiced: 1, total_net: 30, amount_open: 36.3 });
    expect(invoice.orderline.map(({ price }: Json) => price)).to.deep.equal([5, 10]);
    expect(frozen).to.be.refused(409, '[order] is [invoice], cannot add/update/delete');
    expect(visited.appointment).to.have.length(1);
    expect(visited.total_net).to.equal(30);
  });

  it('names the unknown references of the invoice that it makes together with those of its lines', async () => {
    const order = upserts(client);
    await ok(order(whole({})));
    const unknown = 2_147_483_647;

    const refused = await order({
      order_status: INVOICE,
      invoice_contact_id: unknown,
      orderline: [line('u-1', { article_id: unknown })],
    });

    expect(refused.status).to.equal(404);
    expect(refused.body.errors.map(({ field }: Json) => field)).to.have.members([
      'invoice_contact_id',
      'orderline[0].article_id',
    ]);
  });

  it('gives a new appointment the contact and vehicle of the invoice that it makes', async () => {
    const [buyer, vehicle] = [await buildBuyer(client), await build(client, 'vehicle')];
    const visit = { external_id: 'v-2', ...(await buildWorkshop(client)), ...time('16:00', '17:00') };
    const order = upserts(client);
    await ok(order(whole({})));

    const { appointment } = await ok(
      order({
        contact_id: buyer.id,
        vehicle_id: vehicle.id,
        order_status: INVOICE,
        orderline: [line('l-1')],
        appointment: [visit],
      }),
    );

    expect(appointment[0]).to.include({ contact_id: buyer.id, vehicle_id: vehicle.id });
  });

  it('changes the lines of an order that it reopens', async () => {
    const order = upserts(client);
    await ok(order(whole({ orderline: [line('o-1')] })));
    await ok(order({ order_status: CANCELLED, orderline: [line('o-1', { price: 1 })] }));

    const closed = await order({ orderline: [line('o-1')] });
    const open = await ok(order({ order_status: ORDER, orderline: [line('o-1', { price: 7 })] }));

    expect(closed).to.be.refused(409, '[order] is [cancelled], cannot add/update/delete');
    expect(open).to.include({ order_status: ORDER, total_net: 14 });
  });

  it('changes only is_blocked of a blocked child', async () => {
    const order = upserts(client);
    const { orderline } = await ok(
      order(whole({ orderline: [line('x-1', { is_blocked: 1 }), line('x-2')] })),
    );

    const refused = await order({ orderline: [line('x-2'), line('x-1')] });
    const named = await order({ orderline: [{ external_id: 'x-1' }, line('x-2', { price: 1 })] });
    const opened = await order({ orderline: [{ external_id: 'x-1', is_blocked: 0 }] });

    const text = 'This is a blocked record, fields cannot be changed, only update: is_blocked';
    expect(refused).to.be.refused(409, text);
    expect(refused.body.errors).to.deep.equal([
      {
        code: 'record_blocked',
        message: text,
        field: 'orderline[1]',
        resource: 'orderline',
        id: orderline[0].id,
      },
    ]);
    expect([named.status, opened.status]).to.deep.equal([200, 200]);
  });

  it('changes lines that the change of the order has written before', async () => {
    const [first, second] = [await stockCar(client), await stockCar(client, { purchase_price: 7_000 })];
    const car = { line_kind: LISTS.linekinds.VEHICLE, vat_code: LISTS.vatcodes.MARGIN, quantity: 1 };
    const sale = (vehicle_id: number) => whole({ order_type: LISTS.ordertypes.VEHICLE_SALES, vehicle_id });
    const lines = (price: number) => [line('car-1', { ...car, price })];
    const order = upserts(client);
    const before = await ok(order({ ...sale(first.id), orderline: lines(10_950) }));

    const after = await ok(
      order({ vehicle_id: second.id, orderline: [{ external_id: 'car-1', price: 10_000 }] }),
    );

    const [was, is] = [before.orderline[0], after.orderline[0]];
    const { headers } = await client.get(`/orderline/${is.id}`);
    expect([was.margin_vat, was.purchase_price]).to.deep.equal([425.21, 8_500]);
    expect([is.margin_vat, is.purchase_price, is.line_net]).to.deep.equal([520.66, 7_000, 10_000]);
    expect(after.total_gross).to.equal(10_000);
    expect(Number(headers.get('etag')?.slice(1, -1))).to.be.above(2);
  });

  it('is named where its state refuses the POST of a child', async () => {
    const order = upserts(client);
    const { id } = await ok(order(whole({ orderline: [line('n-1')] })));
    const post = () => client.post('/orderline', { ...line('n-2'), order_id: id });

    await client.put(`/order/${id}`, { is_blocked: 1 });
    const blocked = await post();
    await client.put(`/order/${id}`, { is_blocked: 0 });
    await client.put(`/order/${id}`, { order_status: CANCELLED });
    const cancelled = await post();
    const own = await client.put(`/order/${id}`, { reference: 'x' });

    for (const { body } of [blocked, cancelled]) expect(body.errors[0]).to.include({ resource: 'order', id });
    expect([blocked, cancelled].map(({ body }) => body.code)).to.deep.equal([
      'record_blocked',
      'record_frozen',
    ]);
    expect(own.body.errors[0]).to.not.have.any.keys('resource', 'id');
  });
});
