// Time entries: an employee works on one thing at a time, an order knows its hours, and no time runs on an invoice.
import { resourceNamed } from '../../../src/core/model/records/registry.ts';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build } from '../../support/build/build.ts';
import { buildWork, move } from '../../support/build/work.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { importJson } from '../../support/client/import.ts';
import { force } from '../../support/client/resources.ts';
import { AT_ONCE, atOnce, locked } from '../../support/database/at-once.ts';

const { ORDER, INVOICE, CANCELLED } = LISTS.orderstatuses;
const START = '2026-05-01T08:00:00.000Z';
const RUNNING = '[employee] is [running], cannot add/update/delete';

describe('a time entry', () => {
  let client: Client;
  let employee_id: number;
  /** As far in the future as the clock of a caller may be. */
  let ahead: number;
  beforeEach(async () => {
    ahead = Date.now() + 4 * 60_000;
    client = await newClient();
    employee_id = (await build(client, 'employee')).id;
  });
  const post = (more: Json = {}) => client.post('/timeentry', { employee_id, started_at: START, ...more });
  const start = (more: Json = {}) => client.post('/timeentry/start', { employee_id, ...more });
  const stop = () => client.post('/timeentry/stop', { employee_id });
  const entries = async (filter = `employee_id:${employee_id}`): Promise<Json[]> =>
    (await client.get(`/timeentry?sort=id&filter=${filter}`)).data;
  const hoursOf = async (order: number) => (await client.get(`/order/${order}`)).data.hours_worked;

  it('has hours with four decimals once it has ended', async () => {
    const { data } = await post();
    const ended = await client.put(`/timeentry/${data.id}`, { ended_at: '2026-05-01T08:20:00Z' });

    expect(data).to.include({ ended_at: null, hours: null });
    expect(ended.data.hours).to.equal(0.3333);
    expect(await client.put(`/timeentry/${data.id}`, { hours: 2 })).to.be.refused(
      403,
      'Field: [hours] is readonly do not supply in request',
    );
  });

  it('is the only one of its employee that runs', async () => {
    const { data: first } = await post();
    const { data: second } = await post({ ended_at: '2026-05-01T09:00:00Z' });
    const other = (await build(client, 'timeentry')).id;

    expect(await post()).to.be.refused(409, RUNNING);
    expect(await client.put(`/timeentry/${second.id}`, { ended_at: null })).to.be.refused(409, RUNNING);
    expect(await client.put(`/timeentry/${other}`, { employee_id })).to.be.refused(409, RUNNING);
    expect((await client.put(`/timeentry/${first.id}`, { notes: 'Wielen' })).status).to.equal(200);
    await client.put(`/timeentry/${first.id}`, { ended_at: '2026-05-01T08:01:00Z' });
    expect((await client.put(`/timeentry/${second.id}`, { ended_at: null })).status).to.equal(200);
  });

  it('is the only one that runs, also after many requests at once', async () => {
    const answers = await atOnce(client, ['employee', employee_id], () => post());

    expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, ...Array(AT_ONCE - 1).fill(409)]);
    expect(await entries()).to.have.length(1);
  });

  it('starts where the running one ends, also with many starts at once', async () => {
    const answers = await atOnce(client, ['employee', employee_id], () => start());

    const all = await entries();
    expect(answers.map(({ status }) => status)).to.deep.equal(Array(AT_ONCE).fill(201));
    expect(all.filter(({ ended_at }) => ended_at === null)).to.have.length(1);
    const inTime = all.toSorted((one, other) => (String(one.started_at) < String(other.started_at) ? -1 : 1));
    expect(inTime.slice(0, -1).map(({ ended_at }) => ended_at)).to.deep.equal(
      inTime.slice(1).map(({ started_at }) => started_at),
    );
  });

  it('goes on for a colleague who gets it while its employee starts another', async () => {
    const colleague = (await build(client, 'employee')).id;
    const { data: entry } = await post();

    const { given, started } = await locked(client, ['timeentry', entry.id], async (waiting) => {
      const first = client.put(`/timeentry/${entry.id}`, { employee_id: colleague });
      await waiting(1);
      const second = start();
      await waiting(2);
      return { given: first, started: second };
    });

    expect([(await given).status, (await started).status]).to.deep.equal([200, 201]);
    const [moved] = await entries(`employee_id:${colleague}`);
    expect(moved).to.include({ id: entry.id, ended_at: null });
  });

  it('ends a millisecond after its start at the earliest', async () => {
    const [begun, end, later] = [0, 1, 2].map((more) => new Date(ahead + more).toISOString());
    await post({ started_at: begun });

    const next = await start();
    const stopped = await stop();

    expect(next.data.started_at).to.equal(end);
    expect((await entries())[0]).to.include({ ended_at: end, hours: 0 });
    expect(stopped.data.ended_at).to.equal(later);
  });

  it('does not run before it begins', async () => {
    const started_at = '2099-01-01T08:00:00.000Z';
    const refusal = `Field: [started_at] has an invalid value: [${started_at}] for validation: [not in the future]`;
    const planned = (await post({ started_at, ended_at: '2099-01-01T09:00:00Z' })).data;
    const { id } = (await post()).data;

    expect(await post({ started_at })).to.be.refused(403, refusal);
    expect(await client.put(`/timeentry/${id}`, { started_at })).to.be.refused(403, refusal);
    expect(await client.put(`/timeentry/${planned.id}`, { ended_at: null })).to.be.refused(403, refusal);
    expect((await client.put(`/timeentry/${planned.id}`, { notes: 'Wielen' })).status).to.equal(200);
    const { rows } = await importJson(client, 'resource=timeentry', [{ employee_id, started_at }]);
    expect(rows[0].errors[0]).to.include({ message: refusal, field: 'started_at' });
    expect(await entries()).to.have.length(2);
  });

  it('begins now if the one before begins in the future, as an older release accepted', async () => {
    const { id } = (await post()).data;
    await force(resourceNamed('timeentry'), id, { started_at: '2099-01-01 08:00:00.000' });

    expect((await client.put(`/timeentry/${id}`, { notes: 'Wielen' })).status).to.equal(200);
    const { data } = await start();

    expect((await entries())[0]).to.include({ ended_at: '2099-01-01T08:00:00.001Z', hours: 0 });
    expect(Date.parse(data.started_at)).to.be.below(ahead);
    expect((await stop()).data.id).to.equal(data.id);
  });

  it('is started and stopped by the caller, where no employee is named', async () => {
    const begun = await client.post('/timeentry/start');
    const { status, data } = await client.post('/timeentry/stop');

    expect(begun.status, begun.text).to.equal(201);
    expect(begun.headers.get('location')).to.match(new RegExp(`/v2/timeentry/${begun.data.id}$`));
    expect(status).to.equal(200);
    expect(data).to.include({ id: begun.data.id, employee_id: begun.data.employee_id });
    expect(data.ended_at > data.started_at).to.equal(true);
    expect(await stop()).to.be.refused(409, '[employee] is [not running], cannot add/update/delete');
  });

  it('takes the order of its line, and no other', async () => {
    const { id: order_id, orderline } = await buildWork(client);
    const other = await buildWork(client);
    const refusal = `Field: [orderline_id] has an invalid value: [${orderline.id}] for validation: [line of the order]`;

    expect((await start({ orderline_id: orderline.id })).data).to.include({ order_id });
    expect(await start({ orderline_id: orderline.id, order_id: other.id })).to.be.refused(403, refusal);
    expect(await start({ orderline_id: 2147483647 })).to.be.refused(
      404,
      'Field: [orderline_id] value: [2147483647] ID not found',
    );
    expect(await entries()).to.have.length(1);
  });

  it('is the same record if it is to have no order beside its line', async () => {
    const { orderline } = await buildWork(client);
    const { id } = (await start({ orderline_id: orderline.id })).data;
    const before = await client.get(`/timeentry/${id}`);

    const after = await client.put(`/timeentry/${id}`, { order_id: null });

    expect(after.status, after.text).to.equal(200);
    expect(after.data).to.deep.equal(before.data);
    expect(after.headers.get('etag')).to.equal(before.headers.get('etag'));
  });

  it('is refused for a blocked or archived order, also if only a line names the order', async () => {
    for (const [field, refusal] of [
      ['is_blocked', 'This is a blocked record, fields cannot be changed, only update: is_blocked'],
      ['is_archived', 'This is an archived record, fields cannot be changed, only update: is_archived'],
    ] as const) {
      const { id: order_id, orderline } = await buildWork(client);
      const { id } = await build(client, 'timeentry', { ended_at: '2026-05-02' });
      await client.put(`/order/${order_id}`, { [field]: 1 });

      for (const work of [{ order_id }, { orderline_id: orderline.id }]) {
        expect(await post(work)).to.be.refused(409, refusal);
        expect(await start(work)).to.be.refused(409, refusal);
        expect(await client.put(`/timeentry/${id}`, work)).to.be.refused(409, refusal);
      }
    }
  });

  it('adds to the hours of its order, and moves them with it', async () => {
    const [one, other] = [await buildWork(client), await buildWork(client)];
    const { data } = await post({ order_id: one.id, ended_at: '2026-05-01T09:30:00Z' });
    await post({ order_id: one.id, ended_at: '2026-05-01T08:20:00Z' });

    expect([one.hours_worked, await hoursOf(one.id)]).to.deep.equal([0, 1.8333]);
    await client.put(`/timeentry/${data.id}`, { order_id: other.id });
    expect([await hoursOf(one.id), await hoursOf(other.id)]).to.deep.equal([0.3333, 1.5]);
    await client.del(`/timeentry/${data.id}`);
    expect(await hoursOf(other.id)).to.equal(0);
  });

  for (const [name, status] of [
    ['invoice', INVOICE],
    ['cancelled', CANCELLED],
  ] as const) {
    it(`ends when its order becomes ${name}, and then stays as it is`, async () => {
      const [order, free] = [await buildWork(client), await buildWork(client)];
      const frozen = `[order] is [${name}], cannot add/update/delete`;
      const running = (await start({ order_id: order.id })).data;
      const elsewhere = (await build(client, 'timeentry', { order_id: free.id })).id;

      const moved = await move(client, order.id, status);

      const { data } = await client.get(`/timeentry/${running.id}`);
      expect(moved.status, moved.text).to.equal(200);
      expect(data.ended_at > running.started_at).to.equal(true);
      expect(moved.data.hours_worked).to.equal(data.hours);
      for (const body of [{ notes: 'x' }, { ended_at: null }, { foo: 1 }])
        expect(await client.put(`/timeentry/${running.id}`, body)).to.be.refused(409, frozen);
      expect(await client.put(`/timeentry/${elsewhere}`, { order_id: order.id })).to.be.refused(409, frozen);
      expect(await client.del(`/timeentry/${running.id}`)).to.be.refused(409, frozen);
      expect(await start({ order_id: order.id })).to.be.refused(409, frozen);
      expect(await start({ orderline_id: order.orderline.id })).to.be.refused(409, frozen);
      expect(await post({ order_id: order.id, foo: 1 })).to.be.refused(409, frozen);
    });
  }

  it('can change again when its order is taken back', async () => {
    const order = await buildWork(client);
    const { data } = await post({ order_id: order.id, ended_at: '2026-05-01T09:00:00Z' });
    await move(client, order.id, CANCELLED);

    await move(client, order.id, ORDER);

    expect((await client.del(`/timeentry/${data.id}`)).status).to.equal(200);
  });

  it('is part of an invoice, or refused, where both come at once', async () => {
    const order = await buildWork(client);
    const { id: order_id } = order;
    const workers = await Promise.all(Array.from({ length: AT_ONCE }, () => build(client, 'employee')));

    const answers = await atOnce(client, ['order', order_id], (index) =>
      index === 0
        ? move(client, order_id, INVOICE)
        : client.post('/timeentry/start', { employee_id: workers[index]?.id, order_id }),
    );

    expect(answers[0]?.status, answers[0]?.text).to.equal(200);
    const all = await entries(`order_id:${order_id}`);
    expect(all.map(({ ended_at }) => ended_at)).not.to.include(null);
    expect(answers.filter(({ status }) => status === 201)).to.have.length(all.length);
  });
});
