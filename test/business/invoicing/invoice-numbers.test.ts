// Invoice numbers have no gap and no double, whatever fails or runs at once.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { buildBuyer } from '../../support/build/build.ts';
import { THIS_YEAR } from '../../support/build/day.ts';
import { invoiceIt, orderIn } from '../../support/build/order.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';

const { INVOICE, ORDER } = LISTS.orderstatuses;
const MANY = 50;

describe('invoice numbers', () => {
  let client: Client;
  let contact_id: number;
  beforeEach(async () => {
    client = await newClient();
    contact_id = (await buildBuyer(client)).id;
  });

  const numbers = async () => {
    const { data } = await client.get('/order?filter=is_invoiced:1&sort=invoice_number&page_size=1000');
    return data.map(({ invoice_number }: { invoice_number: string }) => invoice_number);
  };
  const upTo = (count: number) =>
    Array.from({ length: count }, (_, index) => `F${THIS_YEAR}${String(index + 1).padStart(5, '0')}`);

  it(`are 1 to ${MANY / 2} if half of ${MANY} simultaneous requests fail`, async () => {
    await orderIn(client, ORDER, { contact_id, external_id: 'taken' });
    const orders: number[] = [];
    for (let count = 0; count < MANY; count += 1)
      orders.push((await orderIn(client, ORDER, { contact_id })).id);
    // The first two fail when the number is given already, the others before that.
    const failures: Json[] = [
      { external_id: 'taken' },
      { employee_id: 2147483647 },
      { order_type: 2 },
      { mileage: -1 },
    ];

    const answers = await Promise.all(
      orders.map((id, index) => {
        const failure = index % 2 === 0 ? failures[(index / 2) % failures.length] : {};
        return client.put(`/order/${id}`, { order_status: INVOICE, ...failure });
      }),
    );

    expect(answers.map(({ status }) => status < 300)).to.deep.equal(
      orders.map((_, index) => index % 2 === 1),
    );
    expect(await numbers()).to.deep.equal(upTo(MANY / 2));
  });

  it('are used once if an order is invoiced many times at once', async () => {
    const { id } = await orderIn(client, ORDER, { contact_id });

    const answers = await Promise.all(Array.from({ length: 20 }, () => invoiceIt(client, id)));

    expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
    expect(answers.filter(({ status }) => status === 409)).to.have.length(19);
    expect(await numbers()).to.deep.equal(upTo(1));
  });

  it('are separate for each owner, and continue under another prefix', async () => {
    const other = await newClient();
    await orderIn(client, INVOICE, { contact_id });
    await client.put(`/owner/${client.garage.owner}`, { invoice_prefix: null });
    await orderIn(client, INVOICE, { contact_id });
    await client.put(`/owner/${client.garage.owner}`, { invoice_prefix: 'ABCDEFGHIJ' });

    expect((await orderIn(client, INVOICE, { contact_id })).invoice_number).to.equal(
      `ABCDEFGHIJ${THIS_YEAR}00003`,
    );
    expect((await orderIn(other, INVOICE)).invoice_number).to.equal(`F${THIS_YEAR}00001`);
    expect(await numbers()).to.include.members([`${THIS_YEAR}00002`, `F${THIS_YEAR}00001`]);
  });

  it('stand on invoices with totals of all accepted lines', async () => {
    const { id } = await orderIn(client, ORDER, { contact_id });
    const line = { order_id: id, line_kind: 1, description: 'x', quantity: 1, price: 100, vat_code: 1 };

    const [invoiced, ...lines] = await Promise.all([
      invoiceIt(client, id),
      ...Array.from({ length: 10 }, () => client.post('/orderline', line)),
    ]);

    const added = lines.filter(({ status }) => status === 201).length;
    expect(invoiced?.data.total_gross).to.equal(121 * (1 + added));
    expect(lines.filter(({ status }) => status === 409)).to.have.length(10 - added);
  });
});
