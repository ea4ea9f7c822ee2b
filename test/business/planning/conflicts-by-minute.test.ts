// GET /planning/conflicts, compared with a look at each minute in random garages; and in garages with very many rows.

import { Random } from '../../../src/business/seed/random.ts';
import type { Row } from '../../../src/core/model/fields/field.ts';
import { resourceNamed } from '../../../src/core/model/records/registry.ts';
import { databaseTime } from '../../../src/core/trade/time/timestamp.ts';
import { build } from '../../support/build/build.ts';
import { addHours, buildWorkshop } from '../../support/build/workshop.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { force } from '../../support/client/resources.ts';
import { writeRows } from '../../support/database/many-rows.ts';
import { database } from '../../support/service/service.ts';
import { type Booked, causesByMinute } from './minute-grid.ts';
import { randomGarage } from './random-garage.ts';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const MONDAY = Date.parse('2026-05-04');

const STARTS = [
  ['2026-05-05T04:00:00Z', 'Europe/Amsterdam'],
  ['2026-03-28T04:00:00Z', 'Europe/Amsterdam'],
  ['2026-10-24T04:00:00Z', 'Europe/Amsterdam'],
  ['2026-04-03T22:15:00Z', 'Australia/Lord_Howe'],
] as const;

const day = (instant: number) => new Date(instant).toISOString().slice(0, 10);

async function answered(client: Client, from: number, until: number) {
  const answer = await client.get(`/planning/conflicts?from=${day(from)}&to=${day(until)}`);
  expect(answer.status, answer.text).to.equal(200);
  return answer.data.map(({ appointment_id, absence_id }: Json) => [appointment_id, absence_id]);
}

describe('GET /planning/conflicts', () => {
  for (const [start, timezone] of STARTS)
    for (const seed of [1, 2, 3])
      it(`finds what a look at each minute finds: ${start} in ${timezone}, garage ${seed}`, async () => {
        const client = await newClient();
        await client.put(`/owner/${client.garage.owner}`, { timezone });
        const from = Date.parse(start);
        const random = new Random(`conflicts ${start} ${seed}`);
        const rows = await randomGarage(client, random, from);
        const appointments: Booked[] = [];
        for (const one of rows.appointments) {
          // As if the hours had changed.
          const flags = { is_overtime: random.whole(0, 1), is_over_breaks: random.whole(0, 1) };
          await force(resourceNamed('appointment'), one.id, flags);
          appointments.push({ ...one, ...flags });
        }

        const found = await answered(client, from - DAY, from + 6 * DAY);

        const around = { from: from - DAY, until: from + 6 * DAY, timezone };
        expect(found).to.deep.equal(causesByMinute({ ...rows, appointments }, around));
        expect(found).to.have.length.above(0);
      });
});

describe('the conflicts of very many appointments', () => {
  let client: Client;
  let employee_id: number;
  let workplace_id: number;
  beforeEach(async () => {
    client = await newClient();
    ({ employee_id, workplace_id } = await buildWorkshop(client));
  });
  const write = (table: string, count: number, make: (index: number) => Row) =>
    writeRows(database(), client.garage.owner, { table, count }, make);
  const minutes = (from: number, until: number) => ({
    starts_at: databaseTime(new Date(MONDAY + from * MINUTE)),
    ends_at: databaseTime(new Date(MONDAY + until * MINUTE)),
  });

  it('are judged block after block, in the order of their starts', async () => {
    await write('appointments', 20_500, (index) => ({
      workplace_id,
      ...minutes(10 * index, 10 * index + 10),
    }));
    await write('appointments', 1, () => ({ employee_id, ...minutes(5, 30 * 1_440) }));
    await addHours(client, { employee_id }, '08:00', '17:00', [1]);
    const closed = { starts_at: '2026-05-04T00:00Z', ends_at: '2026-05-04T00:20Z' };
    const { id: first } = await build(client, 'absence', closed);
    const late = { starts_at: new Date(MONDAY + 204_990 * MINUTE).toISOString(), ends_at: '2026-09-30' };
    const { id: last } = await build(client, 'absence', { ...late, workplace_id });

    const found = await answered(client, MONDAY, MONDAY + 200 * DAY);

    const ids = found.map(([id]: number[]) => id);
    expect(found.map(([, absence]: number[]) => absence)).to.deep.equal([first, first, null, first, last]);
    expect(ids[4] - ids[0]).to.equal(20_499);
    expect(ids[1]).to.equal(ids[2]);
    expect(ids[3] - ids[0]).to.equal(1);
  }).timeout(60_000);

  it('are found behind many absences that are over', async () => {
    const iso = (minute: number) => new Date(MONDAY + minute * MINUTE).toISOString();
    await write('appointments', 1, () => ({ employee_id, ...minutes(0, 5_000) }));
    await write('appointments', 100, (index) => ({ workplace_id, ...minutes(10 * index, 10 * index + 5) }));
    await write('appointments', 1, () => ({ workplace_id, ...minutes(4_000, 4_010) }));
    const { id: long } = await build(client, 'absence', {
      workplace_id,
      starts_at: iso(6),
      ends_at: iso(4_500),
    });
    await write('absences', 100, (index) => ({ workplace_id, ...minutes(1_000 + index, 1_001 + index) }));
    const { id: closed } = await build(client, 'absence', { starts_at: iso(4_900), ends_at: iso(4_910) });

    const found = await answered(client, MONDAY, MONDAY + 4 * DAY);

    // The first appointment of the workplace ends before the long absence.
    expect(found.map(([, absence]: number[]) => absence)).to.deep.equal([closed, ...Array(100).fill(long)]);
  });

  it('are refused if there are more than ten thousand', async () => {
    await write('appointments', 1, () => ({ workplace_id, ...minutes(0, 60) }));
    await write('absences', 10_000, () => ({ workplace_id, ...minutes(0, 60) }));
    const path = '/planning/conflicts?from=2026-05-04&to=2026-05-04';

    const most = await client.get(path);
    await write('absences', 1, () => minutes(0, 60));

    expect(most.data).to.have.length(10_000);
    expect(await client.get(path)).to.be.refused(
      400,
      'Parameter invalid [to] more than [10000] conflicts, ask for fewer days',
    );
  }).timeout(60_000);

  it('of years, as an older release accepted them, are outside of any hours', async () => {
    await write('appointments', 1, () => ({ employee_id, ...minutes(0, 1_000 * 1_440) }));
    expect(await answered(client, MONDAY, MONDAY)).to.deep.equal([]);

    await addHours(client, { employee_id }, '00:00', '24:00');

    expect(await answered(client, MONDAY + 900 * DAY, MONDAY + 901 * DAY)).to.have.length(1);
  });
});
