// Deposits are invoices that are paid before their order is invoiced.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build, buildBuyer } from '../../support/build/build.ts';
import { addLine, change, invoiceIt, orderIn, read } from '../../support/build/order.ts';
import { type Client, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { invalid } from '../../support/client/message.ts';
import { AT_ONCE, atOnce } from '../../support/database/at-once.ts';
import { depositing } from './depositing.ts';

const { HIGH, LOW, MARGIN, OUTSIDE } = LISTS.vatcodes;
const { WORKSHOP, VEHICLE_SALES, VEHICLE_PURCHASE, BPM } = LISTS.ordertypes;
const { QUOTATION, ORDER, INVOICE, CANCELLED } = LISTS.orderstatuses;
const { ARTICLE, TRADE_IN, DEPOSIT } = LISTS.linekinds;
const { STOCK, SOLD } = LISTS.stockstatuses;
const EXCEEDS = 'deposit exceeds the order';

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
  const { orderOf, post, deposit, invoiced, paidDeposit, credit, statusOf, shown } = scene;

  describe('of an order', () => {
    it('have a line for each VAT code in proportion, and exactly the amount', async () => {
      const { id: invoice_contact_id } = await buildBuyer(client, { language: 'en' });
      // With VAT 121 and 54.50: of 50 euros 34.473 and 15.527.
      const target = await orderOf([{ price: 100 }, { price: 50, vat_code: LOW }], {
        ...{ invoice_contact_id, reference: 'B-1', buyer_reference: 'K-2' },
      });

      const { status, data, headers } = await post(target.id, 50);

      expect(status).to.equal(201);
      expect(headers.get('location')).to.match(new RegExp(`/order/${data.id}$`));
      expect(data).to.include({ deposit_of_order_id: target.id, order_type: WORKSHOP, order_status: ORDER });
      expect(data).to.include({ contact_id, invoice_contact_id, reference: 'B-1', buyer_reference: 'K-2' });
      expect(data).to.include({ is_vat_included: 1, total_gross: 50, is_invoiced: 0 });
      expect(shown(data)).to.deep.equal([
        [DEPOSIT, HIGH, 1, 34.47, 34.47],
        [DEPOSIT, LOW, 1, 15.53, 15.53],
      ]);
      expect(data.orderline[0].description).to.equal(`Deposit on order ${target.order_number}`);
    });

    it('leave out trade-ins', async () => {
      const target = await orderOf([
        { price: 12_100, vat_code: MARGIN, purchase_price: 9_000 },
        { price: -2_000, vat_code: OUTSIDE, line_kind: TRADE_IN },
      ]);

      expect(shown(await deposit(target.id, 500))).to.deep.equal([[DEPOSIT, MARGIN, 1, 500, 500]]);
      expect(await post(target.id, 9_600.01)).to.be.refused(403, invalid('amount', 9_600.01, EXCEEDS));
      expect((await post(target.id, 9_600)).status).to.equal(201);
    });

    it('never exceed the order; cancelled and credited deposits do not count', async () => {
      const target = await orderOf([{ price: 100 }]);
      expect(await post(target.id, 5_000)).to.be.refused(403, invalid('amount', 5_000, EXCEEDS));

      const first = await paidDeposit(target.id, 60);
      const second = await deposit(target.id, 61);
      expect(await post(target.id, 0.01)).to.be.refused(403, invalid('amount', 0.01, EXCEEDS));

      await change(client, second.id, { order_status: CANCELLED });
      expect((await credit(first.id)).status).to.equal(201);
      expect((await post(target.id, 121)).status).to.equal(201);
    });

    it('never exceed the order by simultaneous requests', async () => {
      const target = await orderOf([{ price: 100 }]);

      const answers = await atOnce(client, ['order', target.id], () => post(target.id, 100));

      expect(answers.map(({ status }) => status).sort()).to.deep.equal([
        201,
        ...Array(AT_ONCE - 1).fill(403),
      ]);
    });

    it('are refused for orders that take no deposits', async () => {
      const [credited, bpm] = [await orderOf([{}]), await build(client, 'order', { order_type: BPM })];
      const first = await deposit(credited.id, 1);
      await invoiced(credited.id);
      const creditNote = (await client.post('/order/credit', { order_id: credited.id })).data;
      const purchase = await build(client, 'order', { order_type: VEHICLE_PURCHASE });
      const cancelled = await orderIn(client, CANCELLED);

      for (const { id } of [purchase, creditNote, bpm])
        expect(await post(id, 1)).to.be.refused(403, invalid('order_id', id, 'sale or workshop order'));
      const open = await orderOf([{}]);
      const { id } = await deposit(open.id, 10);
      expect(await post(id, 1)).to.be.refused(403, invalid('order_id', id, 'sale or workshop order'));
      const frozen = (state: string) => `[order] is [${state}], cannot add/update/delete`;
      expect(await post(credited.id, 1)).to.be.refused(409, frozen('invoice'));
      for (const one of [cancelled, first])
        expect(await post(one.id, 1)).to.be.refused(409, frozen('cancelled'));
    });

    it('take an amount above 0, VAT included', async () => {
      const { id } = await orderOf([{ price: 100 }]);

      for (const amount of [0, -1, 0.001])
        expect((await post(id, amount)).text).to.include('for validation: [>0]');
      expect(await post(id, '5')).to.be.refused(
        403,
        'Field: [amount] has an invalid value: [5] for datatype: float8',
      );
      expect(await client.post('/order/deposit', { order_id: id })).to.be.refused(
        403,
        'Field: [amount] is required and not supplied in request',
      );
      expect(await post(999_999_999, 5)).to.be.refused(
        404,
        'Field: [order_id] value: [999999999] ID not found',
      );
      expect(await client.post('/order/deposit', { order_id: id, amount: 5, price: 1 })).to.be.refused(
        403,
        'Field: [price] not found in model',
      );
    });

    it('are taken on a quotation too: the deposit accepts it', async () => {
      const target = await orderOf([{ price: 100 }], { order_status: QUOTATION });

      const { id } = await paidDeposit(target.id, 50);

      expect((await invoiced(target.id)).total_gross).to.equal(71);
      expect((await read(client, id)).amount_open).to.equal(50);
    });

    it('need the permission for POST /order, and do not find orders of another garage', async () => {
      const { id } = await orderOf([{ price: 100 }]);
      const { owner } = client.garage;
      const narrow = await newClient({ owner, allow: ['POST /order', 'GET /order'] });
      const blind = await newClient({ owner, allow: ['GET /order'] });
      const other = await newClient();

      expect((await narrow.post('/order/deposit', { order_id: id, amount: 1 })).status).to.equal(201);
      expect((await blind.post('/order/deposit', { order_id: id, amount: 1 })).status).to.equal(403);
      expect((await other.post('/order/deposit', { order_id: id, amount: 1 })).status).to.equal(404);
    });
  });

  describe('that are invoiced', () => {
    it('take payments like any invoice', async () => {
      const target = await orderOf([{ price: 100 }]);
      const { id, amount_open } = await paidDeposit(target.id, 50);

      await build(client, 'payment', { order_id: id, amount: 50 });

      expect(amount_open).to.equal(50);
      expect((await read(client, id)).amount_open).to.equal(0);
    });

    it('must fit the order as it is when they are invoiced', async () => {
      const target = await orderOf([{ price: 100 }]);
      const { id } = await deposit(target.id, 100);
      const [line] = target.orderline;

      await client.put(`/orderline/${line.id}`, { price: 10 });
      expect(await invoiceIt(client, id)).to.be.refused(403, invalid('total_gross', 100, EXCEEDS));

      await client.put(`/orderline/${line.id}`, { price: 100 });
      const { id: invoice_contact_id } = await buildBuyer(client);
      await change(client, target.id, { invoice_contact_id });
      expect(await invoiceIt(client, id)).to.be.refused(
        403,
        invalid('invoice_contact_id', null, 'payer of the order'),
      );
    });

    it('have lines of kind DEPOSIT only', async () => {
      const target = await orderOf([{ price: 100 }]);
      const { id, orderline } = await deposit(target.id, 50);

      const refused = invalid('line_kind', ARTICLE, 'deposit');
      const added = {
        order_id: id,
        line_kind: ARTICLE,
        description: 'x',
        quantity: 1,
        price: 1,
        vat_code: HIGH,
      };
      expect(await client.post('/orderline', added)).to.be.refused(403, refused);
      expect(await client.put(`/orderline/${orderline[0].id}`, { line_kind: ARTICLE })).to.be.refused(
        403,
        refused,
      );
    });

    it('are refused after their order is invoiced or cancelled', async () => {
      for (const [order_status, state] of [
        [INVOICE, 'invoice'],
        [CANCELLED, 'cancelled'],
      ] as const) {
        const target = await orderOf([{ price: 100 }]);
        const { id } = await deposit(target.id, 50);
        await change(client, target.id, { order_status });
        expect(await statusOf(id)).to.equal(CANCELLED);

        await change(client, id, { order_status: ORDER });
        expect(await invoiceIt(client, id)).to.be.refused(
          409,
          `[order] is [${state}], cannot add/update/delete`,
        );
      }
    });

    it('sell no car, and need none', async () => {
      const vehicle = await build(client, 'vehicle', { stock_status: STOCK });
      const sale = { order_type: VEHICLE_SALES };
      const target = await orderOf([{ price: 100 }], { ...sale, vehicle_id: vehicle.id });
      const unknown = await orderOf([{ price: 100 }], sale);

      const { vehicle_id } = await paidDeposit(target.id, 50);
      await paidDeposit(unknown.id, 50);
      const stock = async () => (await client.get(`/vehicle/${vehicle.id}`)).data.stock_status;

      expect([vehicle_id, await stock()]).to.deep.equal([vehicle.id, STOCK]);
      await invoiced(target.id);
      expect(await stock()).to.equal(SOLD);
    });
  });

  it('do not include a purchase that names the order', async () => {
    const target = await orderOf([{ price: 100 }]);
    const other = await build(client, 'order', {
      ...{ order_type: VEHICLE_PURCHASE, contact_id, deposit_of_order_id: target.id },
    });

    expect((await addLine(client, other.id, { line_kind: ARTICLE })).line_kind).to.equal(ARTICLE);
    expect(await client.put(`/order/${other.id}`, { deposit_of_order_id: null })).to.be.refused(
      409,
      'Cannot update [deposit_of_order_id]',
    );
    expect((await invoiced(target.id)).orderline).to.have.lengthOf(1);
  });
});
