// A dealer's year, month by month: what a garage buys, sells and is paid, on days of the past that no request can give.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build, buildBuyer } from '../build/build.ts';
import { addLine } from '../build/order.ts';
import type { Client, Json } from '../client/client.ts';
import { expect } from '../client/expect.ts';
import { execute } from '../database/sql.ts';
import { database } from '../service/service.ts';
import { countries, dateInvoice, invoiceOn } from './books.ts';

const { ordertypes, linekinds, vatcodes, purchaseproofs, paymentmethods } = LISTS;
const { VEHICLE, TRADE_IN } = linekinds;
const { HIGH, LOW, MARGIN, INTRA_COMMUNITY } = vatcodes;
const { BANK, CASH } = paymentmethods;

const DEBIT = { ledger_account: '8000', cost_ledger_account: '7000' };
const CARS = { ledger_account: '8110', cost_ledger_account: '7110', stock_ledger_account: '3010' };

/** What a month adds to each account, in euros: debit above 0. */
type Sums = Readonly<Record<string, number>>;

interface Month {
  readonly trade: (dealer: Dealer) => Promise<unknown>;
  readonly adds: Sums;
}

export class Dealer {
  readonly client: Client;
  readonly year: number;
  /** Invoices and cars by name. */
  readonly made = new Map<string, number>();
  private groups: { work: number; cars: number } = { work: 0, cars: 0 };

  constructor(client: Client, year: number) {
    this.client = client;
    this.year = year;
  }

  async open(): Promise<void> {
    const { client, year } = this;
    const work = await build(client, 'turnovergroup', { code: `W${year}`, ...DEBIT });
    const cars = await build(client, 'turnovergroup', { code: `C${year}`, ...CARS });
    this.groups = { work: work.id, cars: cars.id };
  }

  of(name: string): number {
    return this.made.get(name) ?? 0;
  }

  day(day: string): string {
    return `${this.year}-${day}`;
  }

  /** A car that the garage buys under the margin scheme, or with VAT from the invoice of a dealer. */
  async buys(name: string, day: string, price: number, vat_code: number = MARGIN): Promise<void> {
    const { id } = await build(this.client, 'vehicle');
    this.made.set(`car ${name}`, id);
    const proof =
      vat_code === MARGIN
        ? { purchase_proof: purchaseproofs.STATEMENT }
        : { purchase_proof: purchaseproofs.SUPPLIER_INVOICE, supplier_invoice_number: `S-${name}` };
    const order = { order_type: ordertypes.VEHICLE_PURCHASE, vehicle_id: id, ...proof };
    await this.invoices(name, day, [{ ...this.car(id), price, vat_code }], order);
  }

  /** A car that the garage has bought. `more`: lines beside the car. */
  async sells(name: string, day: string, price: number, vat_code: number, more: Json[] = []): Promise<void> {
    const id = this.of(`car ${name}`);
    const order = { order_type: ordertypes.VEHICLE_SALES, vehicle_id: id };
    await this.invoices(`sale ${name}`, day, [{ ...this.car(id), price, vat_code }, ...more], order);
  }

  async tradeIn(name: string, price: number): Promise<Json> {
    const { id } = await build(this.client, 'vehicle');
    this.made.set(`car ${name}`, id);
    return { ...this.car(id), line_kind: TRADE_IN, quantity: -1, price, vat_code: MARGIN };
  }

  works(name: string, day: string, price: number, line: Json = {}, order: Json = {}): Promise<void> {
    return this.invoices(
      name,
      day,
      [{ price, turnover_group_id: this.groups.work, vat_code: HIGH, ...line }],
      order,
    );
  }

  /** Adds work to an order that is no invoice yet. */
  worksOn(order: number, price: number): Promise<unknown> {
    return addLine(this.client, order, { price, turnover_group_id: this.groups.work, vat_code: HIGH });
  }

  async invoices(name: string, day: string, lines: Json[], order: Json): Promise<void> {
    const { id } = await invoiceOn(this.client, this.day(day), lines, order);
    this.made.set(name, id);
  }

