// What the plan of a full garage costs, beside a page of 100 orders: processor time of the service, and how long it
// holds the thread that answers everybody.
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { readConflicts } from '../src/business/planning/conflicts.ts';
import { readLoad } from '../src/business/planning/load.ts';
import { findSlots } from '../src/business/planning/slots.ts';
import { garageOf } from '../src/core/model/statements/garage.ts';
import type { Session } from '../src/core/model/statements/session.ts';
import type { Dataset } from './dataset.ts';
import { type Figures, measure } from './load.ts';
import type { Options } from './options.ts';
import { type Measured, section, shown, tableText, verdict } from './report.ts';
import { type ServerSettings, startService } from './servers.ts';
import { median, type Spread, spread } from './statistics.ts';

const CONNECTIONS = 2;
const RUNS = 15;
/** Lets the collector of the run before end. */
const PAUSE_MS = 50;
const MOST_STRETCH_MS = 20;

const WITHIN = { start: Date.UTC(2027, 2, 1), end: Date.UTC(2027, 3, 1) };
const SLOTS = '/v2/planning/slots?from=2027-03-01T00:00:00Z&until=2027-04-01T00:00:00Z';

interface Asked {
  readonly name: string;
  readonly path: string;
  /** The most pages of its processor time, if there is a target. */
  readonly most?: number;
  readonly read: (session: Session, owner: number) => Promise<unknown>;
}

const slots = (minutes: number, overBreaks: boolean): Asked => ({
  name: `slots of ${minutes} minutes in 31 days${overBreaks ? ', over breaks' : ''}`,
  path: `${SLOTS}&minutes=${minutes}${overBreaks ? '&is_over_breaks=1' : ''}`,
  most: 10,
  read: (session, owner) => findSlots(garageOf(session, owner), { within: WITHIN, minutes, overBreaks }),
});

const load = (year: number): Asked => ({
  name: `load of ${year}`,
  path: `/v2/planning/load?from=${year}-01-01&to=${year}-12-31`,
  most: 20,
  read: (session, owner) =>
    readLoad(garageOf(session, owner), { from: `${year}-01-01`, to: `${year}-12-31` }),
});

const conflicts = (year: number): Asked => ({
  name: `conflicts of ${year}`,
  path: `/v2/planning/conflicts?from=${year}-01-01&to=${year}-12-31`,
  read: (session, owner) =>
    readConflicts(garageOf(session, owner), { from: `${year}-01-01`, to: `${year}-12-31` }),
});

const PAGE = { name: 'page of 100 orders', path: '/v2/order?page_size=100' };
/** No slot of five hours is free without breaks. Nobody is booked in 2028. */
const ASKED: readonly Asked[] = [
  slots(60, false),
  slots(300, false),
  slots(60, true),
  slots(300, true),
  load(2027),
  load(2028),
  conflicts(2027),
];

export async function measurePlan(
  dataset: Dataset,
  settings: ServerSettings,
  { rounds, seconds }: Options,
): Promise<Measured> {
  const garage = await dataset.fullPlan();
  const figures = new Map<string, Figures[]>([PAGE, ...ASKED].map(({ name }) => [name, []]));
  const service = await startService(settings, { logLevel: 'warn' });
  try {
    const tokens = { page: await dataset.token(), plan: await dataset.token(garage) };
    // The first round warms up.
    for (let round = 0; round <= rounds; round += 1)
      for (const { name, path } of [PAGE, ...ASKED]) {
        const figure = await measure(service, dataset, {
          token: name === PAGE.name ? tokens.page : tokens.plan,
          connections: CONNECTIONS,
          requests: [{ method: 'GET', path }],
          length: { seconds },
        });
        if (round > 0) figures.get(name)?.push(figure);
      }
  } finally {
    await service.stop();
  }
  const stretches = new Map<string, Spread>();
  for (const { name, read } of ASKED)
    stretches.set(
      name,
      await longestStretch(() => dataset.base.database.snapshot((session) => read(session, garage.owner))),
    );
  return report(figures, stretches);
}

/** How long the thread is held at most, in milliseconds of its processor time. */
async function longestStretch(work: () => Promise<unknown>): Promise<Spread> {
  const longest: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    await pause(PAUSE_MS);
    let [most, last, isOver] = [0, threadTime(), false];
    const look = () => {
      const now = threadTime();
      most = Math.max(most, now - last);
      last = now;
      if (!isOver) setImmediate(look);
    };
    setImmediate(look);
    await work();
    isOver = true;
    longest.push(most);
  }
  return spread(longest);
}

/** Milliseconds for which this thread has run so far. Other work of the machine does not count. */
const threadTime = () => Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;

function report(figures: ReadonlyMap<string, Figures[]>, stretches: ReadonlyMap<string, Spread>): Measured {
  const of = (name: string, figure: keyof Figures) => (figures.get(name) ?? []).map((one) => one[figure]);
  const pages = of(PAGE.name, 'serverCpu');
  const ratios = new Map(
    ASKED.map(({ name }) => [
      name,
      spread(of(name, 'serverCpu').map((cpu, round) => cpu / (pages[round] ?? Number.NaN))),
    ]),
  );
  const rows = [PAGE, ...ASKED].map(({ name }) => {
    const [ratio, stretch] = [ratios.get(name), stretches.get(name)];
    return [
      name,
      median(of(name, 'serverCpu')).toFixed(0),
      median(of(name, 'databaseCpu')).toFixed(0),
      ratio ? shown(ratio, 1) : '1',
      stretch ? shown(stretch, 1) : '',
    ];
  });
  return {
    text: section(
      'The plan of a full garage, beside a page of 100 orders (`plan`)',
      tableText([
        ['', 'server CPU µs', 'database CPU µs', 'server CPU, pages', 'longest stretch, ms'],
        ...rows,
      ]),
    ),
    verdicts: ASKED.flatMap(({ name, most }) => [
      ...(most === undefined
        ? []
        : [verdict(`${name}: CPU time of pages`, ratios.get(name) ?? spread([]), { most }, 1)]),
      verdict(
        `${name}: longest stretch, ms`,
        stretches.get(name) ?? spread([]),
        { most: MOST_STRETCH_MS },
        1,
      ),
    ]),
  };
}
