// GET /planning/slots, compared with a search minute by minute in random garages: plain slots, slots over breaks, of
// one employee or workplace, and without an appointment, also in the nights when the clock is turned.
import { Random } from '../../../src/business/seed/random.ts';
import { type Client, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { type Asked, minuteGrid, type Rows } from './minute-grid.ts';
import { iso, randomGarage } from './random-garage.ts';

const MINUTE = 60_000;
const QUARTER = 15 * MINUTE;
/** Two days. */
const QUARTERS = 2 * 96;

const STARTS = [
  ['a week in May', '2026-05-06T03:00:00Z', 'Europe/Amsterdam'],
  ['the night of 29 March', '2026-03-28T10:00:00Z', 'Europe/Amsterdam'],
  ['the night of 25 October', '2026-10-24T08:00:00Z', 'Europe/Amsterdam'],
  ['a turn by half an hour', '2026-04-03T22:15:00Z', 'Australia/Lord_Howe'],
  ['a midnight that is skipped', '2024-09-07T03:00:00Z', 'America/Santiago'],
] as const;

/** What the service answers, in the form of the search. */
async function answered(client: Client, from: number, asked: Asked) {
  const { until, minutes, overBreaks, employee, workplace, without } = asked;
  const given = {
    from: iso(from),
    until: iso(until),
    minutes,
    is_over_breaks: overBreaks ? 1 : undefined,
    employee_id: employee,
    workplace_id: workplace,
    without_appointment: without,
  };
  const query = new URLSearchParams(
    Object.entries(given).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, `${value}`]],
    ),
  );
  const answer = await client.get(`/planning/slots?${query}`);
  expect(answer.status, answer.text).to.equal(200);
  const slots = answer.data.map((one: Record<string, string>) => [
    Date.parse(one.starts_at ?? ''),
    Date.parse(one.ends_at ?? ''),
    one.employee_id,
    one.workplace_id,
  ]);
  return { slots, hasMore: answer.body.has_more };
}

/** The queries of a garage: each with and without breaks. */
function queries(random: Random, rows: Rows, from: number): Asked[] {
  const own = [
    {},
    { employee: random.pick(rows.employees).id },
    { workplace: random.pick(rows.workplaces) },
    { without: random.pick(rows.appointments).id },
  ];
  return [15, 45, 120, 300].flatMap((minutes) =>
    own.flatMap((more) =>
      [false, true].map((overBreaks) => {
        const until = from + random.whole(48, QUARTERS) * QUARTER;
        return { until, minutes, overBreaks, ...more };
      }),
    ),
  );
}

describe('GET /planning/slots', () => {
  const found = { slots: 0, overBreaks: 0, pages: 0 };
  for (const [name, start, timezone] of STARTS)
    for (const seed of [1, 2, 3])
      it(`finds what a search by the minute finds: ${name}, garage ${seed}`, async () => {
        const client = await newClient();
        await client.put(`/owner/${client.garage.owner}`, { timezone });
        const random = new Random(`${name} ${seed}`);
        const from = Date.parse(start);
        const rows = await randomGarage(client, random, from);
        const search = minuteGrid(rows, { from, until: from + QUARTERS * QUARTER, timezone });

        for (const asked of queries(random, rows, from)) {
          const expected = search(asked);
          expect(await answered(client, from, asked), JSON.stringify(asked)).to.deep.equal(expected);
          const { slots, hasMore } = expected;
          found.slots += slots.length;
          found.overBreaks += slots.filter(([begin, end]) => end - begin > asked.minutes * MINUTE).length;
          found.pages += hasMore ? 1 : 0;
        }
      }).timeout(60_000);

  it('was asked for slots that are there, that pass breaks, and that are too many', () => {
    expect(found.slots).to.be.above(1_000);
    expect(found.overBreaks).to.be.above(300);
    expect(found.pages).to.be.above(3);
  });
});
