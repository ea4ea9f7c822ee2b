// Deposits are invoices that are paid before their order is invoiced. The invoice of the order takes them off again.
// Together they bear the VAT of the whole order.
import fc from 'fast-check';
import { LISTS } from '../../src/trade/lists.ts';
import { toCents } from '../support/books/journal.ts';
import { build, buildBuyer } from '../support/build/build.ts';
import { addLine, change, invoiceIt, orderIn, read } from '../support/build/order.ts';
import { type Client, type Json, newClient } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { invalid } from '../support/client/message.ts';
import { AT_ONCE, atOnce } from '../support/database/at-once.ts';
import { select } from '../support/database/sql.ts';
import { database } from '../support/service/service.ts';

const { HIGH, LOW, ZERO, EXEMPT, MARGIN, OUTSIDE } = LISTS.vatcodes;
const { WORKSHOP, VEHICLE_SALES, VEHICLE_PURCHASE, BPM } = LISTS.ordertypes;
const { QUOTATION, ORDER, READY, INVOICE, CANCELLED } = LISTS.orderstatuses;
const { ARTICLE, VEHICLE, TRADE_IN, DEPOSIT } = LISTS.linekinds;
const { STOCK, SOLD } = LISTS.stockstatuses;
const EXCEEDS = 'deposit exceeds the order';
const IN_USE = 'Field: [id] in use at: [order]';

