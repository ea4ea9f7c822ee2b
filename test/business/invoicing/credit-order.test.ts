// POST /order/credit makes the credit note of an invoice, and an invoice and its credit notes end at 0.
import fc from 'fast-check';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { toCents } from '../../support/books/journal.ts';
import { build, buildBuyer } from '../../support/build/build.ts';
import { addLine, invoiceIt, orderIn, read } from '../../support/build/order.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { invalid } from '../../support/client/message.ts';
import { AT_ONCE, atOnce } from '../../support/database/at-once.ts';

const { HIGH, LOW, ZERO, MARGIN, OUTSIDE } = LISTS.vatcodes;
const { ORDER, CANCELLED } = LISTS.orderstatuses;
const { OFFSET, PIN } = LISTS.paymentmethods;
const EXCEEDS = 'credit exceeds the invoice';

const AMOUNTS = ['line_net', 'line_vat', 'line_gross', 'margin_vat'];
/** In cents. */
const sumOf = (rows: readonly Json[], amount: string) =>
  rows.reduce((sum, row) => sum + toCents(row[amount]), 0);

const decimal = (least: number, most: number, places: number) =>
  fc.integer({ min: least * 10 ** places, max: most * 10 ** places }).map((units) => units / 10 ** places);
const ANY_LINE = fc.record({
  quantity: fc.oneof(
    decimal(1, 9, 0),
    decimal(0, 9, 2).map((quantity) => quantity + 0.01),
  ),
  price: decimal(0, 900, 2).map((price) => price + 0.01),
  discount_percentage: fc.constantFrom(0, 5, 33.3333),
  vat_code: fc.constantFrom(HIGH, HIGH, LOW, ZERO, OUTSIDE, MARGIN),
  purchase_price: fc.constantFrom(0, 12.34),
});
const SAMPLES = fc.sample(
  fc.tuple(fc.constantFrom(0, 1), fc.array(ANY_LINE, { minLength: 1, maxLength: 6 })),
  {
    numRuns: 12,
    seed: 7,
  },
);

