// Orders whose prices include VAT: the buyer pays the agreed price, and the lines add up.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { toCents } from '../../support/books/journal.ts';
import { build, buildBuyer } from '../../support/build/build.ts';
import { addLine, invoiceIt, read } from '../../support/build/order.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';

const { HIGH, LOW } = LISTS.vatcodes;
const { WORKSHOP, INTERNAL_REVERSAL } = LISTS.ordertypes;

const FIXED = 'Cannot update [is_vat_included]';

describe('prices with VAT', () => {
  let client: Client;
  before(async () => {
    client = await newClient();
  });

  const order = (body: Json = {}) => build(client, 'order', { is_vat_included: 1, ...body });
  const amounts = ({ line_net, line_vat, line_gross }: Json) => [line_net, line_vat, line_gross];
  const totals = ({ total_net, total_vat, total_gross }: Json) => [total_net, total_vat, total_gross];

  it('are what the buyer pays, to the cent', async () => {
    const { id } = await order();

    const line = await addLine(client, id, { price: 249 });

    expect(amounts(line)).to.deep.equal([205.79, 43.21, 249]);
    expect(totals(await read(client, id))).to.deep.equal([205.79, 43.21, 249]);
  });

  it('round VAT once for all lines of a VAT code, and have nets that add up', async () => {
    const { id } = await order();
    // 3 × 0.05 = 0.15 with 21 %: 0.03 VAT, so one line of 0.05 has 0.01 and a net of 0.04.
    for (const _ of [1, 2, 3]) await addLine(client, id, { price: 0.05 });
    await addLine(client, id, { price: 1.09, vat_code: LOW });

    const read1 = await read(client, id);

    expect(read1.orderline.map(amounts)).to.deep.equal([
      [0.04, 0.01, 0.05],
      [0.04, 0.01, 0.05],
      [0.04, 0.01, 0.05],
      [1, 0.09, 1.09],
    ]);
    expect(totals(read1)).to.deep.equal([1.12, 0.12, 1.24]);
  });

  it('are settled again in all lines when a line is changed or deleted', async () => {
    const { id } = await order();
    const [first, second] = [
      await addLine(client, id, { price: 0.02 }),
      await addLine(client, id, { price: 0.02 }),
    ];
    // 0.04 with 21 %: 0.01 VAT and 0.03 net. The first line has 0.02 of the net.
    expect((await read(client, id)).orderline.map(amounts)).to.deep.equal([
      [0.02, 0, 0.02],
      [0.01, 0.01, 0.02],
    ]);

    const changed = await client.put(`/orderline/${first.id}`, { quantity: 10 });
    expect(changed.data.line_gross).to.equal(0.2);
    expect((await client.del(`/orderline/${second.id}`)).status).to.equal(200);

    const { orderline, ...rest } = await read(client, id);
    expect(orderline.map(amounts)).to.deep.equal([[0.17, 0.03, 0.2]]);
    expect(totals(rest)).to.deep.equal([0.17, 0.03, 0.2]);
  });

  it('are accepted in one request for an order and its lines', async () => {
    const { id: contact_id } = await buildBuyer(client);
    const line = { line_kind: 1, description: 'Banden', quantity: 4, price: 62.25, vat_code: HIGH };

    const { status, data, text } = await client.post('/order', {
      ...{ order_type: WORKSHOP, order_date: '2026-05-01', contact_id, is_vat_included: 1 },
      orderline: [line, { ...line, quantity: 1, price: 0.01 }],
    });

    expect(status, text).to.equal(201);
    // 249.01 with 21 %: 43.2166 VAT. The cent of the net goes to the line with the larger remainder, 0.826 of a cent.
    expect(totals(data)).to.deep.equal([205.79, 43.22, 249.01]);
    expect(data.orderline.map(amounts)).to.deep.equal([
      [205.78, 43.22, 249],
      [0.01, 0, 0.01],
    ]);
  });

  it('are fixed once the order has a line', async () => {
    const { id } = await order();
    expect((await client.put(`/order/${id}`, { is_vat_included: 0 })).status).to.equal(200);
    await addLine(client, id);

    expect(await client.put(`/order/${id}`, { is_vat_included: 1 })).to.be.refused(409, FIXED);
    expect((await client.put(`/order/${id}`, { is_vat_included: 0 })).status).to.equal(200);
  });

  it('are the same on an invoice and its credit note', async () => {
    const { id: contact_id } = await buildBuyer(client);
    const { id: credited_order_id } = await order({ contact_id });
    await addLine(client, credited_order_id, { price: 249 });
    expect((await invoiceIt(client, credited_order_id)).status).to.equal(200);

    const credit = await build(client, 'order', {
      ...{ order_type: INTERNAL_REVERSAL, contact_id, credited_order_id, is_vat_included: 0 },
    });
    await addLine(client, credit.id, { price: 249, quantity: -1 });

    expect(credit.is_vat_included).to.equal(1);
    const { id } = await build(client, 'order', {
      ...{ order_type: INTERNAL_REVERSAL, contact_id, credited_order_id },
    });
    expect(await client.put(`/order/${id}`, { is_vat_included: 0 })).to.be.refused(409, FIXED);
    expect(totals(await read(client, credit.id))).to.deep.equal([-205.79, -43.21, -249]);
  });

  describe('are taken back by credit notes made by hand', () => {
    let contact_id: number;
    before(async () => {
      contact_id = (await buildBuyer(client)).id;
    });
    const sale = async (...prices: number[]) => {
      const { id } = await order({ contact_id });
      for (const price of prices) await addLine(client, id, { price });
      expect((await invoiceIt(client, id)).status).to.equal(200);
      return id;
    };
    const credit = async (credited_order_id: number, price: number) => {
      const { id } = await build(client, 'order', {
        ...{ order_type: INTERNAL_REVERSAL, contact_id, credited_order_id },
      });
      await addLine(client, id, { price, quantity: -1 });
      const { status, text } = await invoiceIt(client, id);
      expect(status, text).to.equal(200);
      const { orderline, ...note } = await read(client, id);
      expect(orderline.map(amounts)).to.deep.equal([totals(note)]);
      return totals(note);
    };

    it('to exactly 0, in net and VAT too', async () => {
      // 51.20 has a net of 42.31, but 25.60 has 21.16.
      const twice = await sale(25.6, 25.6);
      expect(await credit(twice, 25.6)).to.deep.equal([-21.16, -4.44, -25.6]);
      expect(await credit(twice, 25.6)).to.deep.equal([-21.15, -4.45, -25.6]);
      // 249.00 has a net of 205.79, but 10.00 has 8.26 and 239.00 has 197.52.
      const once = await sale(249);
      expect(await credit(once, 10)).to.deep.equal([-8.26, -1.74, -10]);
      expect(await credit(once, 239)).to.deep.equal([-197.53, -41.47, -239]);
    });

    it('by no more than their lines say', async () => {
      // 121.02 has the net of 121.03.
      expect(await credit(await sale(121.03), 121.02)).to.deep.equal([-100.02, -21, -121.02]);
    });
  });

  it('add up after simultaneous requests', async () => {
    const { id } = await order();

    await Promise.all([0.05, 0.07, 12.49, 249, 3.33, 0.01].map((price) => addLine(client, id, { price })));

    const { orderline, total_net, total_gross } = await read(client, id);
    const sum = (field: string) =>
      orderline.reduce((total: number, line: Json) => total + toCents(line[field]), 0);
    expect([sum('line_net'), sum('line_gross')]).to.deep.equal([toCents(total_net), toCents(total_gross)]);
    expect(total_gross).to.equal(264.95);
  });
});
