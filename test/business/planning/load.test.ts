// GET /planning/load: the hours of each day on the garage's calendar.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build } from '../../support/build/build.ts';
import { addHours } from '../../support/build/workshop.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';

describe('GET /planning/load', () => {
  let client: Client;
  let employee_id: number;
  beforeEach(async () => {
    client = await newClient();
    employee_id = (await build(client, 'employee')).id;
  });

  async function load(from: string, to = from): Promise<[date: string, capacity: number, planned: number][]> {
    const answer = await client.get(`/planning/load?from=${from}&to=${to}`);
    expect(answer.status, answer.text).to.equal(200);
    return answer.data.map((day: Json) => [day.date, day.capacity_hours, day.planned_hours]);
  }
  const book = (starts_at: string, ends_at: string, more: Json = {}) =>
    build(client, 'appointment', { employee_id, starts_at, ends_at, is_overtime: 1, ...more });

  it('counts working time without absences, and appointments', async () => {
    await addHours(client, { employee_id }, '08:00', '12:00', [1, 2]);
    await addHours(client, { employee_id: (await build(client, 'employee')).id }, '08:00', '16:30', [1]);
    await build(client, 'absence', {
      employee_id,
      starts_at: '2026-05-04T06:00Z',
      ends_at: '2026-05-04T07:00Z',
    });
    await build(client, 'absence', { starts_at: '2026-05-05T09:00Z', ends_at: '2026-05-05T12:00Z' });
    await book('2026-05-04T08:00Z', '2026-05-04T09:20Z');
    await book('2026-05-04T08:00Z', '2026-05-04T09:00Z', {
      appointment_status: LISTS.appointmentstatuses.CANCELLED,
    });

    expect(await load('2026-05-04', '2026-05-06')).to.deep.equal([
      ['2026-05-04', 11.5, 1.3333],
      ['2026-05-05', 3, 0],
      ['2026-05-06', 0, 0],
    ]);
  });

  it("counts the time that was worked, split at the garage's midnight, also of employees without hours", async () => {
    const work = (started_at: string, ended_at: string | null) =>
      build(client, 'timeentry', { employee_id, started_at, ended_at });
    await work('2026-05-04T21:00Z', '2026-05-04T23:20Z');
    await work('2026-05-03T08:00Z', '2026-05-03T09:00Z');
    await work('2026-05-05T08:00Z', null);
    await build(await newClient(), 'timeentry', {
      started_at: '2026-05-04T08:00Z',
      ended_at: '2026-05-04T09:00Z',
    });

    const { data } = await client.get('/planning/load?from=2026-05-04&to=2026-05-05');

    expect(data.map(({ worked_hours }: Json) => worked_hours)).to.deep.equal([1, 1.3333]);
  });

  it("splits at the garage's midnight", async () => {
    await addHours(client, { employee_id }, '22:00', '24:00', [1]);
    await addHours(client, { employee_id }, '00:00', '03:00', [2]);
    await book('2026-05-04T21:00Z', '2026-05-05T00:30Z');

    expect(await load('2026-05-04', '2026-05-05')).to.deep.equal([
      ['2026-05-04', 2, 1],
      ['2026-05-05', 3, 2.5],
    ]);
    expect(await load('2026-05-05')).to.deep.equal([['2026-05-05', 3, 2.5]]);
  });

  it('is right on the days when the clock is turned', async () => {
    await addHours(client, { employee_id }, '00:00', '24:00');
    await book('2026-03-28T22:00Z', '2026-03-29T23:00Z');

    expect(await load('2026-03-28', '2026-03-30')).to.deep.equal([
      ['2026-03-28', 24, 1],
      ['2026-03-29', 23, 23],
      ['2026-03-30', 24, 1],
    ]);
    expect(await load('2026-10-25')).to.deep.equal([['2026-10-25', 25, 0]]);
  });

  it('counts the last day of all, which ends where the database can store no instant', async () => {
    await client.put(`/owner/${client.garage.owner}`, { timezone: 'UTC' });
    await addHours(client, { employee_id }, '20:00', '24:00');
    await book('9999-12-31T22:00Z', '9999-12-31T23:59:59Z');

    expect(await load('9999-12-30', '9999-12-31')).to.deep.equal([
      ['9999-12-30', 4, 0],
      ['9999-12-31', 4, 1.9997],
    ]);
  });

  describe('of appointments over breaks', () => {
    const overBreaks = (starts_at: string, ends_at: string, more: Json = {}) =>
      book(starts_at, ends_at, { is_overtime: 0, is_over_breaks: 1, ...more });
    const planned = async (from: string, to = from) => (await load(from, to)).map(([, , hours]) => hours);

    it('counts them where their employee works, and with overtime from start to end', async () => {
      await addHours(client, { employee_id }, '08:00', '12:00', [1, 2]);
      await addHours(client, { employee_id }, '13:00', '17:00', [1, 2]);
      await build(client, 'absence', { starts_at: '2026-05-05T07:00Z', ends_at: '2026-05-05T07:30Z' });

      const { id } = await overBreaks('2026-05-04T08:00Z', '2026-05-05T08:00Z');

      expect(await planned('2026-05-04', '2026-05-05')).to.deep.equal([6, 1.5]);
      expect(await planned('2026-05-05')).to.deep.equal([1.5]);
      await client.put(`/appointment/${id}`, { is_overtime: 1 });
      expect(await planned('2026-05-04', '2026-05-05')).to.deep.equal([14, 10]);
    });

    it('counts those of employees without hours, and of blocked ones', async () => {
      const free = (await build(client, 'employee')).id;
      await addHours(client, { employee_id }, '08:00', '12:00', [1]);
      await build(client, 'absence', {
        employee_id: free,
        starts_at: '2026-05-04T20:00Z',
        ends_at: '2026-05-04T21:00Z',
      });

      await overBreaks('2026-05-04T06:00Z', '2026-05-04T07:00Z');
      await overBreaks('2026-05-04T19:00Z', '2026-05-04T23:00Z', { employee_id: free });
      await client.put(`/employee/${employee_id}`, { is_blocked: 1 });

      expect(await load('2026-05-04', '2026-05-05')).to.deep.equal([
        ['2026-05-04', 0, 3],
        ['2026-05-05', 0, 1],
      ]);
    });

    it('is right on the days when the clock is turned', async () => {
      await addHours(client, { employee_id }, '00:00', '03:00', [7]);
      await addHours(client, { employee_id }, '20:00', '24:00', [6]);

      await overBreaks('2026-03-28T20:00Z', '2026-03-29T01:00Z');
      await overBreaks('2026-10-24T19:00Z', '2026-10-25T02:00Z');

      expect(await planned('2026-03-28', '2026-03-29')).to.deep.equal([3, 2]);
      expect(await planned('2026-10-24', '2026-10-25')).to.deep.equal([3, 4]);
    });
  });

  describe('of worked time', () => {
    const worked = async (from: string, to = from): Promise<[date: string, hours: number][]> =>
      (await client.get(`/planning/load?from=${from}&to=${to}`)).data.map((day: Json) => [
        day.date,
        day.worked_hours,
      ]);
    const work = (started_at: string, ended_at?: string) =>
      build(client, 'timeentry', { employee_id, started_at, ...(ended_at && { ended_at }) });

    it("splits entries at the garage's midnight, and leaves out what lies before and behind the days", async () => {
      await work('2026-05-04T21:00Z', '2026-05-05T00:30Z');
      await work('2026-05-05T08:00Z', '2026-05-05T09:20Z');
      await work('2026-05-03T20:00Z', '2026-05-03T22:00Z');
      const other = await newClient();
      await build(other, 'timeentry', { started_at: '2026-05-04T08:00Z', ended_at: '2026-05-04T09:00Z' });

      expect(await worked('2026-05-04', '2026-05-06')).to.deep.equal([
        ['2026-05-04', 1],
        ['2026-05-05', 3.8333],
        ['2026-05-06', 0],
      ]);
      expect(await worked('2026-05-05')).to.deep.equal([['2026-05-05', 3.8333]]);
    });

    it('is right on the days when the clock is turned', async () => {
      await work('2026-03-28T22:00Z', '2026-03-29T23:00Z');
      await work('2025-10-25T21:00Z', '2025-10-26T23:30Z');

      expect(await worked('2026-03-28', '2026-03-30')).to.deep.equal([
        ['2026-03-28', 1],
        ['2026-03-29', 23],
        ['2026-03-30', 1],
      ]);
      expect(await worked('2025-10-25', '2025-10-27')).to.deep.equal([
        ['2025-10-25', 1],
        ['2025-10-26', 25],
        ['2025-10-27', 0.5],
      ]);
    });
  });

  it('counts an employee from start_date to end_date, and nobody who is blocked', async () => {
    await addHours(client, { employee_id }, '08:00', '12:00');
    await client.put(`/employee/${employee_id}`, {
      start_date: '2026-05-04T08:00Z',
      end_date: '2026-05-05T07:00Z',
    });
    expect(await load('2026-05-03', '2026-05-05')).to.deep.equal([
      ['2026-05-03', 0, 0],
      ['2026-05-04', 2, 0],
      ['2026-05-05', 1, 0],
    ]);

    await client.put(`/employee/${employee_id}`, { is_blocked: 1 });

    expect(await load('2026-05-04')).to.deep.equal([['2026-05-04', 0, 0]]);
  });

  it('shows nothing of another owner', async () => {
    const other = await newClient();
    await addHours(other, { employee_id: (await build(other, 'employee')).id }, '08:00', '12:00');
    await build(other, 'appointment', { starts_at: '2026-05-04T08:00Z', ends_at: '2026-05-04T09:00Z' });

    expect(await load('2026-05-04')).to.deep.equal([['2026-05-04', 0, 0]]);
  });

  it('refuses days that are none, and more than 366 behind the first one', async () => {
    const ask = (from: string, to: string) => client.get(`/planning/load?from=${from}&to=${to}`);

    expect(await client.get('/planning/load')).to.be.refused(
      400,
      'These parameter(s): [from, to] are required',
    );
    expect(await ask('2026-05-04T10:00', '2026-05-05')).to.be.refused(
      403,
      'Field: [from] has an invalid value: [2026-05-04T10:00] for datatype: timestamp(ISO 8601)',
    );
    expect(await ask('2026-05-04', '2026-05-03')).to.be.refused(
      400,
      'Parameter invalid [to] value must not be before from',
    );
    expect(await ask('2026-01-01', '2027-01-03')).to.be.refused(
      400,
      'Parameter invalid [to] value must be at most 366 days after from',
    );
    expect(await load('2026-01-01', '2027-01-02')).to.have.length(367);
  });
});
