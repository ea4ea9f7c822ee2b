// Two garages: nothing of the workshop crosses from one to the other.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build } from '../../support/build/build.ts';
import { buildLeased, buildTyres, buildWork, move } from '../../support/build/work.ts';
import { type Client, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';

const { READY } = LISTS.orderstatuses;
const { STORED } = LISTS.tyresetstatuses;
const unknown = (field: string, id: number) => `Field: [${field}] value: [${id}] ID not found`;

describe('two garages', () => {
  let client: Client;
  let other: Client;
  before(async () => {
    [client, other] = [await newClient(), await newClient()];
  });

  it('start and stop their own employees only', async () => {
    const employee_id = (await build(other, 'employee')).id;
    const { id: order_id, orderline } = await buildWork(other);
    await other.post('/timeentry/start', { employee_id });

    expect(await client.post('/timeentry/start', { employee_id })).to.be.refused(
      404,
      unknown('employee_id', employee_id),
    );
    expect(await client.post('/timeentry/stop', { employee_id })).to.be.refused(
      404,
      unknown('employee_id', employee_id),
    );
    expect(await client.post('/timeentry/start', { order_id })).to.be.refused(
      404,
      unknown('order_id', order_id),
    );
    expect(await client.post('/timeentry/start', { orderline_id: orderline.id })).to.be.refused(
      404,
      unknown('orderline_id', orderline.id),
    );
    expect((await other.get('/timeentry?filter=ended_at[null]:1')).data).to.have.length(1);
    expect((await client.get('/timeentry')).data).to.deep.equal([]);
  });

  it('compare mileages with their own readings, and judge them by their own minimum', async () => {
    await other.put(`/owner/${other.garage.owner}`, { okr_minimum: 0 });
    const foreign = (await build(other, 'vehicle', { mileage: 90_000 })).id;
    const contact_id = (await build(client, 'contact')).id;
    const body = { order_type: 1, order_date: '2026-05-01', contact_id, vehicle_id: foreign, mileage: 1 };
    const { id } = await buildWork(client, { vehicle_id: (await build(client, 'vehicle')).id, mileage: 1 });

    expect(await client.post('/order', body)).to.be.refused(404, unknown('vehicle_id', foreign));
    await move(client, id, READY);

    expect((await client.get('/mileagereading')).data).to.have.length(1);
    expect((await client.get('/mileagereading')).data[0]).to.include({
      report_status: LISTS.reportstatuses.NOT_NEEDED,
    });
    expect((await other.get('/mileagereading')).data).to.deep.equal([]);
  });

  it('have shelves of their own, and swap their own tyres', async () => {
    const foreign = await buildTyres(other, 'A-1');
    const own = await buildTyres(client, 'A-1');

    for (const name of ['vehicle_id', 'out_tyreset_id', 'in_tyreset_id'] as const) {
      const answer = await client.put('/tyreset/swap', { ...own.swap, [name]: foreign.swap[name] });
      expect(answer).to.be.refused(404, unknown(name, foreign.swap[name]));
    }
    expect((await client.put('/tyreset/swap', own.swap)).status).to.equal(200);
    expect((await other.get(`/tyreset/${foreign.stored.id}`)).data).to.include({ tyreset_status: STORED });
  });

  it('approve their own orders', async () => {
    const [foreign, own] = [await buildLeased(other), await buildLeased(client)];
    const post = (order_id: number, contact_id: number) =>
      client.post('/leaseapproval', { order_id, contact_id });

    expect(await post(foreign.id, own.payer.id)).to.be.refused(404, unknown('order_id', foreign.id));
    expect(await post(own.id, foreign.payer.id)).to.be.refused(404, unknown('contact_id', foreign.payer.id));
  });
});
