// Seeded orders and invoices have the amounts, parties, payments and references that the service would compute.
import { expect } from 'chai';
import { printedCopy } from '../../../src/business/invoicing/invoice/invoice-parties.ts';
import { RATE_DAY } from '../../../src/business/seed/calendar.ts';
import type { Row } from '../../../src/core/model/fields/field.ts';
import type { RowIn } from '../../../src/core/model/records/record.ts';
import { resourceNamed } from '../../../src/core/model/records/registry.ts';
import type { Contact } from '../../../src/core/resources/contact.ts';
import type { Order } from '../../../src/core/resources/order.ts';
import type { OrderLine } from '../../../src/core/resources/order-line.ts';
import { roundTo } from '../../../src/core/trade/decimal.ts';
import { deducts, isDeposit } from '../../../src/core/trade/deposit.ts';
import { nameOf } from '../../../src/core/trade/identity/printed-name.ts';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { type LineToSettle, orderAmounts, settledAmounts, sumUp } from '../../../src/core/trade/settle.ts';
import { lineTotals } from '../../../src/core/trade/totals.ts';
import { percentageOn } from '../../../src/core/trade/vat-code.ts';
import { distinct, rowsOf, seededOwner, useDatabase } from './seeded.ts';

const { VEHICLE_PURCHASE } = LISTS.ordertypes;
const { TRADE_IN } = LISTS.linekinds;
/** The form of the number of a purchase, by its proof. */
const NUMBERS: Record<number, RegExp> = {
  [LISTS.purchaseproofs.SUPPLIER_INVOICE]: /^\d{9}$/,
  [LISTS.purchaseproofs.SELF_BILLED]: /^F\d+-\d{9}$/,
  [LISTS.purchaseproofs.STATEMENT]: /^IV-\d{9}$/,
};

