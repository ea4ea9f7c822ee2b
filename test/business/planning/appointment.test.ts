// No way of adding an appointment books anybody twice, and cancelling an order frees its time.

import { findAllOverlaps } from '../../../src/business/planning/occupied.ts';
import { bookingProblem } from '../../../src/cli/doctor-records.ts';
import { resourceNamed } from '../../../src/core/model/records/registry.ts';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build, buildBuyer } from '../../support/build/build.ts';
import { change, orderIn } from '../../support/build/order.ts';
import { buildWorkshop, OCCUPIED, time, type Workshop } from '../../support/build/workshop.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { importJson } from '../../support/client/import.ts';
import { force, messages, stranger } from '../../support/client/resources.ts';
import { AT_ONCE, atOnce } from '../../support/database/at-once.ts';
import { database } from '../../support/service/service.ts';

const { PLANNED, DONE, CANCELLED, NO_SHOW } = LISTS.appointmentstatuses;

describe('an appointment', () => {
  let client: Client;
  let shop: Workshop;
  before(async () => {
    client = await newClient();
  });
  beforeEach(async () => {
    shop = await buildWorkshop(client);
  });

  const add = (start: string, end: string, more: Json = {}) =>
    client.post('/appointment', { ...time(start, end), ...shop, ...more });
  const put = (id: number, body: Json) => client.put(`/appointment/${id}`, body);
  const booked = async () =>
    (await client.get(`/appointment?filter=workplace_id:${shop.workplace_id}&sort=starts_at`)).data;

  it('needs an employee or a workplace', async () => {
    const message = 'Field: [employee_id] is required and not supplied in request';
    const { id } = (await add('09:00', '10:00', { employee_id: null })).data;

    expect(await client.post('/appointment', time('09:00', '10:00'))).to.be.refused(403, message);
    expect(await put(id, { workplace_id: null })).to.be.refused(403, message);
    expect((await put(id, shop)).status).to.equal(200);
  });

  it('ends after it starts', async () => {
    const { starts_at, ends_at } = time('10:00', '10:00');

    expect(await add('10:00', '10:00')).to.be.refused(
      403,
      `Field: [ends_at] value: [${ends_at}] date must be after Field: [starts_at] value: [${starts_at}]`,
    );
  });

  it('takes 31 days at most, alone, in an order and in an import', async () => {
    const starts_at = '2026-05-01T00:00:00.000Z';
    const ends_at = '2026-06-01T00:00:00.000Z';
    const tooLong = '2026-06-01T00:00:00.001Z';
    const refusal = (field: string, value: string) =>
      `Field: [${field}] has an invalid value: [${value}] for validation: [at most 31 days]`;
    const order = { order_type: 1, order_date: '2026-05-01', contact_id: (await buildBuyer(client)).id };
    const children = { ...order, appointment: [{ ...shop, starts_at, ends_at: tooLong }] };

    expect(await client.post('/appointment', { ...shop, starts_at, ends_at: tooLong })).to.be.refused(
      403,
      refusal('ends_at', tooLong),
    );
    expect(await client.post('/order', children)).to.be.refused(
      403,
      refusal('appointment[0].ends_at', tooLong),
    );
    const { rows } = await importJson(client, 'resource=order', [children]);
    expect(rows[0].errors[0].message).to.equal(refusal('appointment[0].ends_at', tooLong));
    const { id } = (await client.post('/appointment', { ...shop, starts_at, ends_at })).data;
    expect(await put(id, { starts_at: '2026-04-30' })).to.be.refused(403, refusal('ends_at', ends_at));
    expect(await booked()).to.have.length(1);
  });

  it('books neither an employee nor a workplace twice', async () => {
    expect((await add('09:00', '10:00')).status).to.equal(201);

    const both = await add('09:59', '10:30');
    expect(both).to.be.refused(409, OCCUPIED.workplace);
    expect(messages(both)).to.deep.equal([OCCUPIED.workplace, OCCUPIED.employee]);
    expect(both.body.errors[0]).to.include({ code: 'record_occupied', field: 'starts_at' });
    const other = await buildWorkshop(client);
    expect(await add('08:00', '11:00', { employee_id: other.employee_id })).to.be.refused(
      409,
      OCCUPIED.workplace,
    );
    expect(await add('09:10', '09:20', { workplace_id: null })).to.be.refused(409, OCCUPIED.employee);
    expect((await add('10:00', '10:30')).status).to.equal(201);
    expect((await add('08:30', '09:00')).status).to.equal(201);
    expect(await booked()).to.have.length(3);
  });

  it('is judged again when its time, employee, workplace or is_overtime changes', async () => {
    await add('09:00', '10:00');
    const other = await buildWorkshop(client);
    const { id } = (await add('09:00', '10:00', other)).data;

    expect(await put(id, { workplace_id: shop.workplace_id })).to.be.refused(409, OCCUPIED.workplace);
    expect(await put(id, { employee_id: shop.employee_id })).to.be.refused(409, OCCUPIED.employee);
    expect((await put(id, { ...shop, ...time('10:00', '11:00') })).status).to.equal(200);
    expect(await put(id, { starts_at: time('09:30', '').starts_at })).to.be.refused(409, OCCUPIED.workplace);
    expect((await put(id, { ends_at: time('', '12:00').ends_at })).status).to.equal(200);
    expect((await put(id, { description: 'Waits here', is_overtime: 1 })).status).to.equal(200);
  });

  it('books no blocked or archived employee or workplace, but accepts work that is done', async () => {
    const frozen = (resource: string, state: string) =>
      `[${resource}] is [${state}], cannot add/update/delete`;
    const { id } = (await add('09:00', '10:00')).data;
    await client.put(`/employee/${shop.employee_id}`, { is_blocked: 1 });
    await client.put(`/workplace/${shop.workplace_id}`, { is_archived: 1 });

    const refused = await add('10:00', '11:00');
    expect(refused).to.be.refused(409, frozen('workplace', 'archived'));
    expect(messages(refused)).to.deep.equal([frozen('workplace', 'archived'), frozen('employee', 'blocked')]);
    expect(await put(id, { ...time('11:00', '12:00'), workplace_id: null })).to.be.refused(
      409,
      frozen('employee', 'blocked'),
    );
    expect((await put(id, { description: 'Waits here' })).status).to.equal(200);
    expect((await put(id, { appointment_status: DONE })).status).to.equal(200);
    expect((await add('13:00', '14:00', { appointment_status: DONE })).status).to.equal(201);
    expect((await put(id, { ...(await buildWorkshop(client)) })).status).to.equal(200);
  });

  it('takes no time if it is cancelled or missed, and is judged when it is planned again', async () => {
    for (const appointment_status of [CANCELLED, NO_SHOW]) {
      const { id } = (await add('09:00', '10:00')).data;
      expect((await put(id, { appointment_status })).status).to.equal(200);
      const { id: next } = (await add('09:30', '10:30')).data;

      expect((await add('09:00', '10:00', { appointment_status })).status).to.equal(201);
      expect((await put(id, time('09:05', '10:05'))).status).to.equal(200);
      expect(await put(id, { appointment_status: PLANNED })).to.be.refused(409, OCCUPIED.workplace);
      expect((await client.del(`/appointment/${next}`)).status).to.equal(200);
      expect((await put(id, { appointment_status: DONE })).status).to.equal(200);
      expect((await client.del(`/appointment/${id}`)).status).to.equal(200);
    }
  });

  it('is booked only once by simultaneous requests, also if they move appointments', async () => {
    const answers = await atOnce(client, ['employee', shop.employee_id], () =>
      add('09:00', '10:00', { workplace_id: null }),
    );
    const others = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, hour) => add(`1${hour}:00`, `1${hour}:30`, { employee_id: null })),
    );
    const moves = await atOnce(client, ['workplace', shop.workplace_id], (index) =>
      put(others[index]?.data.id, time('20:00', '21:00')),
    );

    const statuses = (all: { status: number }[]) => all.map(({ status }) => status).sort();
    expect(statuses(answers)).to.deep.equal([201, 409, 409, 409]);
    expect(statuses(moves)).to.deep.equal([200, 409, 409, 409]);
  });

  it('is created together with its order, or neither is', async () => {
    const { id: contact_id } = await buildBuyer(client);
    const { id: vehicle_id } = await build(client, 'vehicle');
    const order = (...appointment: Json[]) =>
      client.post('/order', { order_type: 1, order_date: '2026-05-04', contact_id, vehicle_id, appointment });

    const added = await order({ ...shop, ...time('09:00', '10:00') });
    expect(added.status, added.text).to.equal(201);
    expect(added.data.appointment[0]).to.include({ contact_id, vehicle_id, appointment_status: PLANNED });
    const refused = await order(
      { ...shop, ...time('10:00', '11:00') },
      { ...shop, ...time('10:30', '11:30') },
    );
    expect(refused).to.be.refused(409, OCCUPIED.workplace);
    expect(refused.body.errors.map(({ field }: Json) => field)).to.deep.equal([
      'appointment[1].starts_at',
      'appointment[1].starts_at',
    ]);
    expect(await booked()).to.have.length(1);
    expect((await client.get(`/order?count=1&filter=contact_id:${contact_id}`)).body.total).to.equal(1);
  });

  it('takes contact and vehicle from its order, unless the request names them', async () => {
    const order = await build(client, 'order', { vehicle_id: (await build(client, 'vehicle')).id });
    const { id: contact_id } = await build(client, 'contact');

    const taken = await add('09:00', '10:00', { order_id: order.id });
    const named = await add('10:00', '11:00', { order_id: order.id, contact_id });

    expect(taken.data).to.include({ contact_id: order.contact_id, vehicle_id: order.vehicle_id });
    expect(named.data).to.include({ contact_id, vehicle_id: order.vehicle_id });
  });

  it('is cancelled with its order if it is planned, and stays cancelled', async () => {
    const order = await orderIn(client, LISTS.orderstatuses.ORDER);
    const planned = (await add('09:00', '10:00', { order_id: order.id })).data;
    const done = (await add('10:00', '11:00', { order_id: order.id, appointment_status: DONE })).data;

    await change(client, order.id, { order_status: LISTS.orderstatuses.CANCELLED });
    expect((await booked()).map((one: Json) => one.appointment_status)).to.deep.equal([CANCELLED, DONE]);
    expect((await client.get(`/changes?resource=appointment&page_size=1000`)).body.data.at(-1)).to.include({
      id: planned.id,
      action: 'updated',
    });
    await change(client, order.id, { order_status: LISTS.orderstatuses.ORDER });
    expect((await booked()).map((one: Json) => one.appointment_status)).to.deep.equal([CANCELLED, DONE]);
    expect((await put(done.id, { order_id: null })).status).to.equal(200);
  });

  for (const status of [LISTS.orderstatuses.INVOICE, LISTS.orderstatuses.CANCELLED])
    it(`can be changed if its order has status ${status}`, async () => {
      const { id: order_id } = await orderIn(client, status);

      const { status: added, data } = await add('09:00', '10:00', { order_id });

      expect(added).to.equal(201);
      expect((await put(data.id, time('11:00', '12:00'))).status).to.equal(200);
      expect((await client.del(`/appointment/${data.id}`)).status).to.equal(200);
    });

  it('is judged by the same rule when it is imported, alone or with an order', async () => {
    const { id: contact_id } = await buildBuyer(client);
    const order = { order_type: 1, order_date: '2026-05-04', contact_id };

    const alone = await importJson(client, 'resource=appointment&mode=insert', [
      { ...shop, ...time('09:00', '10:00') },
      { ...shop, ...time('09:30', '10:30') },
    ]);
    const inside = await importJson(client, 'resource=order&mode=insert', [
      { ...order, appointment: [{ ...shop, ...time('09:45', '11:00') }] },
      { ...order, appointment: [{ ...shop, ...time('10:00', '11:00') }] },
    ]);

    for (const { rows } of [alone, inside])
      expect(rows.map(({ status }) => status)).to.have.members(['created', 'refused']);
    expect(alone.rows[1].errors[0]).to.include({ message: OCCUPIED.workplace, field: 'starts_at' });
    expect(inside.rows[0].errors[0]).to.include({ field: 'appointment[0].starts_at' });
    expect(await booked()).to.have.length(2);
  });

  it('is judged after references and the unique key', async () => {
    await add('09:00', '10:00', { external_id: 'web-7' });
    const other = await stranger();
    const { employee_id, workplace_id } = await buildWorkshop(other);

    expect(await add('09:00', '10:00', { external_id: 'web-7' })).to.be.refused(
      409,
      'Field: [external_id] value: [web-7] has a duplicate illegal value',
    );
    for (const [field, id] of Object.entries({ employee_id, workplace_id }))
      expect(await add('09:00', '10:00', { [field]: id })).to.be.refused(
        404,
        `Field: [${field}] value: [${id}] ID not found`,
      );
  });

  it('is compared with other appointments by doctor', async () => {
    const { id } = (await add('09:00', '10:00')).data;
    const { id: other } = (await add('10:00', '11:00', { workplace_id: null })).data;
    const { id: third } = (await add('10:00', '11:00', { employee_id: null })).data;
    const overlaps = async () => {
      const found = [];
      for await (const one of findAllOverlaps(database()))
        if (one.owner === client.garage.owner) found.push(one);
      return found;
    };
    expect(await overlaps()).to.deep.equal([]);

    await force(resourceNamed('appointment'), id, { ends_at: '2026-05-04 10:30:00.000' });

    const { owner } = client.garage;
    expect(await overlaps()).to.deep.equal([
      { resource: 'employee', owner, id: other },
      { resource: 'workplace', owner, id: third },
    ]);
    expect(await bookingProblem(database())).to.include(`appointment ${other} of owner ${owner}`);
    // Other tests ask doctor whether all is well.
    await force(resourceNamed('appointment'), id, { ends_at: '2026-05-04 10:00:00.000' });
  });

  it('does not occupy the time of another owner', async () => {
    const other = await stranger();
    const theirs = await buildWorkshop(other);
    await add('09:00', '10:00');

    const answer = await other.post('/appointment', { ...time('09:00', '10:00'), ...theirs });

    expect(answer.status, answer.text).to.equal(201);
    expect(
      (await other.get(`/employee/${theirs.employee_id}?expand=appointment`)).data.appointment,
    ).to.have.length(1);
  });
});
