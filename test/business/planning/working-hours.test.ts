// Appointments lie within working hours, on the garage's clock, and within no absence.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build } from '../../support/build/build.ts';
import {
  addHours,
  buildWorkshop,
  isWithinHours,
  OUTSIDE_HOURS,
  time,
  type Workshop,
} from '../../support/build/workshop.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';

const FIRST_REQUIRED = 'Field: [employee_id] is required and not supplied in request';

describe('working hours', () => {
  let client: Client;
  let shop: Workshop;
  before(async () => {
    client = await newClient();
  });
  beforeEach(async () => {
    shop = await buildWorkshop(client);
  });

  const at = (starts_at: string, ends_at: string, more: Json = {}) => ({
    ...shop,
    starts_at,
    ends_at,
    ...more,
  });
  const book = (...times: Parameters<typeof at>) => client.post('/appointment', at(...times));
  const isWithin = (...times: Parameters<typeof at>) => isWithinHours(client, at(...times));

  it('belong to an employee or to a workplace, not to both', async () => {
    const hours = { weekday: 1, start_time: '08:00', end_time: '17:00' };
    const both = `Field: [workplace_id] has an invalid value: [${shop.workplace_id}] for validation: [one of both]`;

    expect(await client.post('/workhour', hours)).to.be.refused(403, FIRST_REQUIRED);
    expect(await client.post('/workhour', { ...hours, ...shop })).to.be.refused(403, both);
    const { id } = await build(client, 'workhour', { ...hours, employee_id: shop.employee_id });
    expect(await client.put(`/workhour/${id}`, { employee_id: null })).to.be.refused(403, FIRST_REQUIRED);
    expect(await client.put(`/workhour/${id}`, { workplace_id: shop.workplace_id })).to.be.refused(403, both);
    expect(await client.post('/absence', { ...time('08:00', '09:00'), ...shop })).to.be.refused(403, both);
  });

  it('are from 00:00 to 24:00, and end after they begin', async () => {
    const hours = (start_time: unknown, end_time: unknown) =>
      client.post('/workhour', { employee_id: shop.employee_id, weekday: 1, start_time, end_time });
    const wrong = (field: string, value: string) =>
      `Field: [${field}] has an invalid value: [${value}] for validation: [HH:MM]`;

    for (const value of ['8:00', '24:01', '08:60', '08-00', '08:0a'])
      expect(await hours(value, '24:00')).to.be.refused(403, wrong('start_time', value));
    expect(await hours('08:00', '08:00')).to.be.refused(
      403,
      'Field: [end_time] value: [08:00] date must be after Field: [start_time] value: [08:00]',
    );
    expect((await hours('00:00', '24:00')).status).to.equal(201);
    expect(await client.post('/workhour', { employee_id: 1, weekday: 8 })).to.be.refused(
      403,
      'Field: [weekday] has an invalid value: [8] for validation: [1..7]',
    );
  });

  it('bound an appointment of the employee and of the workplace, unless it is overtime', async () => {
    await addHours(client, { employee_id: shop.employee_id }, '08:00', '12:00', [1]);
    await addHours(client, { employee_id: shop.employee_id }, '12:00', '17:00', [1]);
    await addHours(client, { workplace_id: shop.workplace_id }, '10:00', '24:00', [1]);
    const [before, morning, noon, late] = [
      ['2026-05-04T07:30:00.000Z', '2026-05-04T08:30:00.000Z'],
      ['2026-05-04T08:00:00.000Z', '2026-05-04T09:00:00.000Z'],
      ['2026-05-04T09:30:00.000Z', '2026-05-04T10:30:00.000Z'],
      ['2026-05-04T14:30:00.000Z', '2026-05-04T15:00:00.001Z'],
    ] as const;

    // In May the clock is two hours ahead of UTC.
    expect(await isWithin(...before)).to.equal(false);
    expect(await isWithin(...before, { workplace_id: null })).to.equal(true);
    expect(await isWithin(...before, { is_overtime: 1 })).to.equal(true);
    expect(await isWithin(...morning)).to.equal(true);
    expect(await isWithin(...noon)).to.equal(true);
    expect(await isWithin(...late)).to.equal(false);
    expect(await isWithin('2026-05-05T08:00:00.000Z', '2026-05-05T09:00:00.000Z')).to.equal(false);
  });

  it('are checked again when the time or is_overtime changes, but not for cancelled appointments', async () => {
    await addHours(client, { employee_id: shop.employee_id }, '08:00', '17:00', [1]);
    const { id } = (await book(time('04:00', '').starts_at, time('', '05:00').ends_at, { is_overtime: 1 }))
      .data;
    const put = (body: Json) => client.put(`/appointment/${id}`, body);
    const outside = OUTSIDE_HOURS(time('04:00', '').starts_at);

    expect(await put({ is_overtime: 0 })).to.be.refused(403, outside);
    expect(
      (await put({ appointment_status: LISTS.appointmentstatuses.NO_SHOW, is_overtime: 0 })).status,
    ).to.equal(200);
    expect(await put({ appointment_status: LISTS.appointmentstatuses.PLANNED })).to.be.refused(403, outside);
    expect((await put({ ...time('08:00', '09:00'), appointment_status: 1 })).status).to.equal(200);
  });

  it('join at midnight', async () => {
    await addHours(client, { employee_id: shop.employee_id }, '20:00', '24:00');
    await addHours(client, { employee_id: shop.employee_id }, '00:00', '04:00');

    expect(await isWithin('2026-05-04T18:00:00.000Z', '2026-05-05T02:00:00.000Z')).to.equal(true);
    expect(await isWithin('2026-05-04T18:00:00.000Z', '2026-05-05T02:00:00.001Z')).to.equal(false);
  });

  it('are valid from one instant until just before another', async () => {
    const valid = { valid_from: '2026-05-04T08:00:00.000Z', valid_until: '2026-05-04T12:00:00.000Z' };
    const hours = { employee_id: shop.employee_id, weekday: 1, start_time: '00:00', end_time: '24:00' };
    await build(client, 'workhour', { ...hours, ...valid });

    expect(await isWithin(valid.valid_from, valid.valid_until)).to.equal(true);
    expect(await isWithin(valid.valid_from, '2026-05-04T12:00:00.001Z')).to.equal(false);
    expect(await isWithin('2026-05-04T07:59:59.999Z', valid.valid_until)).to.equal(false);
  });

  it('follow local time on days when the clock changes', async () => {
    await addHours(client, { employee_id: shop.employee_id }, '01:00', '02:30', [7]);
    await addHours(client, { workplace_id: shop.workplace_id }, '02:30', '08:00', [7]);
    const night = { workplace_id: null };
    const morning = { employee_id: null };

    // 29 March: 02:30 does not exist, and becomes 03:00, which is 01:00 UTC.
    expect(await isWithin('2026-03-29T00:00:00.000Z', '2026-03-29T01:00:00.000Z', night)).to.equal(true);
    expect(await isWithin('2026-03-29T00:00:00.000Z', '2026-03-29T01:00:00.001Z', night)).to.equal(false);
    expect(await isWithin('2026-03-29T01:00:00.000Z', '2026-03-29T06:00:00.000Z', morning)).to.equal(true);
    // 25 October: 02:30 comes twice, at 00:30 and 01:30 UTC.
    expect(await isWithin('2026-10-24T23:00:00.000Z', '2026-10-25T01:30:00.000Z', night)).to.equal(true);
    expect(await isWithin('2026-10-24T23:00:00.000Z', '2026-10-25T01:30:00.001Z', night)).to.equal(false);
    expect(await isWithin('2026-10-25T00:30:00.000Z', '2026-10-25T07:00:00.000Z', morning)).to.equal(true);
    expect(await isWithin('2026-10-25T00:29:59.999Z', '2026-10-25T07:00:00.000Z', morning)).to.equal(false);
  });

  it('are reduced by absences of the employee, the workplace and the garage', async () => {
    const other = await buildWorkshop(client);
    const [start, end] = ['2026-05-11T08:00:00.000Z', '2026-05-11T09:00:00.000Z'] as const;
    const absences = [{ employee_id: shop.employee_id }, { workplace_id: shop.workplace_id }, {}];

    for (const whose of absences) {
      const absence = { ...whose, starts_at: '2026-05-11T08:59:00Z', ends_at: '2026-05-11T12:00:00Z' };
      const { id } = await build(client, 'absence', absence);
      expect(await isWithin(start, end)).to.equal(false);
      expect(await isWithin(start, end, { is_overtime: 1 })).to.equal(true);
      expect(await isWithin(start, end, other)).to.equal(Object.keys(whose).length > 0);
      expect(await isWithin('2026-05-11T12:00:00.000Z', '2026-05-11T13:00:00.000Z')).to.equal(true);
      await client.del(`/absence/${id}`);
    }
  });

  it('are checked before double bookings', async () => {
    await addHours(client, { employee_id: shop.employee_id }, '08:00', '17:00', [1]);
    const { starts_at, ends_at } = time('04:00', '05:00');
    await book(starts_at, ends_at, { is_overtime: 1 });

    const answer = await book(starts_at, ends_at);

    expect(answer).to.be.refused(403, OUTSIDE_HOURS(starts_at));
    expect(answer.body.errors).to.have.length(1);
  });

  it('are written by an ADMIN only', async () => {
    const user = await newClient({ role: 'USER' });

    for (const resource of ['workplace', 'workhour', 'absence'])
      for (const method of ['POST', 'PUT', 'DELETE'])
        expect(await user.request(method, `/${resource}${method === 'POST' ? '' : '/1'}`)).to.be.refused(
          403,
          `Endpoint: [${method} /${resource}] is not allowed for this user`,
        );
    expect((await user.get('/workhour')).status).to.equal(200);
  });
});
