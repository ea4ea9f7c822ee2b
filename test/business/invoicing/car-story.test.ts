// Random stories of one car: bought, traded in, sold, and each invoice credited at any time. A model by hand says who
// moved the car last and what counts in the margin over periods. It shares no code with the service.
import fc from 'fast-check';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { setGarage } from '../../support/books/books.ts';
import { build, buildBuyer } from '../../support/build/build.ts';
import { THIS_YEAR } from '../../support/build/day.ts';
import { invoiceIt } from '../../support/build/order.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { listed } from '../../support/client/export.ts';

const { CUSTOMER, STOCK, SOLD } = LISTS.stockstatuses;
const { WORKSHOP, VEHICLE_SALES, VEHICLE_PURCHASE } = LISTS.ordertypes;
const { VEHICLE, TRADE_IN, ARTICLE } = LISTS.linekinds;
const { HIGH, MARGIN } = LISTS.vatcodes;
const STORIES = 30;
const YEAR = `from=${THIS_YEAR}-01-01&to=${THIS_YEAR}-12-31`;

const STEP = fc.record({
  what: fc.constantFrom('buy', 'trade in', 'sell', 'sell with VAT', 'credit', 'credit'),
  price: fc.integer({ min: 1, max: 2_000_000 }).map((amount) => amount / 100),
  /** The contact, or the invoice to credit. */
  which: fc.nat(5),
});
type Step = typeof STEP extends fc.Arbitrary<infer S> ? S : never;

/** What an invoice left: the status of the car, its price, and the place of its owner. */
interface State {
  readonly status: number;
  readonly price: number | null;
  readonly owner: number | undefined;
}

interface Invoice {
  readonly id: number;
  readonly isPurchase: boolean;
  readonly price: number;
  readonly party: number;
  readonly left: State;
  /** The purchase that this sale with VAT took out of the margin. */
  readonly taken: Invoice | undefined;
  /** What a sale under the scheme adds to the sales. */
  readonly margin: number;
  isCredited: boolean;
}

/** The car as it must be. */
class Model {
  readonly invoices: Invoice[] = [];
  state: State = { status: CUSTOMER, price: null, owner: undefined };

  private standing = () => this.invoices.filter(({ isCredited }) => !isCredited);

  add(id: number, { what, price }: Step, party: number): void {
    const isPurchase = what === 'buy' || what === 'trade in';
    const last = this.standing().at(-1);
    this.state = isPurchase
      ? { status: STOCK, price, owner: undefined }
      : { status: SOLD, price: this.state.price, owner: party };
    const taken = what === 'sell with VAT' && last?.isPurchase ? last : undefined;
    const margin = what === 'sell' ? price : 0;
    this.invoices.push({ id, isPurchase, price, party, left: this.state, taken, margin, isCredited: false });
  }

  credit(invoice: Invoice): void {
    const isLast = this.standing().at(-1) === invoice;
    invoice.isCredited = true;
    if (!isLast) return;
    const before = this.invoices.slice(0, this.invoices.indexOf(invoice) + 1);
    const seller = before.filter(({ isPurchase }) => isPurchase).at(-1)?.party;
    this.state = this.standing().at(-1)?.left ?? { status: CUSTOMER, price: null, owner: seller };
  }

  /** Sales and purchases under the scheme, in cents. */
  get margin(): [number, number] {
    const sum = (some: readonly Invoice[], of: (invoice: Invoice) => number) =>
      some.reduce((total, invoice) => total + Math.round(100 * of(invoice)), 0);
    const out = new Set(this.standing().map(({ taken }) => taken));
    const bought = this.standing().filter((invoice) => invoice.isPurchase && !out.has(invoice));
    return [sum(this.standing(), ({ margin }) => margin), sum(bought, ({ price }) => price)];
  }
}

