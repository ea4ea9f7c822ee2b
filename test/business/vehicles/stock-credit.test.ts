// The credit note of a whole sale or purchase moves its cars back.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build, buildBuyer } from '../../support/build/build.ts';
import { addLine, purchaseOf, read, saleOf, stockCar } from '../../support/build/order.ts';
import { type Client, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { invalid } from '../../support/client/message.ts';
import { AT_ONCE, atOnce } from '../../support/database/at-once.ts';
import { BEFORE, trading } from './trading.ts';

const { CUSTOMER, STOCK, SOLD } = LISTS.stockstatuses;
const { TRADE_IN, FEE } = LISTS.linekinds;
const { MARGIN } = LISTS.vatcodes;
const { OWNER } = LISTS.vehicleroles;
const SUPPLIED = '2026-03-02T00:00:00.000Z';

describe('the stock', () => {
  let client: Client;
  beforeEach(async () => {
    client = await newClient();
  });

  const { vehicle, ownersOf, owned, invoiced, credit } = trading(() => client);

  describe('after a credit note', () => {
    it('of a whole sale has the car back, and nobody owns it', async () => {
      const car = await stockCar(client);
      const { id: contact_id } = await buildBuyer(client);
      const sale = await invoiced(await saleOf(client, car.id, { contact_id, supply_date: SUPPLIED }));

      const { supply_date } = await credit(sale.id);

      expect(await vehicle(car.id)).to.include({ stock_status: STOCK, purchase_price: 8_500 });
      expect(await ownersOf(car.id)).to.deep.equal([[contact_id, SUPPLIED, supply_date]]);
    });

    it('of a whole sale leaves the owner to whom its buyer sold the car, until the next sale', async () => {
      const resold = '2026-04-02T00:00:00.000Z';
      const car = await stockCar(client);
      const sale = await invoiced(await saleOf(client, car.id, { supply_date: SUPPLIED }));
      const { data: lines } = await client.get(`/vehicleroleline?filter=vehicle_id:${car.id}`);
      await client.put(`/vehicleroleline/${lines[0].id}`, { end_date: resold });
      const { id: later } = await buildBuyer(client);
      const line = { vehicle_id: car.id, contact_id: later, role_kind: OWNER, start_date: resold };
      await build(client, 'vehicleroleline', line);

      await credit(sale.id);

      expect((await vehicle(car.id)).stock_status).to.equal(STOCK);
      const buyer = [sale.contact_id, SUPPLIED, resold];
      expect(await ownersOf(car.id)).to.deep.equal([buyer, [later, resold, null]]);
      const again = await invoiced(await saleOf(client, car.id));
      expect(await ownersOf(car.id)).to.deep.equal([
        buyer,
        [later, resold, again.supply_date],
        [again.contact_id, again.supply_date, null],
      ]);
    });

    it('of a second purchase leaves the owner whom somebody registered since', async () => {
      const car = await build(client, 'vehicle');
      await invoiced(await purchaseOf(client, car.id));
      const second = await invoiced(await purchaseOf(client, car.id));
      const { id: later } = await buildBuyer(client);
      const line = { vehicle_id: car.id, contact_id: later, role_kind: OWNER, start_date: SUPPLIED };
      await build(client, 'vehicleroleline', line);

      await credit(second.id);

      expect((await vehicle(car.id)).stock_status).to.equal(STOCK);
      expect(await ownersOf(car.id)).to.deep.equal([[later, SUPPLIED, null]]);
    });

    it('of a part gets the car back only when the rest is credited', async () => {
      const car = await stockCar(client);
      const order = await saleOf(client, car.id);
      await addLine(client, order.id, { line_kind: FEE, price: 300 });
      await invoiced(order);
      const [, fee] = (await read(client, order.id)).orderline;

      await credit(order.id, { orderline: [{ id: fee.id, quantity: 1 }] });
      expect((await vehicle(car.id)).stock_status).to.equal(SOLD);

      await credit(order.id);
      expect((await vehicle(car.id)).stock_status).to.equal(STOCK);
    });

    it('at a lower price takes back a part of the margin, and leaves the car with its buyer', async () => {
      const car = await stockCar(client);
      const sale = await invoiced(await saleOf(client, car.id));
      const { data: note } = await client.post('/order/credit', { order_id: sale.id });

      await client.put(`/orderline/${note.orderline[0].id}`, { price: 1_095 });
      await invoiced(note);

      expect((await read(client, note.id)).orderline[0]).to.include({ line_net: -1_095, margin_vat: -42.52 });
      expect(await vehicle(car.id)).to.include({ stock_status: SOLD });
      expect(await ownersOf(car.id)).to.deep.equal([[sale.contact_id, sale.supply_date, null]]);
    });

    it('made by hand has the car back, too', async () => {
      const car = await stockCar(client);
      const sale = await invoiced(await saleOf(client, car.id));
      const { id } = await build(client, 'order', {
        order_type: LISTS.ordertypes.INTERNAL_REVERSAL,
        contact_id: sale.contact_id,
        credited_order_id: sale.id,
      });
      await addLine(client, id, { quantity: -1, price: 10_950, vat_code: MARGIN });

      await invoiced({ id });

      expect((await vehicle(car.id)).stock_status).to.equal(STOCK);
    });

    it('with an amount of 0 moves no car', async () => {
      const car = await stockCar(client);
      const sale = await invoiced(await saleOf(client, car.id));
      await credit(sale.id);
      const { contact_id } = sale;
      await invoiced(await saleOf(client, car.id, { contact_id }));
      const nothing = await build(client, 'order', {
        order_type: LISTS.ordertypes.INTERNAL_REVERSAL,
        contact_id,
        credited_order_id: sale.id,
      });
      await addLine(client, nothing.id, { quantity: -1, price: 0, vat_code: MARGIN });

      await invoiced(nothing);

      expect((await vehicle(car.id)).stock_status).to.equal(SOLD);
    });

    it('leaves a car that has a new owner', async () => {
      const car = await stockCar(client);
      const first = await invoiced(await saleOf(client, car.id));
      const buyer = first.contact_id;
      await invoiced(await purchaseOf(client, car.id, { contact_id: buyer }));
      const second = await invoiced(await saleOf(client, car.id));

      await credit(first.id);

      expect((await vehicle(car.id)).stock_status).to.equal(SOLD);
      expect((await ownersOf(car.id)).at(-1)[0]).to.equal(second.contact_id);
    });

    it('of a purchase no longer has the car, and the seller owns it', async () => {
      const { id: contact_id } = await buildBuyer(client);
      const car = await owned(contact_id);
      const purchase = await invoiced(
        await purchaseOf(client, car.id, { contact_id, supply_date: SUPPLIED }),
      );

      const { supply_date } = await credit(purchase.id);

      expect(await vehicle(car.id)).to.include({
        stock_status: CUSTOMER,
        purchase_date: null,
        purchase_price: null,
      });
      expect(await ownersOf(car.id)).to.deep.equal([
        [contact_id, BEFORE, SUPPLIED],
        [contact_id, supply_date, null],
      ]);
    });

    it('of a purchase leaves a car that was sold since', async () => {
      const car = await build(client, 'vehicle');
      const purchase = await invoiced(await purchaseOf(client, car.id));
      await invoiced(await saleOf(client, car.id));

      await credit(purchase.id);

      expect(await vehicle(car.id)).to.include({ stock_status: SOLD, purchase_price: 8_500 });
    });

    it('of a sale with a trade-in gives the trade-in back, and must be for the whole sale', async () => {
      const { id: contact_id } = await buildBuyer(client);
      const [sold, traded] = [await stockCar(client), await owned(contact_id)];
      const order = await saleOf(client, sold.id, { contact_id });
      const line = { line_kind: TRADE_IN, price: -10_950, vat_code: MARGIN, vehicle_id: traded.id };
      await addLine(client, order.id, line);
      await invoiced(order);
      const [car] = (await read(client, order.id)).orderline;

      expect(
        await client.post('/order/credit', { order_id: order.id, orderline: [{ id: car.id, quantity: 1 }] }),
      ).to.be.refused(403, invalid('orderline', 1, 'whole order'));
      await credit(order.id);

      expect((await vehicle(sold.id)).stock_status).to.equal(STOCK);
      expect((await vehicle(traded.id)).stock_status).to.equal(CUSTOMER);
      expect((await ownersOf(traded.id)).at(-1)).to.include.members([contact_id, null]);
    });

    it('moves a car only once for simultaneous requests', async () => {
      const car = await build(client, 'vehicle');
      const purchase = await invoiced(await purchaseOf(client, car.id));

      const answers = await atOnce(client, ['order', purchase.id], () =>
        client.post('/order/credit', { order_id: purchase.id, is_invoiced: 1 }),
      );

      expect(answers.map(({ status }) => status).sort()).to.deep.equal([
        201,
        ...Array(AT_ONCE - 1).fill(403),
      ]);
      expect((await vehicle(car.id)).stock_status).to.equal(CUSTOMER);
      expect(await ownersOf(car.id)).to.have.length(1);
    });
  });
});
