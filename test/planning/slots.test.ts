// GET /planning/slots, compared with a search minute by minute in random garages, and its own rules.
import { Random } from '../../src/seed/random.ts';
import { LISTS } from '../../src/trade/lists.ts';
import { build } from '../support/build/build.ts';
import { addHours, buildWorkshop } from '../support/build/workshop.ts';
import { type Client, type Json, newClient } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { type Hours, type Rows, slotsByMinute, type Times } from './minute-grid.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const QUARTER = 15 * MINUTE;
const { LIFT, WASH } = LISTS.workplacekinds;
const { MECHANIC, SALES } = LISTS.functionkinds;

interface Slot {
  readonly starts_at: string;
  readonly ends_at: string;
  readonly employee_id: number;
  readonly workplace_id: number;
}

const iso = (instant: number) => new Date(instant).toISOString();

async function slotsOf(client: Client, query: Json): Promise<Slot[]> {
  const answer = await client.get(`/planning/slots?${new URLSearchParams(query as Record<string, string>)}`);
  expect(answer.status, answer.text).to.equal(200);
  return answer.data;
}

/** A garage as a seed makes it: three employees, three workplaces, hours in several stretches, absences, bookings. */
async function randomGarage(client: Client, random: Random, first: number): Promise<Rows> {
  const some = <T>(count: number, make: (index: number) => Promise<T>) =>
    Array.from({ length: count }, (_, index) => index).reduce<Promise<T[]>>(
      async (made, index) => [...(await made), await make(index)],
      Promise.resolve([]),
    );
  const instant = (days: number) => first + random.whole(0, (days * DAY) / MINUTE) * MINUTE;
  const employees = await some(3, async () => {
    const start_date = random.chance(0.3) ? instant(3) : null;
    const end_date = random.chance(0.3) ? (start_date ?? first) + random.whole(1, 3) * DAY : null;
    const dates = { start_date: start_date && iso(start_date), end_date: end_date && iso(end_date) };
    return { ...(await build(client, 'employee', dates)), start_date, end_date };
  });
  const workplaces = await some(3, (index) =>
    build(client, 'workplace', { sort_order: [2, null, 1][index] }),
  );
  const owners = [
    ...employees.map(({ id }) => ({ employee_id: id, workplace_id: null })),
    ...workplaces.map(({ id }) => ({ employee_id: null, workplace_id: id })),
  ];
  const hours: Hours[] = [];
  // The last workplace has none, and can be used at any time.
  for (const whose of owners.slice(0, -1))
    for (let weekday = 1; weekday <= 7; weekday += 1)
      for (let stretch = random.whole(0, 2); stretch > 0; stretch -= 1) {
        const from = random.whole(0, 1400);
        const until = random.whole(from + 1, 1440);
        const valid_from = random.chance(0.2) ? instant(4) : null;
        const valid_until = random.chance(0.2)
          ? (valid_from ?? first) + random.whole(1, 48) * 3_600_000
          : null;
        hours.push({
          ...whose,
          weekday,
          start_time: clock(from),
          end_time: clock(until),
          valid_from,
          valid_until,
        });
      }
  for (const row of hours)
    await build(client, 'workhour', {
      ...row,
      valid_from: row.valid_from && iso(row.valid_from),
      valid_until: row.valid_until && iso(row.valid_until),
    });
  const times = (
    count: number,
    whose: readonly { employee_id: number | null; workplace_id: number | null }[],
  ) =>
    Array.from({ length: count }, (): Times => {
      const starts_at = instant(4);
      return { ...random.pick(whose), starts_at, ends_at: starts_at + random.whole(1, 300) * MINUTE };
    });
  const absences = times(6, [...owners, { employee_id: null, workplace_id: null }]);
  for (const row of absences)
    await build(client, 'absence', { ...row, starts_at: iso(row.starts_at), ends_at: iso(row.ends_at) });
  const appointments: Times[] = [];
  for (const row of times(12, owners)) {
    const body = { ...row, starts_at: iso(row.starts_at), ends_at: iso(row.ends_at), is_overtime: 1 };
    if ((await client.post('/appointment', body)).status === 201) appointments.push(row);
  }
  const [second, last, before] = workplaces.map(({ id }) => id);
  return { employees, workplaces: [before, second, last], hours, absences, appointments };
}