describe('seeded records', () => {
  const database = useDatabase();
  let owner: number;
  const rows = (resource: string) => rowsOf(database(), owner, resource);
  const byId = async (resource: string): Promise<Map<Row[string], Row>> =>
    new Map((await rows(resource)).map((row) => [row.id ?? null, row]));

  before(async () => {
    owner = await seededOwner(database(), 150);
  });

  it('have the amounts that the service computes from their lines', async () => {
    const lines = await rows('orderline');

    for (const order of await rows('order')) {
      const own = lines.filter(({ order_id }) => order_id === order.id);
      expect(own).not.to.have.lengthOf(0);
      const computed = amountsOf(own, order);
      expect(own.map(shownAmounts)).to.deep.equal(computed);
      expect(order).to.include(orderAmounts(sumUp(own as LineRow[], dated(order))));
    }
  });

  it('have credit notes for no more than an invoice of the same contact', async () => {
    const orders = await byId('order');
    const credits = [...orders.values()].filter(
      (order) => order.order_type === LISTS.ordertypes.INTERNAL_REVERSAL,
    );

    expect(distinct(credits, 'credited_order_id')).to.have.lengthOf(credits.length).above(0);
    for (const credit of credits) {
      const invoice = orders.get(credit.credited_order_id ?? null);
      expect(invoice).to.include({ is_invoiced: 1, contact_id: credit.contact_id });
      expect(-Number(credit.total_gross)).to.be.within(0, Number(invoice?.total_gross));
    }
  });

  it('have deposits of the payer of their sale, which its invoice takes off', async () => {
    const [orders, lines] = [await byId('order'), await rows('orderline')];
    const deposits = [...orders.values()].filter((order) => isDeposit(order as RowIn<typeof Order>));
    const linesOf = (order: Row | undefined) => lines.filter(({ order_id }) => order_id === order?.id);
    const sales = deposits.map(({ deposit_of_order_id }) => orders.get(deposit_of_order_id ?? null));

    expect(new Set(sales.map((sale) => sale?.is_invoiced))).to.deep.equal(new Set([0, 1]));
    for (const [index, deposit] of deposits.entries()) {
      const [sale, own] = [sales[index], linesOf(deposit)];
      const taken = linesOf(sale).filter((line) => deducts(line as LineRow, sale as RowIn<typeof Order>));
      const { contact_id, invoice_contact_id } = deposit;
      expect(sale).to.include({ contact_id, invoice_contact_id });
      expect(deposit).to.include({ is_invoiced: 1, amount_open: '0.00' });
      expect(taken.map(({ credited_line_id }) => credited_line_id)).to.deep.equal(
        sale?.is_invoiced === 1 ? own.map(({ id }) => id) : [],
      );
      for (const { description } of taken) expect(description).to.include(deposit.invoice_number);
    }
  });

  it('are paid: about two thirds of the invoices in full, a sixth in part, a sixth not at all', async () => {
    const payments = await rows('payment');
    const counts = { full: 0, part: 0, none: 0 };

    for (const { id, is_invoiced, total_gross, amount_open } of await rows('order')) {
      const own = payments.filter(({ order_id }) => order_id === id);
      const paid = own.reduce((sum, { amount }) => sum + Math.round(100 * Number(amount)), 0);
      if (is_invoiced === 0) expect([amount_open, own.length]).to.deep.equal([null, 0]);
      else {
        expect(Math.round(100 * Number(total_gross)) - paid).to.equal(Math.round(100 * Number(amount_open)));
        counts[paid === 0 ? 'none' : Number(amount_open) === 0 ? 'full' : 'part'] += 1;
      }
    }

    // 50 invoices: eight times six, and two that are paid. By chance, no credit note pays the rest of one here.
    expect(counts).to.deep.equal({ full: 34, part: 8, none: 8 });
    expect(distinct(payments, 'method')).to.have.length.above(2);
  });

  it('settle credit notes with what their invoices leave open', async () => {
    const [orders, payments] = [await byId('order'), await rows('payment')];
    const offsets = payments.filter((payment) => !isOfRequest(payment));
    const credits = [...orders.values()].filter(({ credited_order_id }) => credited_order_id != null);

    expect(offsets).not.to.have.lengthOf(0);
    expect(offsets.reduce((sum, { amount }) => sum + Number(amount), 0)).to.be.closeTo(0, 1e-6);
    for (const { id, credited_order_id, amount_open } of credits) {
      const invoice = orders.get(credited_order_id ?? null);
      expect(Number(amount_open) === 0 || Number(invoice?.amount_open) === 0).to.equal(true);
      const lines = (await rows('orderline')).filter(({ order_id }) => order_id === id);
      const named = (await rows('orderline')).filter(({ order_id }) => order_id === credited_order_id);
      expect(named.map((line) => line.id)).to.include.members(
        lines.map(({ credited_line_id }) => credited_line_id),
      );
    }
  });

  it('take and pay less than € 3,000 in cash for a sale, its deposits and credit notes together', async () => {
    const orders = await byId('order');
    const rootOf = (id: Row[string]): Row[string] => {
      const order = orders.get(id);
      const above = order?.credited_order_id ?? order?.deposit_of_order_id ?? null;
      return above === null ? id : rootOf(above);
    };
    const sums = new Map<string, number>();
    for (const { method, order_id = null, amount } of await rows('payment')) {
      if (method !== LISTS.paymentmethods.CASH) continue;
      const side = `${rootOf(order_id)} ${Number(amount) > 0}`;
      sums.set(side, (sums.get(side) ?? 0) + Math.abs(Number(amount)));
    }

    expect(sums.size).to.be.above(0);
    expect(Math.max(...sums.values())).to.be.below(3000);
  });

  it('go to a dealer in the EU and to one outside, and come from both', async () => {
    const [orders, lines] = [await byId('order'), await rows('orderline')];
    const codesOf = (order_type: number) =>
      distinct(
        lines.filter(({ order_id }) => {
          const order = orders.get(order_id ?? null);
          return order?.is_invoiced === 1 && order.order_type === order_type;
        }),
        'vat_code',
      );
    const { HIGH, MARGIN, INTRA_COMMUNITY, EXPORT, REVERSE_CHARGE } = LISTS.vatcodes;

    expect(codesOf(LISTS.ordertypes.VEHICLE_SALES)).to.include.members([MARGIN, INTRA_COMMUNITY, EXPORT]);
    expect(codesOf(VEHICLE_PURCHASE)).to.include.members([HIGH, MARGIN, INTRA_COMMUNITY, REVERSE_CHARGE]);
  });

  it('keep the seller, the buyer and the driver of each invoice', async () => {
    const [orders, contacts] = [await byId('order'), await byId('contact')];

    const drivers = new Set<unknown>();
    for (const { order_id, seller, buyer, driver } of await rows('invoiceparty')) {
      const order = orders.get(order_id ?? null);
      const contact = contacts.get(order?.invoice_contact_id ?? order?.contact_id ?? null);
      // The seller of an invoice that the garage makes out is paid to an account.
      const paidTo = order?.purchase_proof === LISTS.purchaseproofs.SELF_BILLED ? 'iban' : undefined;
      expect(buyer).to.equal(printedCopy(resourceNamed('contact'), contact ?? {}, paidTo));
      expect(JSON.parse(String(seller))).to.include({ id: owner, iban: 'NL91ABNA0417164300' });
      const customer = contacts.get(order?.contact_id ?? null);
      const isOther = customer?.id !== contact?.id;
      expect(driver).to.equal(isOther ? nameOf(customer as RowIn<typeof Contact>) : null);
      drivers.add(driver);
    }
    expect(drivers.size).to.be.above(1);
  });

  it('have a purchase of each proof, and trade-ins, whose cars are in stock', async () => {
    const [vehicles, lines] = [await byId('vehicle'), await rows('orderline')];
    const invoices = (await rows('order')).filter(({ is_invoiced }) => is_invoiced === 1);
    const purchases = invoices.filter(({ order_type }) => order_type === VEHICLE_PURCHASE);
    const ids = new Set(invoices.map(({ id }) => id));
    const traded = lines.filter(({ line_kind, order_id }) => line_kind === TRADE_IN && ids.has(order_id));

    expect(distinct(purchases, 'purchase_proof')).to.have.members(Object.values(LISTS.purchaseproofs));
    expect(distinct(purchases, 'vehicle_id')).to.have.lengthOf(purchases.length);
    expect(traded).not.to.have.lengthOf(0);
    const bought = [
      ...purchases.map(({ vehicle_id, total_net }) => [vehicle_id, Number(total_net)]),
      ...traded.map(({ vehicle_id, line_net }) => [vehicle_id, -Number(line_net)]),
    ];
    for (const [id, price] of bought) {
      const car = vehicles.get(id ?? null);
      expect(car).to.include({ stock_status: LISTS.stockstatuses.STOCK });
      expect(Number(car?.purchase_price)).to.equal(price);
    }
    for (const { purchase_proof, invoice_number, supplier_invoice_number } of purchases) {
      const number = NUMBERS[Number(purchase_proof)];
      expect(String(invoice_number ?? supplier_invoice_number)).to.match(number ?? /^$/);
    }
  });
});