describe('POST /order/credit', () => {
  let client: Client;
  let contact_id: number;
  beforeEach(async () => {
    client = await newClient();
    contact_id = (await buildBuyer(client)).id;
  });

  /** An invoice with these lines. */
  async function sale(lines: readonly Json[], more: Json = {}) {
    const { id } = await build(client, 'order', {
      contact_id,
      reference: 'B-1',
      buyer_reference: 'K-2',
      ...more,
    });
    for (const line of lines) await addLine(client, id, line);
    const answer = await invoiceIt(client, id);
    expect(answer.status, answer.text).to.equal(200);
    return read(client, id);
  }
  const credit = (body: Json) => client.post('/order/credit', body);

  it('takes back a whole invoice, with its texts', async () => {
    const invoice = await sale([{ price: 100 }, { quantity: -1, price: 10, vat_code: LOW }]);

    const { status, data, headers } = await credit({ order_id: invoice.id });

    expect(status).to.equal(201);
    expect(headers.get('location')).to.match(new RegExp(`/order/${data.id}$`));
    expect(data).to.include({ order_type: 4, credited_order_id: invoice.id, is_invoiced: 0, contact_id });
    expect(data).to.include({ reference: 'B-1', buyer_reference: 'K-2', total_gross: -invoice.total_gross });
    expect(
      data.orderline.map(({ quantity, credited_line_id }: Json) => [quantity, credited_line_id]),
    ).to.deep.equal(invoice.orderline.map(({ id }: Json, index: number) => [index === 0 ? -1 : 1, id]));
  });

  it('is invoiced and settled in the same request if the body says so', async () => {
    const invoice = await sale([{ price: 100 }]);

    const { data } = await credit({ order_id: invoice.id, is_invoiced: 1 });

    expect(data).to.include({ is_invoiced: 1, amount_open: 0 });
    expect((await read(client, invoice.id)).amount_open).to.equal(0);
    const { data: payments } = await client.get('/payment?sort=id');
    expect(payments.map(({ order_id, amount, method }: Json) => [order_id, amount, method])).to.deep.equal([
      [invoice.id, 121, OFFSET],
      [data.id, -121, OFFSET],
    ]);
  });

  it('settles the open amount; the rest of the credit is to be refunded', async () => {
    const invoice = await sale([{ price: 100 }]);
    await build(client, 'payment', { order_id: invoice.id, amount: 100, method: PIN });

    const { data } = await credit({ order_id: invoice.id, is_invoiced: 1 });

    expect(data.amount_open).to.equal(-100);
    expect((await read(client, invoice.id)).amount_open).to.equal(0);
  });

  it("makes payments that requests can't make, change or delete", async () => {
    const invoice = await sale([{ price: 100 }]);
    await credit({ order_id: invoice.id, is_invoiced: 1 });
    const { data: payments } = await client.get('/payment');
    const other = await sale([{ price: 100 }]);
    const fixed = 'Cannot update [method]';

    expect(await client.put(`/payment/${payments[0].id}`, { reference: 'x' })).to.be.refused(409, fixed);
    expect(await client.del(`/payment/${payments[0].id}`)).to.be.refused(409, fixed);
    expect(
      await client.post('/payment', { order_id: other.id, amount: 1, paid_at: '2026-05-01', method: OFFSET }),
    ).to.be.refused(403, invalid('method', OFFSET, 'paymentmethods'));
  });

  it('takes the named lines, and never more than the invoice has', async () => {
    const invoice = await sale([{ quantity: 4, price: 25 }, { price: 10 }]);
    const [tyres] = invoice.orderline;

    const first = await credit({ order_id: invoice.id, orderline: [{ id: tyres.id, quantity: 3 }] });
    const more = { order_id: invoice.id, orderline: [{ id: tyres.id, quantity: 1.5 }] };

    expect(first.data).to.include({ total_net: -75, total_gross: -90.75 });
    expect(await credit(more)).to.be.refused(403, invalid('orderline[0].quantity', 1.5, EXCEEDS));
    const rest = await credit({ order_id: invoice.id });
    expect(rest.data.orderline.map(({ quantity }: Json) => quantity)).to.deep.equal([-1, -1]);
    expect(await credit({ order_id: invoice.id })).to.be.refused(
      403,
      invalid('order_id', invoice.id, EXCEEDS),
    );
  });

  it('has the amount of another price, and of the first price again what is left', async () => {
    const invoice = await sale([
      { quantity: 4, price: 33.335 },
      { price: 40, vat_code: LOW },
    ]);
    await credit({ order_id: invoice.id, orderline: [{ id: invoice.orderline[0].id, quantity: 1 }] });
    const note = (await credit({ order_id: invoice.id })).data;
    const put = async (body: Json) => (await client.put(`/orderline/${note.orderline[0].id}`, body)).data;

    expect(await put({ price: 30, discount_percentage: 10 })).to.include({
      line_net: -81,
      line_gross: -98.01,
    });
    expect(await read(client, note.id)).to.include({ total_net: -121, total_gross: -141.61 });
    expect(await put({ vat_code: ZERO })).to.include({ line_net: -81, line_vat: 0, line_gross: -81 });
    const first = { price: 33.335, discount_percentage: 0, vat_code: HIGH };
    expect(await put(first)).to.include({ line_net: -100 });
    await put({ price: 30 });
    expect((await invoiceIt(client, note.id)).data).to.include({ total_net: -130, total_gross: -152.5 });
  });

  it('refuses orders that are no invoices, foreign lines and wrong quantities', async () => {
    const order = await orderIn(client, ORDER, { contact_id });
    const invoice = await sale([{ price: 100 }]);
    const [line] = invoice.orderline;
    const of = (orderline: Json[]) => ({ order_id: invoice.id, orderline });
    const half = { id: line.id, quantity: 0.5 };

    for (const [body, status, text] of [
      [{ order_id: order.id }, 403, invalid('order_id', order.id, 'invoiced order')],
      [{ order_id: 999999999 }, 404, 'Field: [order_id] value: [999999999] ID not found'],
      [of([]), 403, 'Field: [orderline] minimum 1 element is required in array'],
      [of([{ id: line.id, quantity: 0 }]), 403, invalid('orderline[0].quantity', 0, '>0')],
      [of([{ id: 1, quantity: 1 }]), 404, 'Field: [orderline[0].id] value: [1] ID not found'],
      [of([{ quantity: 1 }]), 403, 'Field: [orderline[0].id] is required and not supplied in request'],
      [of([half, half]), 403, invalid('orderline[1].quantity', 0.5, EXCEEDS)],
    ] as [Json, number, string][])
      expect(await credit(body)).to.be.refused(status, text);
  });

  it('names all wrong fields, and then all that are missing', async () => {
    const messages = async (body: Json) =>
      (await credit(body)).body.errors.map(({ message }: Json) => message);
    const isMissing = (field: string) => `Field: [${field}] is required and not supplied in request`;

    const wrong = await messages({ orderline: [{ id: 'x' }, { quantity: 'y' }], is_invoiced: 2 });
    const missing = await messages({ orderline: [{ id: 1 }, { quantity: 1 }] });

    expect(wrong).to.deep.equal([
      'Field: [orderline[0].id] has an invalid value: [x] for datatype: int4',
      'Field: [orderline[1].quantity] has an invalid value: [y] for datatype: float8',
      invalid('is_invoiced', 2, '0,1'),
    ]);
    expect(missing).to.deep.equal(['order_id', 'orderline[0].quantity', 'orderline[1].id'].map(isMissing));
  });

  it('takes each piece only once for simultaneous requests', async () => {
    const invoice = await sale([{ price: 100 }]);

    const answers = await atOnce(client, ['order', invoice.id], () =>
      credit({ order_id: invoice.id, is_invoiced: 1 }),
    );

    expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, ...Array(AT_ONCE - 1).fill(403)]);
    expect((await read(client, invoice.id)).amount_open).to.equal(0);
  });

  it('takes no piece twice by a credit note that was cancelled meanwhile', async () => {
    const invoice = await sale([{ price: 100 }, { price: 300 }]);
    const [line] = invoice.orderline;
    const part = { order_id: invoice.id, orderline: [{ id: line.id, quantity: 1 }] };
    const late = (await credit(part)).data;
    await client.put(`/order/${late.id}`, { order_status: CANCELLED });
    expect((await credit({ ...part, is_invoiced: 1 })).status).to.equal(201);
    await client.put(`/order/${late.id}`, { order_status: ORDER });

    const again = await invoiceIt(client, late.id);

    expect(again).to.be.refused(403, invalid('total_gross', -121, EXCEEDS));
    expect((await read(client, invoice.id)).amount_open).to.equal(363);
  });

  it('needs the permission for POST /order, and does not find invoices of another garage', async () => {
    const invoice = await sale([{ price: 100 }]);
    const narrow = await newClient({ owner: client.garage.owner, allow: ['POST /order', 'GET /order'] });
    const other = await newClient();

    expect((await narrow.post('/order/credit', { order_id: invoice.id })).status).to.equal(201);
    expect((await other.post('/order/credit', { order_id: invoice.id })).status).to.equal(404);
  });

  it('ends at exactly 0 for any invoice, credited in any parts', async function () {
    this.timeout(120_000);
    for (const [is_vat_included, sold] of SAMPLES) {
      const invoice = await sale(sold, { is_vat_included });
      const [first] = invoice.orderline;
      const half = Math.round(Number(first.quantity) * 5_000) / 10_000;
      const part = { order_id: invoice.id, orderline: [{ id: first.id, quantity: half }], is_invoiced: 1 };
      const credits = [
        ...(half > 0 ? [await credit(part)] : []),
        await credit({ order_id: invoice.id, is_invoiced: 1 }),
      ];

      for (const { status, text } of credits) expect(status, text).to.equal(201);
      const all = [invoice, ...(await Promise.all(credits.map(({ data }) => read(client, data.id))))];
      for (const total of ['total_net', 'total_vat', 'total_gross'])
        expect(sumOf(all, total), total).to.equal(0);
      const lines = all.flatMap(({ orderline }) => orderline);
      for (const { id } of invoice.orderline) {
        const own = lines.filter((one) => one.id === id || one.credited_line_id === id);
        for (const amount of AMOUNTS) expect(sumOf(own, amount), amount).to.equal(0);
      }
      expect((await read(client, invoice.id)).amount_open).to.equal(0);
    }
  });
});
