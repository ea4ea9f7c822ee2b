// Invoices for a test of the books that a seed does not have.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build, buildBuyer } from '../build/build.ts';
import { THIS_YEAR } from '../build/day.ts';
import { addLine, invoiceIt, saleOf, stockCar } from '../build/order.ts';
import type { Client, Json } from '../client/client.ts';
import { expect } from '../client/expect.ts';

const { ordertypes, linekinds, vatcodes, paymentmethods } = LISTS;
const { HIGH, LOW, REVERSE_CHARGE, MARGIN } = vatcodes;

/** Makes invoices that a seed does not have, by requests of today. */
export async function makeRareInvoices(client: Client): Promise<void> {
  const groups: Json[] = (await client.get('/turnovergroup')).data;
  const groupOf = (code: number) => groups.find(({ vat_code }) => vat_code === code)?.id;
  const line = (price: number, changes: Json = {}): Json => {
    const vat_code = Number(changes.vat_code ?? HIGH);
    return { price, vat_code, turnover_group_id: groupOf(vat_code), ...changes };
  };
  const ordered = async (lines: Json[], changes: Json = {}) => {
    const contact_id = changes.contact_id ?? (await buildBuyer(client)).id;
    const order = await build(client, 'order', { order_type: ordertypes.WORKSHOP, ...changes, contact_id });
    for (const one of lines) await addLine(client, order.id, one);
    return Number(order.id);
  };
  const invoiced = async (id: number) => {
    const answer = await invoiceIt(client, id);
    expect(answer.status, answer.text).to.equal(200);
    return answer.data;
  };
  const posted = async (path: string, body: Json) => {
    const answer = await client.post(path, body);
    expect(answer.status, answer.text).to.equal(201);
    return answer.data;
  };
  const pay = (order_id: number, amount: number, method: number, paid_at = new Date().toISOString()) =>
    posted('/payment', { order_id, amount, method, paid_at });
  const credit = (order_id: number, changes: Json = {}) =>
    posted('/order/credit', { order_id, is_invoiced: 1, ...changes });
  const deposit = async (order_id: number, amount: number) =>
    invoiced((await posted('/order/deposit', { order_id, amount })).id);
  const purchase = (lines: Json[], supplier_invoice_number: string) =>
    ordered(lines, {
      order_type: ordertypes.VEHICLE_PURCHASE,
      purchase_proof: LISTS.purchaseproofs.SUPPLIER_INVOICE,
      supplier_invoice_number,
    });
  const tradeIn = { line_kind: linekinds.TRADE_IN };

  // Under reverse charge of a Dutch seller. Both lines together round to other cents than each alone.
  const reversed = { vat_code: REVERSE_CHARGE };
  await invoiced(await purchase([line(10.02, reversed), line(10.02, { ...reversed, ...tradeIn })], 'R-1'));
  const returned = await invoiced(await purchase([line(5000.03), line(10, { vat_code: LOW })], 'R-2'));
  await pay(returned.id, 1000, paymentmethods.BANK);
  await credit(returned.id);

  // A trade-in with VAT, and cents that only the invoice rounds.
  const cents = Array.from({ length: 3 }, () => line(0.07));
  await invoiced(await ordered([...cents, line(1000.33), line(499.99, { ...tradeIn, quantity: -1 })]));

  // Prices with VAT, a deposit, and cash that is two cents short.
  const target = await ordered([line(249.02), line(15.95, { vat_code: LOW })], { is_vat_included: 1 });
  const { id } = await deposit(target, 100);
  await pay(id, 100, paymentmethods.CASH);
  const rest = await invoiced(target);
  await pay(rest.id, Math.floor(rest.amount_open * 20) / 20, paymentmethods.CASH);

  // A car under the margin scheme with a discount and a deposit, sold and taken back; and one that was paid before its
  // invoice.
  for (const isBack of [true, false]) {
    const vehicle = await stockCar(client);
    const margin = { turnover_group_id: groupOf(MARGIN), purchase_price: 8_500 };
    const sale = await saleOf(client, Number(vehicle.id), {}, margin);
    const discount = { vat_code: MARGIN, vehicle_id: vehicle.id, quantity: -1 };
    await addLine(client, sale.id, line(333.33, discount));
    await deposit(sale.id, 1000);
    const sold = await invoiced(sale.id);
    if (isBack) await credit(sold.id);
    else await pay(sold.id, 4000, paymentmethods.BANK, `${THIS_YEAR}-02-01T12:00:00Z`);
  }

  // A part of an invoice, and then the rest.
  const work = await invoiced(await ordered([line(33.33, { quantity: 3 }), line(0.03)]));
  const [first] = (await client.get(`/order/${work.id}?expand=orderline`)).data.orderline;
  await credit(work.id, { orderline: [{ id: first.id, quantity: 1 }] });
  await credit(work.id);
}
