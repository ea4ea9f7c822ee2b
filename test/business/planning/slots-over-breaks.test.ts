// GET /planning/slots for the desk: a job over lunch, a move, a colleague who takes over, and one employee or
// workplace.
import { build } from '../../support/build/build.ts';
import { addHours, buildWorkshop, type Workshop } from '../../support/build/workshop.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { stranger } from '../../support/client/resources.ts';

/** Monday 4 May 2026. In May the clock is two hours ahead of UTC. */
const DAY = { from: '2026-05-04T00:00:00Z', until: '2026-05-05T00:00:00Z' };
const at = (clock: string) => new Date(`2026-05-04T${clock}:00+02:00`).toISOString();

describe('GET /planning/slots for the desk', () => {
  let client: Client;
  let shop: Workshop;
  beforeEach(async () => {
    client = await newClient();
    shop = await buildWorkshop(client);
    await work(shop.employee_id);
  });

  async function work(employee_id: number): Promise<void> {
    await addHours(client, { employee_id }, '08:00', '12:00', [1, 2]);
    await addHours(client, { employee_id }, '13:00', '17:00', [1, 2]);
  }
  const ask = (query: Json) =>
    client.get(`/planning/slots?${new URLSearchParams({ ...DAY, minutes: '60', ...query } as never)}`);
  const find = async (query: Json): Promise<Json[]> => (await ask(query)).data;
  const startsOf = (slots: readonly Json[]) => slots.map(({ starts_at }) => String(starts_at).slice(11, 16));

  it('offers a job of five hours over lunch, which can be booked as it is', async () => {
    const strict = await ask({ minutes: 300 });
    const slots = await find({ minutes: 300, is_over_breaks: 1 });

    expect([strict.data, strict.body.has_more]).to.deep.equal([[], false]);
    expect(slots[0]).to.deep.equal({ starts_at: at('08:00'), ends_at: at('14:00'), ...shop });
    expect(slots.at(-1)).to.include({ starts_at: at('11:00'), ends_at: at('17:00') });
    expect(slots).to.have.length(13);
    const booked = await client.post('/appointment', { ...slots.at(-1), is_over_breaks: 1 });
    expect(booked.status, booked.text).to.equal(201);
    expect(await find({ minutes: 300, is_over_breaks: 1 })).to.deep.equal([]);
  });

  it('passes absences, but neither an appointment nor a night', async () => {
    await build(client, 'absence', {
      ...shop,
      workplace_id: null,
      starts_at: at('09:00'),
      ends_at: at('10:00'),
    });
    await build(client, 'appointment', {
      ...shop,
      employee_id: null,
      starts_at: at('14:00'),
      ends_at: at('15:00'),
      is_overtime: 1,
    });

    const two = await find({ minutes: 120, is_over_breaks: 1 });
    const long = await ask({ minutes: 480, is_over_breaks: 1, until: '2026-05-06T00:00:00Z' });

    expect(two.map(({ starts_at, ends_at }) => [starts_at, ends_at]).slice(0, 2)).to.deep.equal([
      [at('08:00'), at('11:00')],
      [at('08:15'), at('11:15')],
    ]);
    expect(startsOf(two)).to.include(at('11:00').slice(11, 16)).and.not.to.include(at('11:15').slice(11, 16));
    expect(startsOf(long.data)).to.deep.equal([at('08:00').slice(11, 16)]);
    expect(long.data[0].starts_at.slice(0, 10)).to.equal('2026-05-05');
  });

  it('takes the first employee for whom a workplace is free throughout', async () => {
    const early = await buildWorkshop(client);
    await addHours(client, { employee_id: early.employee_id }, '08:00', '17:00', [1]);
    const book = (whose: Json, start: string, end: string) =>
      build(client, 'appointment', { ...whose, starts_at: at(start), ends_at: at(end), is_overtime: 1 });
    await book({ workplace_id: shop.workplace_id }, '12:30', '13:00');
    await book({ workplace_id: early.workplace_id }, '13:30', '14:00');

    const [slot] = await find({ minutes: 300, is_over_breaks: 1 });

    // The first employee would need a workplace until 14:00.
    expect(slot).to.include({ starts_at: at('08:00'), ends_at: at('13:00'), ...early });
  });

  it('counts the time of an appointment as free, to move it or to give it to a colleague', async () => {
    const colleague = (await build(client, 'employee')).id;
    await work(colleague);
    const times = { starts_at: at('09:00'), ends_at: at('10:00') };
    const { id } = await build(client, 'appointment', { ...shop, ...times });
    const day = { from: at('09:00'), until: at('10:30') };

    expect(await find(day)).to.deep.equal([]);
    expect(startsOf(await find({ ...day, without_appointment: id }))).to.have.length(3);
    const [given] = await find({ ...day, without_appointment: id, employee_id: colleague });
    expect(given).to.include({ ...times, employee_id: colleague });
    expect((await client.put(`/appointment/${id}`, given)).status).to.equal(200);
  });

  it('keeps to one employee and one workplace, and never offers who is blocked', async () => {
    const other = await buildWorkshop(client);
    await work(other.employee_id);

    expect((await find({}))[0]).to.include(shop);
    expect((await find(other))[0]).to.include(other);
    await client.put(`/employee/${other.employee_id}`, { is_blocked: 1 });
    expect(await find(other)).to.deep.equal([]);
  });

  it('says whether there are more', async () => {
    const week = { until: '2026-05-09T00:00:00Z', minutes: 15 };
    const tuesday = '2026-05-05T';

    const all = await ask(week);

    expect([all.data.length, all.body.has_more]).to.deep.equal([64, false]);
    await addHours(client, { employee_id: shop.employee_id }, '08:00', '17:00', [3]);
    const many = await ask(week);
    expect([many.data.length, many.body.has_more]).to.deep.equal([100, false]);
    await addHours(client, { employee_id: shop.employee_id }, '08:00', '08:15', [4]);
    for (const is_over_breaks of [0, 1]) {
      const more = await ask({ ...week, is_over_breaks });
      expect([more.data.length, more.body.has_more]).to.deep.equal([100, true]);
      expect(more.data[32].starts_at.startsWith(tuesday)).to.equal(true);
    }
  });

  it('refuses records that are unknown or of another garage, and flags that are none', async () => {
    const foreign = await build(await stranger(), 'appointment');
    const ids = {
      employee_id: 2147483647,
      workplace_id: foreign.workplace_id,
      without_appointment: foreign.id,
    };
    const unknown = Object.entries(ids).map(([field, id]) => `Field: [${field}] value: [${id}] ID not found`);

    const all = await ask(ids);

    expect(all).to.be.refused(404, unknown[0] ?? '');
    expect(all.body.errors.map(({ message }: Json) => message)).to.deep.equal(unknown);
    expect(await ask({ employee_id: 'x' })).to.be.refused(
      403,
      'Field: [employee_id] has an invalid value: [x] for datatype: int4',
    );
    expect(await ask({ is_over_breaks: 2 })).to.be.refused(
      403,
      'Field: [is_over_breaks] has an invalid value: [2] for validation: [0,1]',
    );
    expect((await ask({ employee_id: '', is_over_breaks: '' })).status).to.equal(200);
  });
});
