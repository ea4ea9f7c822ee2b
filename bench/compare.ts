// Measures the series of a point in turns, round after round, and takes ratios within each round. So other work of the
// machine affects all servers alike. One team of processes after the other warms up and runs its share of the rounds.
import { setTimeout as pause } from 'node:timers/promises';
import { placeAllOwners } from '../src/platform/changes/retention.ts';
import type { Dataset } from './dataset.ts';
import { type Figures, type Idle, type Length, measure, type Request } from './load.ts';
import type { Options } from './options.ts';
import { lengthOf, type Point, type Ratio, type Series } from './points.ts';
import { cpuSeconds, type Server } from './process.ts';
import { demandSame } from './same.ts';
import { type Servers, serverOf } from './servers.ts';
import { median, type Spread, spread } from './statistics.ts';
import { type Part, takeTurns } from './turns.ts';
import { warmUp } from './warm-up.ts';

const IDLE_SECONDS = 5;
/** Far more than placing takes. */
const PLACING_MS = 300_000;

/** The ratios of CPU time per request, and of requests per second. */
interface MeasuredRatio extends Ratio {
  readonly server: Spread;
  readonly database: Spread;
  readonly rate: Spread;
}

export interface Compared {
  readonly point: Point;
  /** Medians of the rounds, by the series' name. */
  readonly figures: ReadonlyMap<string, Figures>;
  readonly ratios: readonly MeasuredRatio[];
  /** Statements per request, by the series' name. */
  readonly statements: ReadonlyMap<string, Spread>;
}

interface Comparison {
  /** Processes of the same servers. Each team has its share of the rounds. */
  readonly teams: readonly Servers[];
  readonly options: Options;
  readonly dataset: Dataset;
}

/** Throws if the servers give different answers, or an error. */
export async function compare({ teams, options, dataset }: Comparison, point: Point): Promise<Compared> {
  const token = await dataset.token();
  const [first] = teams as [Servers];
  await demandSame(
    [...first.values()].map(({ url }) => ({ url, token })),
    point,
  );
  let runs = 0;
  const idleOf = await idleRates(
    dataset,
    teams.flatMap((team) => [...team.values()]),
  );
  const connections = point.connections ?? options.connections;
  const send = async (team: Servers, { server }: Series, requests: readonly Request[], length: Length) => {
    const running = serverOf(team, server);
    return measure(running, dataset, { token, connections, requests, length }, idleOf(running));
  };
  const requestsOf = (series: Series, seconds: number) => {
    runs += 1;
    return series.requests(runs, seconds);
  };
  const rounds = new Map<string, Figures[]>(point.series.map(({ name }) => [name, []]));
  const warm = async (team: Servers): Promise<ReadonlyMap<Series, number>> => {
    const rates = new Map<Series, number>();
    const runOf = (series: Series) => async (seconds: number) => {
      const requests = await requestsOf(series, seconds);
      const figures = await send(team, series, requests, lengthOf(series, requests, seconds));
      rates.set(series, figures.rate);
      return figures;
    };
    await warmUp(point, point.series.map(runOf));
    return rates;
  };
  const measureRound = async (team: Servers, rates: ReadonlyMap<Series, number>) => {
    const parts: Part[] = [];
    for (const [series, rate] of rates)
      parts.push({ series, rate, requests: await requestsOf(series, options.seconds) });
    await placeAllOwners(dataset.base.database, PLACING_MS);
    const figures = await takeTurns(parts, {
      seconds: options.seconds,
      connections,
      send: (series, requests, amount) => send(team, series, requests, { amount }),
    });
    for (const [name, made] of figures) rounds.get(name)?.push(made);
  };
  // No team waits for another between its rounds: V8 forgets the code of a server that has nothing to do.
  for (const [index, team] of teams.slice(0, options.rounds).entries()) {
    const rates = await warm(team);
    for (let round = index; round < options.rounds; round += teams.length) await measureRound(team, rates);
  }
  const ratioOf = ({ of, to }: Ratio, figure: 'rate' | 'serverCpu' | 'databaseCpu') => {
    const divisors = rounds.get(to) ?? [];
    return spread((rounds.get(of) ?? []).map((run, round) => run[figure] / (divisors[round]?.[figure] ?? 0)));
  };
  return {
    point,
    figures: new Map([...rounds].map(([name, figures]) => [name, medians(figures)])),
    ratios: point.ratios.map((ratio) => ({
      ...ratio,
      server: ratioOf(ratio, 'serverCpu'),
      database: ratioOf(ratio, 'databaseCpu'),
      rate: ratioOf(ratio, 'rate'),
    })),
    statements: new Map(
      [...rounds].map(([name, figures]) => [name, spread(figures.map(({ statements }) => statements))]),
    ),
  };
}

/** Measures the cost of a second without requests, for each server and for the database. */
async function idleRates(dataset: Dataset, servers: readonly Server[]): Promise<(server: Server) => Idle> {
  const spent = async () => ({
    statements: await dataset.statements(),
    databaseCpu: cpuSeconds(dataset.databasePid),
    byServer: new Map(servers.map((server) => [server, cpuSeconds(server.pid)])),
  });
  const before = await spent();
  await pause(IDLE_SECONDS * 1000);
  const after = await spent();
  const rate = (from = 0, to = 0) => (to - from) / IDLE_SECONDS;
  const statements = rate(before.statements, after.statements);
  const databaseCpu = rate(before.databaseCpu, after.databaseCpu);
  return (server) => ({
    statements,
    databaseCpu,
    serverCpu: rate(before.byServer.get(server), after.byServer.get(server)),
  });
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
    statements: of('statements'),
    memory: of('memory'),
  };
}
