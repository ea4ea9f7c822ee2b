// The invoice of an order takes its deposits off. Together they bear the VAT of the whole order.
import fc from 'fast-check';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { toCents } from '../../support/books/journal.ts';
import { build, buildBuyer } from '../../support/build/build.ts';
import { change, invoiceIt, read } from '../../support/build/order.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { invalid } from '../../support/client/message.ts';
import { select } from '../../support/database/sql.ts';
import { database } from '../../support/service/service.ts';
import { depositing } from './depositing.ts';

const { HIGH, LOW, ZERO, EXEMPT, MARGIN, OUTSIDE } = LISTS.vatcodes;
const { VEHICLE_SALES } = LISTS.ordertypes;
const { CANCELLED } = LISTS.orderstatuses;
const { VEHICLE, DEPOSIT } = LISTS.linekinds;
const { STOCK } = LISTS.stockstatuses;
const EXCEEDS = 'deposit exceeds the order';

const decimal = (least: number, most: number) =>
  fc.integer({ min: least * 100, max: most * 100 }).map((units) => units / 100);
const ANY_LINE = fc.record({
  quantity: fc.oneof(fc.integer({ min: 1, max: 7 }), decimal(1, 9)),
  price: decimal(0, 900).map((price) => price + 0.01),
  discount_percentage: fc.constantFrom(0, 5, 33.3333),
  vat_code: fc.constantFrom(HIGH, HIGH, LOW, LOW, ZERO, EXEMPT, OUTSIDE, MARGIN),
  purchase_price: fc.constantFrom(0, 12.34),
});
const SAMPLES = fc.sample(
  fc.record({
    is_vat_included: fc.constantFrom(0, 1),
    lines: fc.array(ANY_LINE, { minLength: 1, maxLength: 5 }),
    shares: fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 4 }),
    isFull: fc.boolean(),
    credited: fc.constantFrom(0, 0.25, 0.3333, 1),
  }),
  { numRuns: 16, seed: 11 },
);

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
  const { orderOf, deposit, invoiced, paidDeposit, credit, statusOf, shown } = scene;

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
      for (const { is_vat_included, lines, shares, isFull, credited } of SAMPLES) {
        const target = await orderOf(lines, { is_vat_included });
        const whole = await sums([target.id]);
        const orders = await paidInShares(target, shares, isFull);
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
        const all = [final, await read(client, data.id)] as const;
        for (const total of ['total_net', 'total_vat', 'total_gross'])
          expect(toCents(all[0][total]) + toCents(all[1][total]), total).to.equal(0);
        expect((await read(client, target.id)).amount_open).to.equal(0);
      }
    });

    /** Invoiced deposits of so many 130ths of the order; `isFull`: the last one is the rest. */
    async function paidInShares(target: Json & { id: number }, shares: readonly number[], isFull: boolean) {
      const orders: Awaited<ReturnType<typeof read>>[] = [];
      let left = toCents(target.total_gross);
      for (const [index, share] of shares.entries()) {
        const isRest = isFull && index === shares.length - 1;
        const amount = isRest ? left : Math.max(1, Math.floor((toCents(target.total_gross) * share) / 130));
        if (amount > left || amount === 0) continue;
        left -= amount;
        orders.push(await paidDeposit(target.id, amount / 100));
      }
      return orders;
    }

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
});
