// The mileage of an order: not far below the last reading of the car, and kept as a reading when the order is ready.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build } from '../../support/build/build.ts';
import { buildWork, move } from '../../support/build/work.ts';
import { logOf } from '../../support/client/changes.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { importJson } from '../../support/client/import.ts';

const { IN_PROGRESS, READY, INVOICE } = LISTS.orderstatuses;
const { DUE, SENT, NOT_NEEDED } = LISTS.reportstatuses;
const { LOW } = LISTS.vatcodes;
const below = (mileage: number) =>
  `Field: [mileage] has an invalid value: [${mileage}] for validation: [mileage below the last reading]`;

describe('the mileage of an order', () => {
  let client: Client;
  let vehicle_id: number;
  beforeEach(async () => {
    client = await newClient();
    vehicle_id = (await build(client, 'vehicle', { mileage: 50_000 })).id;
  });
  const work = (mileage: number, price = 100) => buildWork(client, { vehicle_id, mileage }, { price });
  const post = async (more: Json) =>
    client.post('/order', { order_type: 1, order_date: '2026-05-01', contact_id: await contact(), ...more });
  const contact = async () => (await build(client, 'contact')).id;
  const readings = async (): Promise<Json[]> => (await client.get('/mileagereading?sort=id')).data;
  const mileage = async () => (await client.get(`/vehicle/${vehicle_id}`)).data.mileage;

  it('is due by the lines of the same request', async () => {
    const ready = async (key: string, before: number, after: number) => {
      const line = { external_id: `${key}-l1`, line_kind: 2, description: 'Beurt', quantity: 1, vat_code: 1 };
      const body = {
        ...{ order_type: 1, order_date: '2026-05-01', contact_id: await contact(), vehicle_id },
        mileage: 51_000,
      };
      const put = async (more: Json) => {
        const { status, text } = await client.put(`/order?external_id=${key}`, { ...body, ...more });
        expect(status, text).to.be.oneOf([200, 201]);
      };
      await put({ orderline: [{ ...line, price: before }] });
      await put({ order_status: READY, orderline: [{ ...line, price: after }] });
    };

    await ready('W-1', 10, 500);
    await ready('W-2', 500, 10);

    expect((await readings()).map(({ report_status }) => report_status)).to.deep.equal([DUE, NOT_NEEDED]);
  });

  it('is 100 below that of the vehicle at most, where nothing was read', async () => {
    expect((await post({ vehicle_id, mileage: 49_900 })).status).to.equal(201);
    expect(await post({ vehicle_id, mileage: 49_899 })).to.be.refused(403, below(49_899));
    expect((await post({ mileage: 1 })).status).to.equal(201);
    expect((await post({ vehicle_id, mileage: 1, is_mileage_confirmed: 1 })).status).to.equal(201);
    expect(await post({ vehicle_id, mileage: 1, is_mileage_confirmed: 0 })).to.be.refused(403, below(1));
  });

  it('is compared with the latest reading, where there is one', async () => {
    await build(client, 'mileagereading', { vehicle_id, reading: 90_000, read_at: '2026-01-01' });
    await build(client, 'mileagereading', { vehicle_id, reading: 70_000, read_at: '2026-02-01' });

    expect((await post({ vehicle_id, mileage: 69_900 })).status).to.equal(201);
    expect(await post({ vehicle_id, mileage: 69_899 })).to.be.refused(403, below(69_899));
  });

  it('is compared with no reading that is dated ahead', async () => {
    await build(client, 'mileagereading', { vehicle_id, reading: 90_000, read_at: '2062-05-01' });

    expect((await post({ vehicle_id, mileage: 49_900 })).status).to.equal(201);
    expect(await post({ vehicle_id, mileage: 49_899 })).to.be.refused(403, below(49_899));
    await build(client, 'mileagereading', { vehicle_id, reading: 70_000, read_at: '2026-02-01' });
    expect((await post({ vehicle_id, mileage: 69_900 })).status).to.equal(201);
    expect(await post({ vehicle_id, mileage: 69_899 })).to.be.refused(403, below(69_899));
  });

  it('is judged when it or the vehicle changes, and only then', async () => {
    const { id } = await work(60_000);
    const other = (await build(client, 'vehicle', { mileage: 80_000 })).id;
    await build(client, 'mileagereading', { vehicle_id, reading: 70_000, read_at: '2026-02-01' });
    const put = (body: Json) => client.put(`/order/${id}`, body);

    expect((await put({ description: 'Beurt', mileage: 60_000 })).status).to.equal(200);
    expect(await put({ mileage: 60_001 })).to.be.refused(403, below(60_001));
    expect(await put({ vehicle_id: other })).to.be.refused(403, below(60_000));
    expect((await put({ vehicle_id: other, is_mileage_confirmed: 1 })).status).to.equal(200);
  });

  it('is confirmed by the request alone: neither record nor log keeps that', async () => {
    const { data } = await post({ vehicle_id, mileage: 1, is_mileage_confirmed: 1 });
    const same = await client.put(`/order/${data.id}`, { mileage: 1, is_mileage_confirmed: 1 });
    await client.put(`/order/${data.id}`, { mileage: 2, is_mileage_confirmed: 1 });

    expect(data).not.to.have.property('is_mileage_confirmed');
    expect(same.data.modified_at).to.equal(data.modified_at);
    const log = (await logOf(client.garage.owner, 'order')).map(({ changes }) => changes);
    expect(log).to.deep.equal([null, '{"mileage":[1,2]}']);
  });

  it('becomes a reading and the mileage of the vehicle, once for each order and mileage', async () => {
    const { id } = await work(51_000);
    await move(client, id, READY);
    await move(client, id, IN_PROGRESS);
    await move(client, id, READY);
    await move(client, id, IN_PROGRESS);
    const { data } = await move(client, id, INVOICE, { mileage: 51_005 });

    expect(data, JSON.stringify(data)).to.include({ is_invoiced: 1 });
    const all = await readings();
    expect(all.map(({ reading, order_id }) => [reading, order_id])).to.deep.equal([
      [51_000, id],
      [51_005, id],
    ]);
    expect(all[0]).to.include({ vehicle_id, report_status: NOT_NEEDED, reported_at: null });
    expect(await mileage()).to.equal(51_005);
  });

  it('is due to be reported where the work is worth more than the minimum', async () => {
    const [small, large] = [await work(51_000, 123.97), await work(51_001, 123.98)];
    await move(client, small.id, READY);
    await move(client, large.id, READY);
    await client.put(`/owner/${client.garage.owner}`, { okr_minimum: 151 });
    await move(client, (await work(51_002, 124)).id, READY);

    expect((await readings()).map(({ report_status }) => report_status)).to.deep.equal([
      NOT_NEEDED,
      DUE,
      NOT_NEEDED,
    ]);
  });

  it('is judged again at the invoice, unless it was sent', async () => {
    const [open, sent] = [await work(51_000, 100), await work(51_001, 100)];
    for (const { id } of [open, sent]) await move(client, id, READY);
    const [, second] = await readings();
    await client.put(`/mileagereading/${second?.id}`, { report_status: SENT, reported_at: '2026-05-01' });
    for (const { id: order_id } of [open, sent]) {
      await build(client, 'orderline', { order_id, line_kind: 2, quantity: 1, price: 100, vat_code: 1 });
      expect((await move(client, order_id, INVOICE)).status).to.equal(200);
    }

    expect((await readings()).map(({ report_status }) => report_status)).to.deep.equal([DUE, SENT]);
  });

  it('is due by the VAT rates of the invoice, and by the work before deposits are taken off', async () => {
    // 152.60 with 9 % VAT, and 148.40 with the 6 % of 2018.
    const low = await buildWork(client, { vehicle_id, mileage: 51_000 }, { price: 140, vat_code: LOW });
    const paid = await work(51_001, 200);
    const { data: deposit } = await client.post('/order/deposit', { order_id: paid.id, amount: 200 });
    await move(client, deposit.id, INVOICE);

    const invoices = [
      await move(client, low.id, INVOICE, { supply_date: '2018-12-15' }),
      await move(client, paid.id, INVOICE),
    ];

    expect(invoices.map(({ data }) => data.total_gross)).to.deep.equal([148.4, 42]);
    expect((await readings()).map(({ reading, report_status }) => [reading, report_status])).to.deep.equal([
      [51_000, NOT_NEEDED],
      [51_001, DUE],
    ]);
  });

  it('of an order that is imported as an invoice makes no reading, and is not judged', async () => {
    await build(client, 'vehicle', { external_id: 'V', mileage: 90_000 });
    const { rows } = await importJson(client, 'resource=order&history=1', [
      {
        order_type: 1,
        order_date: '2019-03-01',
        invoice_number: '201900042',
        invoice_date: '2019-03-04T10:00:00Z',
        contact_id: await contact(),
        vehicle_external_id: 'V',
        mileage: 12_000,
        orderline: [{ line_kind: 2, description: 'Beurt', quantity: 1, price: 900, vat_code: 1 }],
      },
    ]);

    expect(rows[0]).to.include({ status: 'created' });
    expect(await readings()).to.deep.equal([]);
  });
});