  async pays(name: string, day: string, amount: number, method: number = BANK): Promise<void> {
    const paid_at = `${this.day(day)}T12:00:00Z`;
    const payment = { order_id: this.of(name), amount, method, paid_at };
    this.made.set(`payment ${name}`, (await build(this.client, 'payment', payment)).id);
  }

  /** Asks for an invoice that is made by a request of its own, and dates it. */
  async asks(name: string, path: string, day: string, body: Json): Promise<void> {
    const answer = await this.client.post(path, body);
    expect(answer.status, answer.text).to.equal(201);
    if (answer.data.is_invoiced === 0) await this.invoicesOrder(answer.data.id, day);
    else await dateInvoice(this.client, answer.data.id, this.day(day));
    this.made.set(name, answer.data.id);
    // What a credit note settles has its date.
    await execute(database(), 'UPDATE payments SET paid_at = ? WHERE owner_id = ? AND method = ?', [
      ...[`${this.day(day)} 12:00:00`, this.client.garage.owner, paymentmethods.OFFSET],
    ]);
  }

  async invoicesOrder(id: number, day: string): Promise<void> {
    const answer = await this.client.put(`/order/${id}`, { order_status: LISTS.orderstatuses.INVOICE });
    expect(answer.status, answer.text).to.equal(200);
    await dateInvoice(this.client, id, this.day(day));
  }

  private car(vehicle_id: number): Json {
    return { line_kind: VEHICLE, vehicle_id, turnover_group_id: this.groups.cars };
  }
}