describe('deposits', () => {
  let client: Client;
  let contact_id: number;
  beforeEach(async () => {
    client = await newClient();
    contact_id = (await buildBuyer(client)).id;
  });

  /** An order with these lines. */
  async function orderOf(lines: readonly Json[], more: Json = {}) {
    const { id } = await build(client, 'order', { contact_id, ...more });
    for (const line of lines) await addLine(client, id, line);
    return read(client, id);
  }
  const post = (order_id: number, amount: unknown) => client.post('/order/deposit', { order_id, amount });
  async function deposit(order_id: number, amount: number) {
    const answer = await post(order_id, amount);
    expect(answer.status, answer.text).to.equal(201);
    return answer.data;
  }
  async function invoiced(id: number) {
    const answer = await invoiceIt(client, id);
    expect(answer.status, answer.text).to.equal(200);
    return read(client, id);
  }
  const paidDeposit = async (order_id: number, amount: number) =>
    invoiced((await deposit(order_id, amount)).id);
  const credit = (order_id: number, more: Json = {}) =>
    client.post('/order/credit', { order_id, is_invoiced: 1, ...more });
  const statusOf = async (id: number) => (await read(client, id)).order_status;
  // biome-ignore lint/suspicious/noExplicitAny: a record as it is answered
  const shown = ({ orderline }: any) =>
    orderline.map((line: Json) => [
      line.line_kind,
      line.vat_code,
      line.quantity,
      line.price,
      line.line_gross,
    ]);

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

  describe('on the invoice of their order', () => {
    it('are taken off with their VAT, and name their invoices', async () => {
      const target = await orderOf([{ price: 100 }, { price: 50, vat_code: LOW }]);
      const first = await paidDeposit(target.id, 50);
      const open = await deposit(target.id, 20);

      const final = await invoiced(target.id);

      expect(shown(final).slice(2)).to.deep.equal([
        [DEPOSIT, HIGH, -1, 28.49, -34.47],
        [DEPOSIT, LOW, -1, 14.25, -15.53],
      ]);
      expect(final).to.include({
        total_net: 107.26,
        total_vat: 18.24,
        total_gross: 125.5,
        amount_open: 125.5,
      });
      const taken = final.orderline.slice(2);
      for (const [index, line] of taken.entries()) {
        expect(line.description).to.equal(`Af: aanbetaling, factuur ${first.invoice_number}`);
        expect(line.credited_line_id).to.equal(first.orderline[index].id);
      }
      expect(await statusOf(open.id)).to.equal(CANCELLED);
    });

    it('do not change the margin of the car', async () => {
      const vehicle = await build(client, 'vehicle', { stock_status: STOCK });
      const car = { line_kind: VEHICLE, price: 10_950, purchase_price: 8_500, vat_code: MARGIN };
      const target = await orderOf([car], { order_type: VEHICLE_SALES, vehicle_id: vehicle.id });
      const first = await paidDeposit(target.id, 500);

      const final = await invoiced(target.id);

      expect(first.orderline.map(({ margin_vat }: Json) => margin_vat)).to.deep.equal([0]);
      expect(final.orderline.map(({ margin_vat }: Json) => margin_vat)).to.deep.equal([425.21, 0]);
      expect([first.total_vat, final.total_vat, final.total_gross]).to.deep.equal([0, 0, 10_450]);
    });

    it('keep their VAT if the order has another rate now', async () => {
      const target = await orderOf([{ price: 100 }]);
      await paidDeposit(target.id, 60.5);
      await client.put(`/orderline/${target.orderline[0].id}`, { vat_code: LOW });

      const { orderline, total_net, total_vat } = await invoiced(target.id);

      // The whole has 9.00 VAT; the deposit bore 10.50.
      expect(orderline.map((line: Json) => [line.vat_code, line.line_net, line.line_vat])).to.deep.equal([
        [LOW, 100, 9],
        [HIGH, -50, -10.5],
      ]);
      expect([total_net, total_vat]).to.deep.equal([50, -1.5]);
    });

    it('are left out if they are credited', async () => {
      const target = await orderOf([{ price: 100 }]);
      const [whole, part] = [await paidDeposit(target.id, 40), await paidDeposit(target.id, 50)];
      expect((await credit(whole.id)).status).to.equal(201);
      const [line] = part.orderline;
      expect((await credit(part.id, { orderline: [{ id: line.id, quantity: 0.4 }] })).status).to.equal(201);

      const final = await invoiced(target.id);

      expect(shown(final).slice(1)).to.deep.equal([[DEPOSIT, HIGH, -1, 24.79, -30]]);
      expect(final.total_gross).to.equal(91);
    });

    it('prevent the invoice if the order is worth less or has another payer', async () => {
      const target = await orderOf([{ price: 100 }]);
      await paidDeposit(target.id, 100);

      await client.put(`/orderline/${target.orderline[0].id}`, { price: 50 });
      expect(await invoiceIt(client, target.id)).to.be.refused(403, invalid('total_gross', 60.5, EXCEEDS));

      await client.put(`/orderline/${target.orderline[0].id}`, { price: 100 });
      const { id: invoice_contact_id } = await buildBuyer(client);
      await change(client, target.id, { invoice_contact_id });
      expect(await invoiceIt(client, target.id)).to.be.refused(
        403,
        invalid('invoice_contact_id', invoice_contact_id, 'payer of the deposit'),
      );
    });

    it('may leave nothing to pay', async () => {
      const target = await orderOf([{ price: 100 }]);
      await paidDeposit(target.id, 121);

      const { invoice_number, total_gross, amount_open } = await invoiced(target.id);

      expect(invoice_number).not.to.equal(null);
      expect([total_gross, amount_open]).to.deep.equal([0, 0]);
    });

    it('add up with the invoice to the VAT of the whole order, for each VAT code', async function () {
      this.timeout(180_000);
      const decimal = (least: number, most: number) =>
        fc.integer({ min: least * 100, max: most * 100 }).map((units) => units / 100);
      const line = fc.record({
        quantity: fc.oneof(fc.integer({ min: 1, max: 7 }), decimal(1, 9)),
        price: decimal(0, 900).map((price) => price + 0.01),
        discount_percentage: fc.constantFrom(0, 5, 33.3333),
        vat_code: fc.constantFrom(HIGH, HIGH, LOW, LOW, ZERO, EXEMPT, OUTSIDE, MARGIN),
        purchase_price: fc.constantFrom(0, 12.34),
      });
      const samples = fc.sample(
        fc.record({
          is_vat_included: fc.constantFrom(0, 1),
          lines: fc.array(line, { minLength: 1, maxLength: 5 }),
          shares: fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 4 }),
          isFull: fc.boolean(),
          credited: fc.constantFrom(0, 0.25, 0.3333, 1),
        }),
        { numRuns: 16, seed: 11 },
      );

      for (const { is_vat_included, lines, shares, isFull, credited } of samples) {
        const target = await orderOf(lines, { is_vat_included });
        const whole = await sums([target.id]);
        const orders: Awaited<ReturnType<typeof read>>[] = [];
        let left = toCents(target.total_gross);
        for (const [index, share] of shares.entries()) {
          const isRest = isFull && index === shares.length - 1;
          const amount = isRest ? left : Math.max(1, Math.floor((toCents(target.total_gross) * share) / 130));
          if (amount > left || amount === 0) continue;
          left -= amount;
          orders.push(await paidDeposit(target.id, amount / 100));
        }
        const [first] = orders;
        if (credited > 0 && first) {
          const taken = first.orderline.map(({ id }: Json) => ({ id, quantity: credited }));
          const { status, text, data } = await credit(first.id, { orderline: taken });
          expect(status, text).to.equal(201);
          orders.push(await read(client, data.id));
        }

        const final = await invoiced(target.id);

        expect(await sums([...orders, final].map(({ id }) => id))).to.deep.equal(whole);
        const { data, status, text } = await credit(target.id);
        expect(status, text).to.equal(201);
        const all = [final, await read(client, data.id)];
        for (const total of ['total_net', 'total_vat', 'total_gross'])
          expect(
            all.reduce((sum, order) => sum + toCents(order[total]), 0),
            total,
          ).to.equal(0);
        expect((await read(client, target.id)).amount_open).to.equal(0);
      }
    });

    /** Net and VAT by code, and the totals, in cents. */
    async function sums(ids: readonly number[]): Promise<Record<string, number>> {
      const found: Record<string, number> = {};
      const add = (row: Readonly<Record<string, unknown>>, names: readonly string[], code: unknown = '') => {
        for (const name of names)
          found[`${name} ${code}`] = (found[`${name} ${code}`] ?? 0) + toCents(row[name]);
      };
      for (const id of ids) {
        const orders = await select(database(), 'SELECT * FROM orders WHERE id = ?', [id]);
        for (const order of orders)
          add(order, ['vat_high', 'vat_low', 'total_net', 'total_vat', 'total_gross']);
        const lines = await select(database(), 'SELECT * FROM orderlines WHERE order_id = ?', [id]);
        for (const line of lines) add(line, ['line_net'], line.vat_code);
      }
      return Object.fromEntries(Object.entries(found).filter(([, amount]) => amount !== 0));
    }
  });

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
