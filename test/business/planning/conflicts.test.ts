// GET /planning/conflicts: which appointments stand in an absence, or outside the hours, since these have changed.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build } from '../../support/build/build.ts';
import { addHours, buildWorkshop, time, type Workshop } from '../../support/build/workshop.ts';
import { type Client, clientOf, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { makeGarage } from '../../support/service/service.ts';

const { CANCELLED, NO_SHOW, DONE } = LISTS.appointmentstatuses;

describe('GET /planning/conflicts', () => {
  let client: Client;
  let shop: Workshop;
  let id: number;
  beforeEach(async () => {
    client = await newClient();
    shop = await buildWorkshop(client);
    id = await book('09:00', '10:00');
  });

  const book = async (start: string, end: string, more: Json = {}): Promise<number> => {
    const body = { ...shop, ...time(start, end), ...more };
    const { status, text, data } = await client.post('/appointment', body);
    expect(status, text).to.equal(201);
    return data.id;
  };
  const leave = async (whose: Json, start: string, end: string): Promise<number> =>
    (await build(client, 'absence', { ...whose, ...time(start, end) })).id;
  const conflicts = async (from = '2026-05-04', to = from): Promise<Json[]> => {
    const answer = await client.get(`/planning/conflicts?from=${from}&to=${to}`);
    expect(answer.status, answer.text).to.equal(200);
    return answer.data;
  };
  /** The appointment, and the absence; null: the hours. */
  const causes = async (from?: string, to?: string) =>
    (await conflicts(from, to)).map(({ appointment_id, absence_id }) => [appointment_id, absence_id]);

  it('has a row for each absence of the employee, of the workplace and of the garage', async () => {
    const other = await buildWorkshop(client);
    const [employee, workplace, garage] = [
      await leave({ employee_id: shop.employee_id }, '09:30', '12:00'),
      await leave({ workplace_id: shop.workplace_id }, '08:00', '09:01'),
      await leave({}, '00:00', '23:00'),
    ];
    await leave({ employee_id: other.employee_id }, '09:00', '10:00');
    await leave({ employee_id: shop.employee_id }, '10:00', '11:00');
    await leave({ workplace_id: shop.workplace_id }, '08:00', '09:00');

    const found = await conflicts();

    const row = { appointment_id: id, ...time('09:00', '10:00'), ...shop, reason: 'absence' };
    expect(found).to.deep.equal([employee, workplace, garage].map((absence_id) => ({ ...row, absence_id })));
  });

  it('has one row for the hours, of the employee or of the workplace', async () => {
    await addHours(client, { employee_id: shop.employee_id }, '12:00', '17:00', [1]);
    await addHours(client, { workplace_id: shop.workplace_id }, '11:30', '17:00', [1]);
    const absence = await leave({}, '09:00', '09:30');

    expect(await causes()).to.deep.equal([
      [id, absence],
      [id, null],
    ]);
    expect((await conflicts())[1]).to.include({ reason: 'hours', absence_id: null, ...shop });
    await addHours(client, { employee_id: shop.employee_id }, '11:00', '12:00', [1]);
    expect(await causes()).to.have.length(2);
    await addHours(client, { workplace_id: shop.workplace_id }, '11:00', '11:30', [1]);
    expect(await causes()).to.deep.equal([[id, absence]]);
  });

  it('counts hours that are not valid any more, and no hours as all the time', async () => {
    expect(await causes()).to.deep.equal([]);

    await build(client, 'workhour', {
      employee_id: shop.employee_id,
      weekday: 1,
      start_time: '00:00',
      end_time: '24:00',
      valid_until: '2026-05-04T08:59:59Z',
    });

    expect(await causes()).to.deep.equal([[id, null]]);
  });

  it('lists overtime for absences alone', async () => {
    await client.put(`/appointment/${id}`, { is_overtime: 1 });
    await addHours(client, { employee_id: shop.employee_id }, '20:00', '21:00', [1]);

    expect(await causes()).to.deep.equal([]);
    const absence = await leave({ employee_id: shop.employee_id }, '09:00', '09:01');
    expect(await causes()).to.deep.equal([[id, absence]]);
  });

  it('lists work over breaks for each absence, and for hours only at its start and its end', async () => {
    const long = await book('12:00', '16:00', { is_over_breaks: 1 });
    const employee_id = shop.employee_id;
    const absence = await leave({ employee_id }, '13:00', '14:00');
    await addHours(client, { employee_id }, '11:00', '14:30', [1]);

    expect(await causes()).to.deep.equal([
      [long, absence],
      [long, null],
    ]);
    await addHours(client, { employee_id }, '17:00', '18:00', [1]);
    expect(await causes()).to.deep.equal([[long, absence]]);
  });

  it('leaves out appointments that take no time, and takes finished ones', async () => {
    const absence = await leave({}, '09:00', '20:00');

    for (const [appointment_status, count] of [
      [CANCELLED, 0],
      [NO_SHOW, 0],
      [DONE, 1],
    ] as const) {
      await client.put(`/appointment/${id}`, { appointment_status, is_overtime: 1 });
      expect(await causes()).to.deep.equal(Array(count).fill([id, absence]));
    }
  });

  it("sorts by start and ID, and takes all that lies on one of the garage's days", async () => {
    const [late, early] = [
      await book('22:30', '23:30', { workplace_id: null }),
      await book('21:00', '22:00', { employee_id: null }),
    ];
    const same = await book('22:30', '22:45', { employee_id: null });
    const closed = { starts_at: '2026-05-01T00:00Z', ends_at: '2026-06-01T00:00Z' };
    const absence = (await build(client, 'absence', closed)).id;
    const of = (...ids: number[]) => ids.map((one) => [one, absence]);

    // Midnight of 5 May is at 22:00 UTC.
    expect(await causes('2026-05-04')).to.deep.equal(of(id, early));
    expect(await causes('2026-05-05')).to.deep.equal(of(late, same));
    expect(await causes('2026-05-01', '2026-05-31')).to.deep.equal(of(id, early, late, same));
    expect(await causes('2026-05-06', '2027-05-07')).to.deep.equal([]);
  });

  it('finds those on the last day of all, also in a garage on UTC', async () => {
    await client.put(`/owner/${client.garage.owner}`, { timezone: 'UTC' });
    const [starts_at, ends_at] = ['9999-12-31T22:00:00.000Z', '9999-12-31T23:00:00.000Z'];
    const { data: last } = await client.post('/appointment', { ...shop, starts_at, ends_at });
    const absence = (await build(client, 'absence', { starts_at, ends_at })).id;

    expect(await causes('9999-12-31')).to.deep.equal([[last.id, absence]]);
  });

  it('is read by all roles, each in its own garage', async () => {
    await leave({}, '09:00', '10:00');
    const reader = clientOf(await makeGarage({ owner: client.garage.owner, role: 'READONLY' }));
    const other = await newClient();
    await build(other, 'absence', time('00:00', '23:00'));

    const path = '/planning/conflicts?from=2026-05-04&to=2026-05-04';

    expect((await reader.get(path)).data).to.have.length(1);
    expect((await other.get(path)).data).to.deep.equal([]);
  });

  it('refuses days that are none, and more than 366 behind the first one', async () => {
    const ask = (query: string) => client.get(`/planning/conflicts?${query}`);

    expect(await ask('')).to.be.refused(400, 'These parameter(s): [from, to] are required');
    expect(await ask('from=2026-05-04&to=x')).to.be.refused(
      403,
      'Field: [to] has an invalid value: [x] for datatype: timestamp(ISO 8601)',
    );
    expect(await ask('from=2026-05-04&to=2026-05-03')).to.be.refused(
      400,
      'Parameter invalid [to] value must not be before from',
    );
    expect(await ask('from=2026-01-01&to=2027-01-03')).to.be.refused(
      400,
      'Parameter invalid [to] value must be at most 366 days after from',
    );
    expect((await ask('from=2026-01-01&to=2027-01-02')).status).to.equal(200);
    expect(await ask('from=2026-05-04&to=2026-05-04&minutes=60')).to.be.refused(
      400,
      'Invalid request, query parameter is not supported: [minutes]',
    );
  });
});
