// Runs the series of a point in turn, round after round, and takes the ratios within each round: what the
// machine does meanwhile then falls on all alike.
import { type Figures, measure } from './load.ts';
import type { Options } from './options.ts';
import type { Point, Ratio } from './points.ts';
import { demandSame } from './same.ts';
import type { Servers } from './servers.ts';
import { median, type Spread, spread } from './statistics.ts';

const WARM_UP_SECONDS = 2;

export interface Compared {
  readonly point: Point;
  /** Medians of the rounds, by series. */
  readonly figures: ReadonlyMap<string, Figures>;
  readonly ratios: readonly (Ratio & { readonly measured: Spread })[];
}

export interface Bench {
  readonly servers: Servers;
  readonly options: Options;
  readonly databasePid: () => number;
  readonly token: () => Promise<string>;
}

/** Throws where the servers do not answer the same, or with an error. */
export async function compare(bench: Bench, point: Point): Promise<Compared> {
  const { servers, options } = bench;
  const token = await bench.token();
  await demandSame(
    Object.values(servers).map(({ url }) => ({ url, token })),
    point,
  );
  let runs = 0;
  const run = ({ server, requests }: Point['series'][number], seconds: number) => {
    runs += 1;
    const { connections = options.connections } = point;
    const load = { token, connections, seconds, requests: requests(runs) };
    return measure(servers[server], bench.databasePid(), load);
  };
  for (const series of point.series) await run(series, WARM_UP_SECONDS);
  const rounds = new Map<string, Figures[]>(point.series.map(({ name }) => [name, []]));
  for (let round = 0; round < options.rounds; round += 1) {
    // There and back, so that what grows from run to run favours none.
    const order = round % 2 === 0 ? point.series : point.series.toReversed();
    for (const series of order) rounds.get(series.name)?.push(await run(series, options.seconds));
  }
  const rates = (name: string) => (rounds.get(name) ?? []).map(({ rate }) => rate);
  return {
    point,
    figures: new Map([...rounds].map(([name, figures]) => [name, medians(figures)])),
    ratios: point.ratios.map((ratio) => {
      const to = rates(ratio.to);
      const measured = spread(rates(ratio.of).map((rate, round) => rate / (to[round] ?? Number.NaN)));
      return { ...ratio, measured };
    }),
  };
}

function medians(figures: readonly Figures[]): Figures {
  const of = (name: keyof Figures) => median(figures.map((one) => one[name]));
  return {
    requests: of('requests'),
    seconds: of('seconds'),
    failures: of('failures'),
    p50: of('p50'),
    p99: of('p99'),
    rate: of('rate'),
    serverCpu: of('serverCpu'),
    databaseCpu: of('databaseCpu'),
    memory: of('memory'),
  };
}