const clock = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

describe('GET /planning/slots', () => {
  const starts = [
    ['a week in May', '2026-05-06T03:00:00Z', 'Europe/Amsterdam'],
    ['the night of 29 March', '2026-03-28T10:00:00Z', 'Europe/Amsterdam'],
    ['the night of 25 October', '2026-10-24T08:00:00Z', 'Europe/Amsterdam'],
    ['a turn by half an hour', '2026-04-03T22:15:00Z', 'Australia/Lord_Howe'],
  ] as const;
  for (const [name, start, timezone] of starts)
    for (const seed of [1, 2, 3])
      it(`finds what a search by the minute finds: ${name}, garage ${seed}`, async () => {
        const client = await newClient();
        await client.put(`/owner/${client.garage.owner}`, { timezone });
        const random = new Random(`${name} ${seed}`);
        const from = Date.parse(start);
        const rows = await randomGarage(client, random, from);
        let count = 0;

        for (const minutes of [15, 45, 120]) {
          const until = from + random.whole(48, 2 * 96) * QUARTER;
          const found = await slotsOf(client, { from: iso(from), until: iso(until), minutes });
          const seen = found.map((one) => [Date.parse(one.starts_at), one.employee_id, one.workplace_id]);
          count += seen.length;
          expect(seen).to.deep.equal(slotsByMinute(rows, { from, until, minutes, timezone }));
          expect(
            found.every((one) => Date.parse(one.ends_at) - Date.parse(one.starts_at) === minutes * MINUTE),
          ).to.equal(true);
        }
        expect(count).to.be.above(0);
      }).timeout(60_000);

  describe('in a small garage', () => {
    let client: Client;
    let employee_id: number;
    let workplace_id: number;
    before(async () => {
      client = await newClient();
      ({ employee_id, workplace_id } = await buildWorkshop(client));
      await client.put(`/employee/${employee_id}`, { function_kind: MECHANIC });
      await addHours(client, { employee_id }, '08:00', '10:00', [1]);
    });
    const from = '2026-05-04T00:00:00Z';
    const until = '2026-05-05T00:00:00Z';
    const find = (more: Json = {}) => slotsOf(client, { from, until, minutes: 60, ...more });

    it('offers each quarter that is long enough, in UTC', async () => {
      expect((await find()).map(({ starts_at }) => starts_at.slice(11, 16))).to.deep.equal([
        '06:00',
        '06:15',
        '06:30',
        '06:45',
        '07:00',
      ]);
      expect((await find({ from: '2026-05-04T06:01:00Z', until: '2026-05-04T07:30:00Z' }))[0]).to.deep.equal({
        starts_at: '2026-05-04T06:15:00.000Z',
        ends_at: '2026-05-04T07:15:00.000Z',
        employee_id,
        workplace_id,
      });
    });

    it('can be booked as it is, once', async () => {
      const [slot] = await find();

      const added = await client.post('/appointment', slot);
      expect(added.status, added.text).to.equal(201);
      expect(await client.post('/appointment', slot)).to.be.refused(
        409,
        '[workplace] is [occupied], cannot add/update/delete',
      );
      expect((await find()).map(({ starts_at }) => starts_at.slice(11, 16))).to.deep.equal(['07:00']);
      await client.del(`/appointment/${added.data.id}`);
    });

    it('keeps to a kind of workplace and a function', async () => {
      expect(await find({ workplace_kind: LIFT, function_kind: MECHANIC })).to.have.length(5);
      expect(await find({ workplace_kind: WASH })).to.deep.equal([]);
      expect(await find({ function_kind: SALES })).to.deep.equal([]);
    });

    it('never offers the blocked, the archived, those who have left or not yet come, and those without hours', async () => {
      const offered = async () => (await find()).length;
      await build(client, 'employee', { function_kind: MECHANIC });

      for (const [resource, id] of [
        ['employee', employee_id],
        ['workplace', workplace_id],
      ] as const)
        for (const flag of ['is_blocked', 'is_archived']) {
          await client.put(`/${resource}/${id}`, { [flag]: 1 });
          expect(await offered(), `${resource} ${flag}`).to.equal(0);
          await client.put(`/${resource}/${id}`, { [flag]: 0 });
        }
      for (const dates of [{ start_date: '2099-01-01' }, { end_date: '2026-05-01' }]) {
        await client.put(`/employee/${employee_id}`, dates);
        expect(await offered()).to.equal(0);
        await client.put(`/employee/${employee_id}`, { start_date: null, end_date: null });
      }
      expect(await offered()).to.equal(5);
    });

    it('prefers the lowest sort_order, and an empty one last', async () => {
      const other = await buildWorkshop(client);
      expect((await find())[0]?.workplace_id).to.equal(workplace_id);

      await client.put(`/workplace/${other.workplace_id}`, { sort_order: 9 });

      expect((await find())[0]?.workplace_id).to.equal(other.workplace_id);
      await client.del(`/workplace/${other.workplace_id}`);
    });

    it('shows nothing of another owner', async () => {
      const other = await newClient();
      await buildWorkshop(other);
      await build(other, 'absence', { starts_at: from, ends_at: until });

      expect(await slotsOf(other, { from, until, minutes: 60 })).to.deep.equal([]);
      expect(await find()).to.have.length(5);
    });

    it('ends at a hundred', async () => {
      const week = { from: '2026-05-04T00:00:00Z', until: '2026-06-04T00:00:00Z', minutes: 15 };
      await addHours(client, { employee_id }, '10:00', '24:00');

      const found = await find(week);

      expect(found).to.have.length(100);
    });

    it('refuses what is no interval or no length', async () => {
      const ask = (query: Json) =>
        client.get(
          `/planning/slots?${new URLSearchParams({ from, until, minutes: '60', ...query } as never)}`,
        );
      const wrongMinutes = 'Parameter invalid [minutes] value must be a multiple of 15 between 15 and 1440';

      expect(await client.get('/planning/slots?minutes=15')).to.be.refused(
        400,
        'These parameter(s): [from, until] are required',
      );
      for (const minutes of ['0', '20', '1455', '-15', '15.5', 'x', '1e2'])
        expect(await ask({ minutes })).to.be.refused(400, wrongMinutes);
      expect((await ask({ minutes: '1440' })).status).to.equal(200);
      const wrongEnd = (reason: string) => `Parameter invalid [until] value must be ${reason}`;
      expect(await ask({ until: from })).to.be.refused(400, wrongEnd('after from'));
      expect(await ask({ until: '2026-06-04T00:00:00.001Z' })).to.be.refused(
        400,
        wrongEnd('at most 31 days after from'),
      );
      expect((await ask({ until: '2026-06-04T00:00:00Z' })).status).to.equal(200);
      expect(await ask({ from: '2026-02-30' })).to.be.refused(
        403,
        'Field: [from] has an invalid value: [2026-02-30] for datatype: timestamp(ISO 8601)',
      );
      expect(await ask({ workplace_kind: 9 })).to.be.refused(
        403,
        'Field: [workplace_kind] has an invalid value: [9] for validation: [workplacekinds]',
      );
      expect(await ask({ function_kind: 'x' })).to.be.refused(
        403,
        'Field: [function_kind] has an invalid value: [x] for datatype: int4',
      );
      expect((await ask({ workplace_kind: '', function_kind: '' })).status).to.equal(200);
      const { errors } = (await ask({ function_kind: 'x', minutes: 'x', from: 'x' })).body;
      expect(errors.map(({ field }: { field: string }) => field)).to.deep.equal([
        'from',
        'minutes',
        'function_kind',
      ]);
      expect(await ask({ until: '', minutes: 'x' })).to.be.refused(
        400,
        'These parameter(s): [until] are required',
      );
      expect(await ask({ page: 2 })).to.be.refused(
        400,
        'Invalid request, query parameter is not supported: [page]',
      );
    });
  });
});
