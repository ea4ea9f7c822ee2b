// An order becomes an invoice while its payer, or the owner of its car, is anonymised: the invoice is listed as kept,
// or it holds nothing of that person.
import { SALES, seriesCounter } from '../../../src/core/trade/invoice-number.ts';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build, buildBuyer, buildInvoice } from '../../support/build/build.ts';
import { addLine, invoiceIt, orderIn } from '../../support/build/order.ts';
import { type Client, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { waitingFor } from '../../support/database/at-once.ts';
import { select } from '../../support/database/sql.ts';
import { tablesWith } from '../../support/files/leak.ts';
import { database } from '../../support/service/service.ts';
import { until } from '../../support/service/until.ts';
import { anonymise, LAST_DAY } from './scene.ts';

const { READY, INVOICE } = LISTS.orderstatuses;
const { OWNER } = LISTS.vehicleroles;
/** Anonymising takes the turn of jobs last. */
const TURN = ['job_turns', 'turns > ?', 0] as const;
const NUMBERS = ['counters', 'name LIKE ?', seriesCounter(SALES, '%')] as const;

describe('an invoice that is made while somebody is anonymised', function () {
  this.timeout(60_000);
  let client: Client;
  let serial = 0;
  let name: string;
  let person: number;
  let other: number;
  let vehicle: { id: number; license_plate: string };
  before(async () => {
    client = await newClient();
    // Makes the rows that the tests hold.
    await anonymise(client, (await buildInvoice(client)).contact_id);
  });
  beforeEach(async () => {
    serial += 1;
    name = `Zonnebloemhof${serial}`;
    person = (await buildBuyer(client, { last_name: name })).id;
    other = (await buildBuyer(client)).id;
    vehicle = await build(client, 'vehicle');
    const role = { vehicle_id: vehicle.id, contact_id: person, role_kind: OWNER, start_date: '2020-01-01' };
    await build(client, 'vehicleroleline', role);
  });

  const waits = async () => {
    const counts = await Promise.all(['orders', 'contacts', 'vehicles'].map(waitingFor));
    return counts.some((count) => count > 0);
  };

  /** Begins `second` while `first` waits for held rows, and frees these once `second` waits or is done. */
  async function meet<First, Second>(
    [table, condition, value]: readonly [table: string, condition: string, value: string | number],
    first: () => Promise<First>,
    second: () => Promise<Second>,
  ): Promise<[First, Second]> {
    const begun = await database().transaction(async (session) => {
      const held = `SELECT 1 FROM ${table} WHERE owner_id = ? AND ${condition} FOR UPDATE`;
      expect(await select(session, held, [client.garage.owner, value])).to.not.deep.equal([]);
      const one = first();
      await until(async () => (await waitingFor(table)) > 0);
      let isDone = false;
      const two = second().finally(() => {
        isDone = true;
      });
      await until(async () => isDone || (await waits()));
      // Not awaited here: they end when this transaction has.
      return { one, two };
    });
    return [await begun.one, await begun.two];
  }

  for (const whom of ['the order names', 'the same request names'])
    it(`is refused without the address of the payer whom ${whom}`, async () => {
      const payer = { invoice_contact_id: person };
      const isNamed = whom === 'the order names';
      const { id } = await orderIn(client, READY, { contact_id: other, ...(isNamed && payer) });

      const [anonymised, invoiced] = await meet(
        TURN,
        () => anonymise(client, person),
        () => client.put(`/order/${id}`, { order_status: INVOICE, ...(!isNamed && payer) }),
      );

      expect(invoiced.body.errors?.[0]).to.include({ resource: 'contact', id: person });
      expect(anonymised.data.kept).to.deep.equal([]);
      expect(await tablesWith([name])).to.deep.equal({});
    });

  for (const place of ['head', 'line', 'request'])
    it(`does not copy the plate of the car in its ${place}`, async () => {
      const car = { vehicle_id: vehicle.id };
      const { id } = await orderIn(client, READY, { contact_id: other, ...(place === 'head' && car) });
      if (place === 'line') await addLine(client, id, car);

      const [anonymised, invoiced] = await meet(
        TURN,
        () => anonymise(client, person),
        () => client.put(`/order/${id}`, { order_status: INVOICE, ...(place === 'request' && car) }),
      );

      expect([anonymised.status, invoiced.status], invoiced.text).to.deep.equal([200, 200]);
      const { data } = await client.get(`/order/${id}?expand=invoiceparty`);
      const [copy] = data.invoiceparty[0].vehicles;
      expect(copy.license_plate).to.match(/^ANON-/);
      expect(await tablesWith([vehicle.license_plate])).to.deep.equal({});
    });

  it('is listed as kept, or refused, if it came first', async () => {
    const { id } = await orderIn(client, READY, { contact_id: other, invoice_contact_id: person });

    const [invoiced, anonymised] = await meet(
      NUMBERS,
      () => invoiceIt(client, id),
      () => anonymise(client, person),
    );

    // The server may undo either of the two, which then begins anew.
    const isThere = invoiced.status === 200;
    const kept = isThere ? [{ invoice_number: invoiced.data.invoice_number, until: LAST_DAY }] : [];
    expect(anonymised.data.kept).to.deep.equal(kept);
    expect(await tablesWith([name])).to.deep.equal(isThere ? { invoiceparties: 1 } : {});
  });

  it('collides on other nodes of a cluster too, since each open order is written, though it stays', async () => {
    const own = await build(client, 'order', { contact_id: person });
    const paid = await build(client, 'order', { contact_id: other, invoice_contact_id: person });
    const read = async ({ id }: { id: number }) => (await client.get(`/order/${id}`)).data;
    const locks = async () =>
      (await select(database(), 'SELECT lock_count FROM orders WHERE id IN (?, ?)', [own.id, paid.id])).map(
        ({ lock_count }) => Number(lock_count),
      );
    const before = [await locks(), await read(own), await read(paid)];

    await anonymise(client, person);

    expect([await locks(), await read(own), await read(paid)]).to.deep.equal([[1, 1], ...before.slice(1)]);
    expect(before[0]).to.deep.equal([0, 0]);
  });
});
