// Orders with deposits, as the tests of deposits make them; `client` and the contact may be known later.
import { build } from '../../support/build/build.ts';
import { addLine, invoiceIt, read } from '../../support/build/order.ts';
import type { Client, Json } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';

export function depositing(client: () => Client, contact: () => number) {
  /** An order with these lines. */
  async function orderOf(lines: readonly Json[], more: Json = {}) {
    const { id } = await build(client(), 'order', { contact_id: contact(), ...more });
    for (const line of lines) await addLine(client(), id, line);
    return read(client(), id);
  }
  const post = (order_id: number, amount: unknown) => client().post('/order/deposit', { order_id, amount });
  async function deposit(order_id: number, amount: number) {
    const answer = await post(order_id, amount);
    expect(answer.status, answer.text).to.equal(201);
    return answer.data;
  }
  async function invoiced(id: number) {
    const answer = await invoiceIt(client(), id);
    expect(answer.status, answer.text).to.equal(200);
    return read(client(), id);
  }
  const paidDeposit = async (order_id: number, amount: number) =>
    invoiced((await deposit(order_id, amount)).id);
  const credit = (order_id: number, more: Json = {}) =>
    client().post('/order/credit', { order_id, is_invoiced: 1, ...more });
  const statusOf = async (id: number) => (await read(client(), id)).order_status;
  // biome-ignore lint/suspicious/noExplicitAny: a record as it is answered
  const shown = ({ orderline }: any) =>
    orderline.map((line: Json) => [
      line.line_kind,
      line.vat_code,
      line.quantity,
      line.price,
      line.line_gross,
    ]);
  return { orderOf, post, deposit, invoiced, paidDeposit, credit, statusOf, shown };
}