/** The twelve months, with the sums that they add to the accounts, computed by hand. */
export const MONTHS: readonly Month[] = [
  {
    trade: async (dealer) => {
      await dealer.buys('A', '01-10', 10_000);
      await dealer.pays('A', '01-10', 10_000);
      await dealer.works('W1', '01-20', 1000);
      await dealer.pays('W1', '01-25', 1210);
    },
    adds: { 3010: 10_000, 1100: -8790, 8000: -1000, 1510: -210 },
  },
  {
    trade: async (dealer) => {
      await dealer.sells('A', '02-10', 14_000, MARGIN);
      await dealer.pays('sale A', '02-10', 14_000);
    },
    adds: { 8110: -14_000, 7110: 10_000, 3010: -10_000, 1100: 14_000 },
  },
  {
    trade: async (dealer) => {
      await dealer.buys('B', '03-10', 20_000);
      await dealer.works('L1', '03-31', 100, { vat_code: LOW });
      await dealer.pays('L1', '03-31', 109, CASH);
    },
    adds: { 3010: 20_000, 1600: -20_000, 1000: 109, 8000: -100, 1520: -9 },
  },
  {
    trade: async (dealer) => {
      await dealer.pays('B', '04-02', 20_000);
      // The car leaves the margin scheme.
      await dealer.sells('B', '04-20', 25_000, HIGH);
    },
    adds: {
      1600: 20_000,
      1100: -20_000,
      1300: 30_250,
      8110: -25_000,
      1510: -5250,
      7110: 20_000,
      3010: -20_000,
    },
  },
  {
    trade: async (dealer) => {
      await dealer.pays('sale B', '05-05', 30_250);
      await dealer.buys('C', '05-20', 8000, HIGH);
    },
    adds: { 1300: -30_250, 1100: 30_250, 3010: 8000, 1540: 1680, 1600: -9680 },
  },
  {
    trade: async (dealer) => {
      await dealer.sells('C', '06-10', 10_000, HIGH, [await dealer.tradeIn('D', 3000)]);
      await dealer.pays('sale C', '06-11', 9100);
    },
    // The margin of the quarter: B leaves it (+20,000), D (-3,000), carried in 16,000. 21/121 of 1,000.
    adds: { 1100: 9100, 8110: -10_000, 1510: -2100, 3010: -5000, 7110: 8000, 8190: 173.55, 1530: -173.55 },
  },
  {
    trade: (dealer) => dealer.sells('D', '07-15', 7000, MARGIN),
    adds: { 1300: 7000, 8110: -7000, 7110: 3000, 3010: -3000 },
  },
  {
    trade: async (dealer) => {
      await dealer.pays('sale D', '08-01', 7000);
      const { id } = await build(dealer.client, 'order', {
        contact_id: (await buildBuyer(dealer.client)).id,
      });
      dealer.made.set('target', id);
      await dealer.worksOn(id, 5000);
      await dealer.asks('deposit', '/order/deposit', '08-10', { order_id: id, amount: 1210 });
      await dealer.pays('deposit', '08-11', 1210);
    },
    adds: { 1300: -7000, 1100: 8210, 1700: -1000, 1510: -210 },
  },
  {
    trade: async (dealer) => {
      await dealer.invoicesOrder(dealer.of('target'), '09-20');
      await dealer.pays('target', '09-30', 4840);
    },
    // 21/121 of 7,000.
    adds: { 1100: 4840, 8000: -5000, 1700: 1000, 1510: -840, 8190: 1214.88, 1530: -1214.88 },
  },
  {
    trade: async (dealer) => {
      const { de } = await countries();
      const german = await buildBuyer(dealer.client, { country_id: de, vat_number: 'DE136695976' });
      await dealer.works('EU', '10-05', 2000, { vat_code: INTRA_COMMUNITY }, { contact_id: german.id });
      await dealer.works('W2', '10-10', 500);
      await dealer.buys('E', '10-15', 15_000);
      await dealer.pays('E', '10-15', 15_000);
    },
    adds: { 1300: 2605, 8000: -2500, 1510: -105, 3010: 15_000, 1100: -15_000 },
  },
  {
    trade: async (dealer) => {
      await dealer.asks('credit', '/order/credit', '11-03', { order_id: dealer.of('W2'), is_invoiced: 1 });
      await dealer.pays('EU', '11-20', 2000);
    },
    adds: { 1300: -2605, 8000: 500, 1510: 105, 1100: 2000 },
  },
  {
    trade: (dealer) => dealer.sells('E', '12-20', 12_000, MARGIN),
    // The year bears 867.77, and its quarters declared 1,388.43.
    adds: { 1300: 12_000, 8110: -12_000, 7110: 15_000, 3010: -15_000, 1530: 520.66, 8190: -520.66 },
  },
];

/** The boxes that are not empty, as [base, VAT], and the margin of each quarter. */
export const QUARTERS = [
  {
    boxes: { '1a': [1000, 210], '1b': [100, 9], '5a': [1100, 219] },
    margin: { sales: 14_000, purchases: 30_000, carried_in: 0, margin: -16_000, vat: 0, carried_out: 16_000 },
  },
  {
    boxes: { '1a': [35_826.45, 7523.55], '5a': [35_826.45, 7523.55], '5b': [8000, 1680] },
    margin: { sales: 0, purchases: -17_000, carried_in: 16_000, margin: 17_000, vat: 173.55, carried_out: 0 },
  },
  {
    boxes: { '1a': [10_785.12, 2264.88], '5a': [10_785.12, 2264.88] },
    margin: { sales: 7000, purchases: 0, carried_in: 0, margin: 7000, vat: 1214.88, carried_out: 0 },
  },
  {
    boxes: { '3b': [2000, 0], '5a': [2000, 0] },
    margin: {
      ...{ sales: 12_000, purchases: 15_000, carried_in: 0, margin: -3000, vat: 0, carried_out: 0 },
      settlement: 520.66,
    },
  },
] as const;

export const YEAR_OF_MARGIN = {
  ...{ sales: 33_000, purchases: 28_000, carried_in: 0, margin: 5000, vat: 1388.43, carried_out: 0 },
  ...{ year_margin: 5000, year_vat: 867.77, declared_vat: 1388.43, settlement: 520.66 },
};
