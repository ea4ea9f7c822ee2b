// GET /planning/load, compared with a count minute by minute in random garages, also when the clock is turned.
import { Random } from '../../../src/business/seed/random.ts';
import { type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { loadByMinute } from './minute-grid.ts';
import { randomGarage } from './random-garage.ts';

/** The first midnight of three days of the garage's calendar, and the last one. */
const DAYS = [
  ['2026-05-05', '2026-05-07', '2026-05-04T22:00:00Z', '2026-05-07T22:00:00Z', 'Europe/Amsterdam'],
  ['2026-03-28', '2026-03-30', '2026-03-27T23:00:00Z', '2026-03-30T22:00:00Z', 'Europe/Amsterdam'],
  ['2026-10-24', '2026-10-26', '2026-10-23T22:00:00Z', '2026-10-26T23:00:00Z', 'Europe/Amsterdam'],
  ['2026-04-04', '2026-04-06', '2026-04-03T13:00:00Z', '2026-04-06T13:30:00Z', 'Australia/Lord_Howe'],
  ['2024-09-07', '2024-09-09', '2024-09-07T04:00:00Z', '2024-09-10T03:00:00Z', 'America/Santiago'],
] as const;

const hours = (minutes: number) => Math.round((minutes / 60) * 10_000) / 10_000;

describe('GET /planning/load', () => {
  for (const [from, to, start, end, timezone] of DAYS)
    for (const seed of [1, 2, 3])
      it(`adds up what a count by the minute adds up: ${from} in ${timezone}, garage ${seed}`, async () => {
        const client = await newClient();
        await client.put(`/owner/${client.garage.owner}`, { timezone });
        const first = Date.parse(start);
        const rows = await randomGarage(client, new Random(`load ${from} ${timezone} ${seed}`), first);

        const { data } = await client.get(`/planning/load?from=${from}&to=${to}`);

        const counted = loadByMinute(rows, { from: first, until: Date.parse(end), timezone });
        expect(data.map((day: Json) => [day.capacity_hours, day.planned_hours])).to.deep.equal(
          counted.map(([, capacity, planned]) => [hours(capacity), hours(planned)]),
        );
        expect(data).to.have.length(3);
      });
});
