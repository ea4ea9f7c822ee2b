// The stock follows the trade: a sale takes a car out of stock, a purchase and a trade-in bring one in.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build, buildBuyer } from '../../support/build/build.ts';
import { addLine, change, invoiceIt, purchaseOf, read, saleOf, stockCar } from '../../support/build/order.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { invalid } from '../../support/client/message.ts';
import { AT_ONCE, atOnce } from '../../support/database/at-once.ts';
import { BEFORE, trading } from './trading.ts';

const { CUSTOMER, STOCK, EXPECTED, DEMO, SOLD, DELIVERED, EXPORTED, SCRAPPED } = LISTS.stockstatuses;
const { VEHICLE, TRADE_IN, FEE, ARTICLE } = LISTS.linekinds;
const { HIGH, MARGIN, OUTSIDE } = LISTS.vatcodes;
const { OWNER } = LISTS.vehicleroles;
const SUPPLIED = '2026-03-02T00:00:00.000Z';

describe('the stock', () => {
  let client: Client;
  beforeEach(async () => {
    client = await newClient();
  });

  const { vehicle, ownersOf, owned, invoiced } = trading(() => client);

  describe('after a sale', () => {
    it('no longer has the car, and the payer owns it from the date of supply', async () => {
      const car = await stockCar(client);
      const { id: invoice_contact_id } = await buildBuyer(client);

      await invoiced(await saleOf(client, car.id, { invoice_contact_id, supply_date: SUPPLIED }));

      expect(await vehicle(car.id)).to.include({ stock_status: SOLD, purchase_price: 8_500 });
      expect(await ownersOf(car.id)).to.deep.equal([[invoice_contact_id, SUPPLIED, null]]);
    });

    for (const stock_status of [CUSTOMER, SOLD, DELIVERED, EXPORTED, SCRAPPED])
      it(`was without a car of status ${stock_status}: nobody can buy it`, async () => {
        const car = await stockCar(client, { stock_status });
        const { id } = await saleOf(client, car.id);

        const { status, body } = await invoiceIt(client, id);

        expect(status).to.equal(403);
        expect(body.errors).to.deep.equal([
          {
            code: 'value_invalid',
            message: invalid('stock_status', stock_status, 'in stock'),
            field: 'stock_status',
            value: stock_status,
            resource: 'vehicle',
            id: car.id,
          },
        ]);
        expect(await ownersOf(car.id)).to.deep.equal([]);
      });

    for (const stock_status of [EXPECTED, DEMO])
      it(`had a car of status ${stock_status}`, async () => {
        const car = await stockCar(client, { stock_status });

        await invoiced(await saleOf(client, car.id));

        expect((await vehicle(car.id)).stock_status).to.equal(SOLD);
      });

    it('no longer has any car of the lines', async () => {
      const [one, other] = [await stockCar(client), await stockCar(client)];
      const order = await saleOf(client, one.id);
      const second = { line_kind: VEHICLE, vehicle_id: other.id, price: 9_000, vat_code: MARGIN };
      await addLine(client, order.id, second);

      await invoiced(order);

      for (const { id } of [one, other]) expect((await vehicle(id)).stock_status).to.equal(SOLD);
    });

    it('no longer advertises the car', async () => {
      const advertised = { sale_price: 1, mileage: 1, fuel_kind: 1, first_registration_date: BEFORE };
      const car = await stockCar(client, advertised);
      await build(client, 'vehicleadvertisementsite', { vehicle_id: car.id });
      expect((await client.put(`/vehicle/publishstart?id=${car.id}`, {})).data.publish_status).to.equal(1);

      await invoiced(await saleOf(client, car.id));

      expect(await vehicle(car.id)).to.include({ publish_status: 0, published_at: null });
    });

    it('ends the role of the earlier owner, so that the car has one owner', async () => {
      const { id: before } = await buildBuyer(client);
      const car = await owned(before, { stock_status: STOCK, purchase_price: 1 });
      const { id: contact_id } = await buildBuyer(client);
      const later = new Date(Date.now() + 86_400_000).toISOString();

      await invoiced(await saleOf(client, car.id, { contact_id, supply_date: later }));

      const [left, ...others] = await ownersOf(car.id);
      expect(Date.parse(left[2])).to.be.at.most(Date.now());
      expect(others).to.deep.equal([[contact_id, later, null]]);
      const third = { vehicle_id: car.id, contact_id: before, role_kind: OWNER, start_date: SUPPLIED };
      expect(await client.post('/vehicleroleline', third)).to.be.refused(
        403,
        'Vehicleroleline is invalid a Vehicle can only have one owner',
      );
    });

    it('sold a car only once to simultaneous requests', async () => {
      const car = await stockCar(client);
      const orders: Json[] = [];
      for (let count = 0; count < AT_ONCE; count += 1) orders.push(await saleOf(client, car.id));

      const answers = await atOnce(client, ['vehicle', car.id], (index) =>
        invoiceIt(client, Number(orders[index]?.id)),
      );

      expect(answers.map(({ status }) => status).sort()).to.deep.equal([
        200,
        ...Array(AT_ONCE - 1).fill(403),
      ]);
      const refused = answers.find(({ status }) => status === 403);
      expect(refused).to.be.refused(403, invalid('stock_status', SOLD, 'in stock'));
      expect(await ownersOf(car.id)).to.have.length(1);
    });

    it('refuses a car that is blocked or archived', async () => {
      const [blocked, archived] = [
        await stockCar(client, { is_blocked: 1 }),
        await stockCar(client, { is_archived: 1 }),
      ];

      expect(await invoiceIt(client, (await saleOf(client, blocked.id)).id)).to.be.refused(
        409,
        'This is a blocked record, fields cannot be changed, only update: is_blocked',
      );
      expect(await invoiceIt(client, (await saleOf(client, archived.id)).id)).to.be.refused(
        409,
        'This is an archived record, fields cannot be changed, only update: is_archived',
      );
    });
  });

  describe('after a purchase', () => {
    it('has the car, with the price and the scheme of the purchase', async () => {
      const { id: contact_id } = await buildBuyer(client);
      const [first, second] = [await owned(contact_id), await owned(contact_id)];
      const supplier = { purchase_proof: 1, supplier_invoice_number: '7', contact_id };

      await invoiced(await purchaseOf(client, first.id, { contact_id, supply_date: SUPPLIED }));
      await invoiced(
        await purchaseOf(
          client,
          second.id,
          { ...supplier, is_vat_included: 1 },
          { price: 121, vat_code: HIGH },
        ),
      );

      expect(await vehicle(first.id)).to.include({
        stock_status: STOCK,
        purchase_date: SUPPLIED,
        purchase_price: 8_500,
        tax_kind: LISTS.taxkinds.MARGIN,
      });
      expect(await ownersOf(first.id)).to.deep.equal([[contact_id, BEFORE, SUPPLIED]]);
      expect(await vehicle(second.id)).to.include({ purchase_price: 100, tax_kind: LISTS.taxkinds.VAT });
    });

    it('subtracts discounts from the price of the car, and ignores other fees', async () => {
      const car = await build(client, 'vehicle');
      const supplier = { purchase_proof: 1, supplier_invoice_number: '7' };
      const order = await purchaseOf(client, car.id, supplier);
      await addLine(client, order.id, { line_kind: ARTICLE, price: -500, vat_code: MARGIN });
      await addLine(client, order.id, { line_kind: FEE, price: 11.75, vat_code: OUTSIDE });

      await invoiced(order);

      expect((await vehicle(car.id)).purchase_price).to.equal(8_000);
    });

    it('deletes the role of an owner if it would end before it began', async () => {
      const { id: contact_id } = await buildBuyer(client);
      const car = await owned(contact_id);

      await invoiced(await purchaseOf(client, car.id, { contact_id, supply_date: BEFORE }));

      expect(await ownersOf(car.id)).to.deep.equal([]);
    });

    it('has the traded-in car, at the price on the sale', async () => {
      const { id: contact_id } = await buildBuyer(client);
      const [sold, traded] = [await stockCar(client), await owned(contact_id)];
      const order = await saleOf(client, sold.id, { contact_id, supply_date: SUPPLIED });
      const line = { line_kind: TRADE_IN, quantity: -1, price: 3_000, vat_code: MARGIN };
      await addLine(client, order.id, { ...line, vehicle_id: traded.id });

      await invoiced(order);

      expect(await vehicle(traded.id)).to.include({
        stock_status: STOCK,
        purchase_date: SUPPLIED,
        purchase_price: 3_000,
        tax_kind: LISTS.taxkinds.MARGIN,
      });
      expect(await ownersOf(traded.id)).to.deep.equal([[contact_id, BEFORE, SUPPLIED]]);
      expect((await vehicle(sold.id)).stock_status).to.equal(SOLD);
    });

    it('never trades a car in for itself', async () => {
      const car = await stockCar(client);
      const order = await saleOf(client, car.id);
      await addLine(client, order.id, {
        line_kind: TRADE_IN,
        price: -1,
        vat_code: MARGIN,
        vehicle_id: car.id,
      });

      expect(await invoiceIt(client, order.id)).to.be.refused(
        403,
        invalid('vehicle_id', car.id, 'another vehicle'),
      );
    });
  });

  it('does not change with orders that are no trade', async () => {
    const car = await stockCar(client);
    const work = await build(client, 'order', {
      order_type: LISTS.ordertypes.WORKSHOP,
      contact_id: (await buildBuyer(client)).id,
      vehicle_id: car.id,
    });
    await addLine(client, work.id);

    await change(client, work.id, { order_status: LISTS.orderstatuses.INVOICE });

    expect(await vehicle(car.id)).to.deep.equal(car);
  });

  it('keeps garages apart', async () => {
    const other = await newClient();
    const [own, foreign] = [await stockCar(client), await stockCar(other)];
    await invoiced(await saleOf(client, own.id));

    expect((await other.get(`/vehicle/${foreign.id}`)).data).to.deep.equal(foreign);
    const { id } = await saleOf(other, foreign.id);
    await addLine(other, id);
    const line = (await read(other, id)).orderline[0];
    expect(await other.put(`/orderline/${line.id}`, { vehicle_id: own.id })).to.be.refused(
      404,
      `Field: [vehicle_id] value: [${own.id}] ID not found`,
    );
  });
});