/** Whether a request could make the row. Only the service makes payments that settle a credit note. */
const isOfRequest = ({ method }: Row): boolean => method !== LISTS.paymentmethods.OFFSET;

type LineRow = Row & RowIn<typeof OrderLine> & LineToSettle & { line_vat: string };

const dated = (order: Row) => ({ ...(order as RowIn<typeof Order>), day: RATE_DAY });

const AMOUNTS = ['line_net', 'line_vat', 'line_gross', 'vat_percentage', 'margin_vat'];

const shownAmounts = (line: Row): Row =>
  Object.fromEntries(AMOUNTS.map((name) => [name, line[name] ?? null]));

function amountsOf(lines: readonly Row[], order: Row): Row[] {
  const isVatIncluded = order.is_vat_included === 1;
  const computed = lines.map((line) => ({
    ...(line as LineRow),
    ...(deducts(line as LineRow, order as RowIn<typeof Order>)
      ? {}
      : lineTotals(line as LineRow, percentageOn(Number(line.vat_code), RATE_DAY), isVatIncluded)),
  }));
  const settled = settledAmounts(computed, dated(order));
  return computed.map((line, index) =>
    shownAmounts({ ...line, ...settled[index], vat_percentage: roundTo(String(line.vat_percentage), 4) }),
  );
}
