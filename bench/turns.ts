// A round of a point: its servers take turns of a fraction of a second. A machine that is shared with others is slower
// for seconds at a time, and so it is slower for all servers of a round.
import type { Figures, Request } from './load.ts';
import type { Series } from './points.ts';
import { median } from './statistics.ts';

const TURN_SECONDS = 0.25;

/** One server's part of a round. */
export interface Part {
  readonly series: Series;
  /** For the whole round. */
  readonly requests: readonly Request[];
  /** How many a second the server answers, about. */
  readonly rate: number;
}

/** Sends that many of the requests. */
type Send = (series: Series, requests: readonly Request[], amount: number) => Promise<Figures>;

/** Returns the figures of each series, by its name. The first turns do not count: the servers have been idle. */
export async function takeTurns(
  parts: readonly Part[],
  { seconds, connections, send }: { seconds: number; connections: number; send: Send },
): Promise<ReadonlyMap<string, Figures>> {
  const turns = Math.max(1, Math.round(seconds / TURN_SECONDS));
  const figures = new Map<string, Figures[]>(parts.map(({ series }) => [series.name, []]));
  for (let turn = -1; turn < turns; turn += 1) {
    // Every second turn runs backwards, so that data that grows from turn to turn favours no server.
    for (const part of turn % 2 === 0 ? parts : parts.toReversed()) {
      const { series, requests, rate } = part;
      const amount = series.once
        ? Math.floor(requests.length / (turns + 1))
        : Math.max(connections, Math.ceil(rate * TURN_SECONDS));
      const made = await send(series, fromPlace(requests, (turn + 1) * amount, amount), amount);
      if (turn >= 0) figures.get(series.name)?.push(made);
    }
  }
  return new Map([...figures].map(([name, made]) => [name, together(made)]));
}

/** That many of the requests from a place on; after the last comes the first. All, if there are fewer. */
const fromPlace = (requests: readonly Request[], place: number, amount: number): readonly Request[] =>
  requests.length <= amount
    ? requests
    : Array.from({ length: amount }, (_, index) => requests[(place + index) % requests.length] as Request);

/** The figures of several turns as those of one. */
function together(turns: readonly Figures[]): Figures {
  const sum = (value: (turn: Figures) => number) => turns.reduce((total, turn) => total + value(turn), 0);
  const requests = sum((turn) => turn.requests);
  const seconds = sum((turn) => turn.seconds);
  const aRequest = (value: (turn: Figures) => number) =>
    sum((turn) => value(turn) * turn.requests) / requests;
  return {
    requests,
    seconds,
    failures: sum(({ failures }) => failures),
    p50: median(turns.map(({ p50 }) => p50)),
    p99: median(turns.map(({ p99 }) => p99)),
    rate: requests / seconds,
    serverCpu: aRequest(({ serverCpu }) => serverCpu),
    databaseCpu: aRequest(({ databaseCpu }) => databaseCpu),
    statements: aRequest(({ statements }) => statements),
    memory: median(turns.map(({ memory }) => memory)),
  };
}