describe('a car in a random story', function () {
  this.timeout(120_000);
  let client: Client;
  let contacts: number[];
  before(async () => {
    client = await newClient();
    const { marginmethods, vatperiods } = LISTS;
    await setGarage(client, { margin_method: marginmethods.GLOBAL, vat_period: vatperiods.YEAR });
    contacts = [(await buildBuyer(client)).id, (await buildBuyer(client)).id];
  });

  const orderOf = (what: string, price: number, vehicle_id: number): Json => {
    const line = { description: what, quantity: 1, price, vehicle_id };
    if (what === 'buy')
      return {
        ...{ order_type: VEHICLE_PURCHASE, purchase_proof: LISTS.purchaseproofs.STATEMENT, vehicle_id },
        orderline: [{ ...line, line_kind: VEHICLE, vat_code: MARGIN }],
      };
    const goods = { description: 'goods', quantity: 1, price, line_kind: ARTICLE, vat_code: HIGH };
    const traded = { ...line, quantity: -1, line_kind: TRADE_IN, vat_code: MARGIN };
    if (what === 'trade in') return { order_type: WORKSHOP, orderline: [goods, traded] };
    const vat_code = what === 'sell' ? MARGIN : HIGH;
    return { order_type: VEHICLE_SALES, vehicle_id, orderline: [{ ...line, line_kind: VEHICLE, vat_code }] };
  };

  async function take(model: Model, vehicle_id: number, step: Step): Promise<void> {
    const open = model.invoices.filter(({ isCredited }) => !isCredited);
    if (step.what === 'credit') {
      const invoice = open[step.which % Math.max(1, open.length)];
      if (!invoice) return;
      const answer = await client.post('/order/credit', { order_id: invoice.id, is_invoiced: 1 });
      expect(answer.status, answer.text).to.equal(201);
      return model.credit(invoice);
    }
    const party = step.which % contacts.length;
    const contact_id = contacts[party];
    const body = { ...orderOf(step.what, step.price, vehicle_id), contact_id, order_date: '2026-01-01' };
    const { id } = await build(client, 'order', body);
    const answer = await invoiceIt(client, id);
    const isRefused = step.what.startsWith('sell') && model.state.status !== STOCK;
    expect(answer.status, answer.text).to.equal(isRefused ? 403 : 200);
    if (!isRefused) model.add(id, step, party);
  }

  async function readCar(id: number): Promise<State> {
    const { data: car } = await client.get(`/vehicle/${id}`);
    const { data: roles } = await client.get(`/vehicleroleline?filter=vehicle_id:${id}`);
    const owners = roles.filter(({ end_date }: Json) => end_date === null);
    expect(owners.length).to.be.at.most(1);
    const owner = owners.length === 0 ? undefined : contacts.indexOf(owners[0].contact_id);
    return { status: car.stock_status, price: car.purchase_price, owner };
  }

  async function readMargin(): Promise<[number, number]> {
    const { data } = await client.get(`/vatreturn?${YEAR}`);
    return [Math.round(100 * data.margin.sales), Math.round(100 * data.margin.purchases)];
  }

  /** What the lines behind the box add up to, in cents. */
  async function sumOfLines(): Promise<number> {
    const lines = await listed(client, `/vatreturn/lines?box=1a&${YEAR}`);
    return lines.reduce((sum, { margin }) => sum + Math.round(100 * Number(margin ?? 0)), 0);
  }

  it('stands where the last invoice that counts left it, and counts once in the margin', async () => {
    const story = fc.asyncProperty(fc.array(STEP, { minLength: 4, maxLength: 10 }), async (steps) => {
      const { id } = await build(client, 'vehicle', { stock_status: CUSTOMER });
      const [sales, purchases] = await readMargin();
      const model = new Model();
      for (const step of steps) {
        await take(model, id, step);
        expect(await readCar(id)).to.deep.equal(model.state);
      }

      const [sold, bought] = await readMargin();
      expect([sold - sales, bought - purchases]).to.deep.equal(model.margin);
    });

    await fc.assert(story, { numRuns: STORIES, seed: 40 });
    const [sold, bought] = await readMargin();
    expect(await sumOfLines()).to.equal(sold - bought);
  });
});
