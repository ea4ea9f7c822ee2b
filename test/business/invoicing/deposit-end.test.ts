// Deposits that end: by a credit note, or with their order.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build, buildBuyer } from '../../support/build/build.ts';
import { addLine, change, invoiceIt, read } from '../../support/build/order.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { invalid } from '../../support/client/message.ts';
import { depositing } from './depositing.ts';

const { ORDER, READY, INVOICE, CANCELLED } = LISTS.orderstatuses;
const { INTERNAL_REVERSAL, VEHICLE_SALES } = LISTS.ordertypes;
const { VEHICLE, FEE } = LISTS.linekinds;
const { STOCK, SOLD } = LISTS.stockstatuses;
const IN_USE = 'Field: [id] in use at: [order]';

describe('deposits', () => {
  let client: Client;
  let contact_id: number;
  beforeEach(async () => {
    client = await newClient();
    contact_id = (await buildBuyer(client)).id;
  });

  const scene = depositing(
    () => client,
    () => contact_id,
  );
  const { orderOf, deposit, invoiced, paidDeposit, credit, statusOf } = scene;

  describe('and credit notes', () => {
    it('take back the invoice of the order with its lines below 0', async () => {
      const target = await orderOf([{ price: 100 }]);
      await paidDeposit(target.id, 50);
      const final = await invoiced(target.id);

      const { data } = await credit(target.id);

      expect(data.orderline.map((line: Json) => [line.quantity, line.line_gross])).to.deep.equal([
        [-1, -121],
        [1, 50],
      ]);
      expect(data).to.include({ total_gross: -final.total_gross, amount_open: 0 });
    });

    for (const [language, words] of [
      ['nl', 'Bij: aanbetaling, factuur'],
      ['en', 'Plus: deposit, invoice'],
    ])
      it(`say in ${language} that they add the deposit again`, async () => {
        const contact_id = (await buildBuyer(client, { language })).id;
        const target = await orderOf([{ price: 100 }], { contact_id });
        const { invoice_number } = await paidDeposit(target.id, 50);
        await invoiced(target.id);

        const { data } = await credit(target.id);

        const [, line] = data.orderline;
        expect(line).to.include({ line_gross: 50, description: `${words} ${invoice_number}` });
      });

    it('take back a deposit only if no invoice has deducted it', async () => {
      const target = await orderOf([{ price: 100 }]);
      const { id, orderline } = await paidDeposit(target.id, 50);
      const half = [{ id: orderline[0].id, quantity: 0.5 }];
      const early = await client.post('/order/credit', { order_id: id, orderline: half });
      await invoiced(target.id);
      const exceeds = 'credit exceeds the invoice';

      expect(await credit(id)).to.be.refused(403, invalid('order_id', id, exceeds));
      expect(await invoiceIt(client, early.data.id)).to.be.refused(403, invalid('total_gross', -25, exceeds));

      expect((await credit(target.id)).status).to.equal(201);
      expect((await invoiceIt(client, early.data.id)).status).to.equal(200);
      expect((await credit(id)).status).to.equal(201);
      expect((await read(client, id)).amount_open).to.equal(0);
    });
  });

  it('are taken back after a note by hand of the whole rest', async () => {
    const target = await orderOf([{ price: 1000 }]);
    const { id } = await paidDeposit(target.id, 500);
    await invoiced(target.id);
    const note = await build(client, 'order', {
      ...{ contact_id, order_type: INTERNAL_REVERSAL, credited_order_id: target.id },
    });
    await addLine(client, note.id, { quantity: -1, price: 586.78 });

    expect(await invoiced(note.id)).to.include({ total_gross: -710 });
    expect((await credit(id)).data).to.include({ total_gross: -500 });
  });

  it('worth as much as the car leave the car sold when a fee is taken back', async () => {
    const car = await build(client, 'vehicle', { stock_status: STOCK });
    const target = await orderOf(
      [
        { line_kind: VEHICLE, vehicle_id: car.id, price: 20_000 },
        { line_kind: FEE, price: 100 },
      ],
      { order_type: VEHICLE_SALES, vehicle_id: car.id },
    );
    await paidDeposit(target.id, 24_200);
    const { orderline } = await invoiced(target.id);
    const fee = orderline.find((line: Json) => line.line_kind === FEE);

    await credit(target.id, { orderline: [{ id: fee.id, quantity: 1 }] });
    expect((await client.get(`/vehicle/${car.id}`)).data.stock_status).to.equal(SOLD);

    await credit(target.id);
    expect((await client.get(`/vehicle/${car.id}`)).data.stock_status).to.equal(STOCK);
  });

  describe('of an order that is cancelled', () => {
    it('are cancelled with it, unless one is an invoice', async () => {
      const target = await orderOf([{ price: 100 }]);
      const [open, paid] = [await deposit(target.id, 10), await paidDeposit(target.id, 50)];
      await change(client, open.id, { order_status: READY });
      const cancel = () => client.put(`/order/${target.id}`, { order_status: CANCELLED });

      expect(await cancel()).to.be.refused(409, IN_USE);
      expect(await client.del(`/order/${target.id}`)).to.be.refused(406, IN_USE);
      expect([await statusOf(target.id), await statusOf(open.id)]).to.deep.equal([ORDER, READY]);

      expect((await credit(paid.id)).status).to.equal(201);
      expect((await cancel()).status).to.equal(200);
      expect([await statusOf(open.id), await statusOf(paid.id)]).to.deep.equal([CANCELLED, INVOICE]);
    });
  });

  for (const [name, status] of [
    ['invoiced', INVOICE],
    ['cancelled', CANCELLED],
  ] as const)
    it(`that their order cancels when it is ${name} end their time and their appointments`, async () => {
      const target = await orderOf([{ price: 100 }]);
      const { id: order_id } = await deposit(target.id, 10);
      const { id } = (await client.post('/timeentry/start', { order_id })).data;
      const booked = await build(client, 'appointment', { order_id });

      await change(client, target.id, { order_status: status });

      const { ended_at, hours } = (await client.get(`/timeentry/${id}`)).data;
      expect(ended_at).to.be.a('string');
      expect(await read(client, order_id)).to.include({ order_status: CANCELLED, hours_worked: hours });
      const { data } = await client.get(`/appointment/${booked.id}`);
      expect(data.appointment_status).to.equal(LISTS.appointmentstatuses.CANCELLED);
    });
});
