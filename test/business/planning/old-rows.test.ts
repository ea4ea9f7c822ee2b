// A garage with far more hours than now allowed, and with appointments of years, as an older release left them: its
// plan is right, and only a few rows are in memory at once.

import { readLoad } from '../../../src/business/planning/load.ts';
import { findSlots } from '../../../src/business/planning/slots.ts';
import type { Row } from '../../../src/core/model/fields/field.ts';
import { garageOf } from '../../../src/core/model/statements/garage.ts';
import type { Session } from '../../../src/core/model/statements/session.ts';
import { build } from '../../support/build/build.ts';
import { buildWorkshop, OUTSIDE_HOURS, type Workshop } from '../../support/build/workshop.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { writeRows } from '../../support/database/many-rows.ts';
import { database } from '../../support/service/service.ts';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const MONDAY = Date.parse('2026-05-04');
const ROWS = 2_500;
/** The most rows of a statement. */
const PORTION = 4_000;

describe('the plan of a garage with many old rows', () => {
  let client: Client;
  let shop: Workshop;
  beforeEach(async () => {
    client = await newClient();
    shop = await buildWorkshop(client);
  });

  const write = (table: string, count: number, make: (index: number) => Row) =>
    writeRows(database(), client.garage.owner, { table, count }, make);
  /** From 08:00 to 17:00 on Mondays, each row a part of it. */
  const writeHours = (whose: Row, count = ROWS) =>
    write('workhours', count, (index) => {
      const from = 480 + (index % 53) * 10;
      return { ...whose, weekday: 1, start_time: clock(from), end_time: clock(from + 20) };
    });
  const clock = (minutes: number) =>
    `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
  const instant = (minutes: number) =>
    new Date(MONDAY + minutes * MINUTE).toISOString().replace('T', ' ').slice(0, 23);
  const dayOf = async (date: string): Promise<Json> =>
    (await client.get(`/planning/load?from=${date}&to=${date}`)).data[0];
  const slots = async (minutes: number): Promise<string[]> =>
    (await client.get(`/planning/slots?from=2026-05-04&until=2026-05-05&minutes=${minutes}`)).data.map(
      (slot: Json) => String(slot.starts_at).slice(11, 16),
    );

  it('adds up all of it', async () => {
    await writeHours({ employee_id: shop.employee_id });
    await write('absences', ROWS, (index) => ({
      employee_id: shop.employee_id,
      starts_at: instant(360 + (index % 30)),
      ends_at: instant(361 + (index % 30)),
    }));
    await write('appointments', ROWS, (index) => ({
      employee_id: shop.employee_id,
      starts_at: instant(index / 2),
      ends_at: instant((index + 1) / 2),
    }));
    await write('timeentries', ROWS, () => ({
      employee_id: shop.employee_id,
      started_at: instant(0),
      ended_at: instant(6),
    }));

    expect(await dayOf('2026-05-04')).to.deep.equal({
      date: '2026-05-04',
      capacity_hours: 8.5,
      planned_hours: Math.round((ROWS / 120) * 10_000) / 10_000,
      worked_hours: ROWS / 10,
    });
  });

  it('finds slots and judges appointments by all hours', async () => {
    await writeHours({ employee_id: shop.employee_id });
    await writeHours({ workplace_id: shop.workplace_id });
    const book = (start: string) =>
      client.post('/appointment', { ...shop, starts_at: start, ends_at: '2026-05-04T15:00:00.000Z' });

    // In May the clock is two hours ahead of UTC.
    expect(await slots(480)).to.deep.equal(['06:00', '06:15', '06:30', '06:45', '07:00']);
    expect(await book('2026-05-04T05:59:00.000Z')).to.be.refused(
      403,
      OUTSIDE_HOURS('2026-05-04T05:59:00.000Z'),
    );
    expect((await book('2026-05-04T06:00:00.000Z')).status).to.equal(201);
  });

  it('reads some thousand rows at a time', async () => {
    await writeHours({ employee_id: shop.employee_id }, PORTION + 1);
    await write('absences', PORTION + 1, (index) => ({
      starts_at: instant(index),
      ends_at: instant(index + 1),
    }));
    const counts: number[] = [];
    const execute: Session['execute'] = async (...asked) => {
      const rows = await database().execute(...asked);
      counts.push((rows as Row[]).length);
      return rows;
    };
    const session = { ...database(), execute };
    const { owner } = client.garage;

    await readLoad(garageOf(session, owner), { from: '2026-01-01', to: '2026-12-31' });
    await findSlots(garageOf(session, owner), {
      within: { start: MONDAY, end: MONDAY + 31 * DAY },
      minutes: 60,
    });

    expect(Math.max(...counts)).to.equal(PORTION);
  });

  it('takes an old appointment of a year as it is, and judges a new length', async () => {
    await write('appointments', 1, () => ({
      employee_id: shop.employee_id,
      starts_at: '2026-01-01 00:00:00.000',
      ends_at: '2027-01-01 00:00:00.000',
    }));
    const [{ id }] = (await client.get('/appointment')).data;
    const put = (body: Json) => client.put(`/appointment/${id}`, body);

    expect((await put({ description: 'long' })).status).to.equal(200);
    expect((await put({ workplace_id: shop.workplace_id })).status).to.equal(200);
    expect(await put({ ends_at: '2026-12-31' })).to.be.refused(
      403,
      'Field: [ends_at] has an invalid value: [2026-12-31] for validation: [at most 31 days]',
    );
    await writeHours({ employee_id: shop.employee_id });
    expect(await put({ workplace_id: null })).to.be.refused(403, OUTSIDE_HOURS('2026-01-01T00:00:00.000Z'));
    expect((await put({ starts_at: '2026-12-01', is_overtime: 1 })).status).to.equal(200);
    expect((await dayOf('2026-12-05')).planned_hours).to.equal(24);
  });

  it('has workplaces without hours at any time, and workplaces with hours that have ended at none', async () => {
    const add = (hours: Json) =>
      build(client, 'workhour', { weekday: 1, start_time: '08:00', end_time: '10:00', ...hours });
    await add({ employee_id: shop.employee_id });
    expect(await slots(120)).to.deep.equal(['06:00']);

    await add({ workplace_id: shop.workplace_id, valid_until: '2026-01-01' });

    expect(await slots(120)).to.deep.equal([]);
  });
});
