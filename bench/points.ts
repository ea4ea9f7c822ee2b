// The points of the bench: which requests go to which server, which ratios follow, and their floors.
import type { Request } from './load.ts';
import { LIST_PATHS, type Requests } from './requests.ts';
import { type Caller, send } from './same.ts';
import type { ServerName } from './servers.ts';

/** For pages that keep the database busy for so long that more requests would only queue. */
const SLOW_CONNECTIONS = 2;

/** One kind of request to one server, measured again in each round. */
export interface Series {
  readonly name: string;
  readonly server: ServerName;
  readonly requests: (run: number, seconds: number) => Request[] | Promise<Request[]>;
}

export interface Ratio {
  readonly of: string;
  readonly to: string;
  /** The lowest median that meets the target. */
  readonly floor?: number;
}

export interface Point {
  readonly name: string;
  readonly title: string;
  readonly series: readonly Series[];
  readonly ratios: readonly Ratio[];
  /** Overrides the option of that name. */
  readonly connections?: number;
  /**
   * How the answers are compared before measuring: see same.ts. A `delete` sends each request only once. `own`: only
   * the service has such requests.
   */
  readonly kind: 'read' | 'write' | 'delete' | 'own';
}

export const SERVER_LABELS: Readonly<Record<ServerName, string>> = {
  service: 'service',
  other: 'other',
  quiet: 'service, LOG_LEVEL=warn',
  http: 'node:http',
  koa: 'Koa',
  logging: 'Koa that logs changes',
};

/** Makes the points for these servers. Asks `service` for the cursors. */
export async function makePoints(
  requests: Requests,
  service: Caller,
  servers: readonly ServerName[],
): Promise<Point[]> {
  const { all, filtered, sorted } = LIST_PATHS;
  const { deepPage } = requests;
  const onServers = (names: readonly ServerName[], made: Series['requests']): Series[] =>
    names.map((server) => ({ name: SERVER_LABELS[server], server, requests: made }));
  const readers = servers.filter((server) => server !== 'logging');
  const toOtherServers = (asked: readonly ServerName[], floor?: number): Ratio[] =>
    (
      [
        { of: 'service', to: 'koa', floor },
        { of: 'quiet', to: 'koa' },
        { of: 'service', to: 'logging', floor: 0.9 },
        { of: 'service', to: 'http' },
        { of: 'service', to: 'other' },
      ] as const
    )
      .filter(({ of, to }) => asked.includes(of) && asked.includes(to))
      .map((ratio) => ({ ...ratio, of: SERVER_LABELS[ratio.of], to: SERVER_LABELS[ratio.to] }));
  const point = (
    name: string,
    title: string,
    kind: Point['kind'],
    floor: number,
    made: Series['requests'],
  ): Point => {
    const asked = kind === 'read' ? readers : servers;
    return { name, title, kind, series: onServers(asked, made), ratios: toOtherServers(asked, floor) };
  };
  const page = (name: string, list: string, path: string, number: number): Point => {
    const title = `Page ${number} of ${list}; baselines use plain OFFSET`;
    const made = point(name, title, 'read', 3.4, () => [get(withParameter(path, `page=${number}`))]);
    return { ...made, connections: SLOW_CONNECTIONS };
  };
  const cursor = async (name: string, list: string, path: string): Promise<Point> => {
    const after = (number: number) => nextPage(service, path, number);
    const [near, middle, far] = [
      await after(1),
      await after(Math.ceil(deepPage.filtered / 2)),
      await after(deepPage.filtered - 1),
    ];
    const toFirstPage = (of: string): Ratio => ({ of, to: 'first page', floor: 0.9 });
    return {
      name,
      title: `${list}, by cursor after page ${deepPage.filtered - 1}`,
      kind: 'read',
      series: [
        { name: 'first page', server: 'service', requests: () => [get(path)] },
        { name: 'cursor after page 1', server: 'service', requests: () => near },
        { name: 'cursor half way', server: 'service', requests: () => middle },
        ...onServers(readers, () => far),
      ],
      ratios: [
        ...['cursor after page 1', 'cursor half way', 'service'].map(toFirstPage),
        ...toOtherServers(readers),
      ],
    };
  };
  const getOrder = () => requests.getOrder;
  return [
    point('get', 'GET one order', 'read', 1.9, getOrder),
    {
      ...point('get-alone', 'GET one order, one connection', 'read', 0.87, getOrder),
      connections: 1,
    },
    point('list', '100 orders of one type', 'read', 1.15, () => [get(filtered)]),
    point('sorted', '100 orders of one type, newest first', 'read', 1, () => [get(sorted)]),
    page('page', 'all orders', all, deepPage.all),
    page('page-filtered', 'one type', filtered, deepPage.filtered),
    page('page-sorted', 'one type, newest first', sorted, deepPage.filtered),
    await cursor('cursor', 'Orders of one type', filtered),
    await cursor('cursor-sorted', 'Orders of one type, newest first', sorted),
    compressed(requests.getOrder, all),
    PLANNING,
    point('post', 'POST one order line', 'write', 0.8, () => requests.addLine),
    point('put', 'PUT one order line', 'write', 0.85, requests.changeLine),
    point('delete', 'DELETE one order line', 'delete', 0.8, (_run, seconds) => requests.deleteLine(seconds)),
  ];
}

/** Beside the same requests of callers who do not ask for compression. */
function compressed(getOrder: readonly Request[], list: string): Point {
  const accepting = (accepts: string, asked: readonly Request[]) => () =>
    asked.map((request) => ({ ...request, accepts }));
  const page = [get(list)];
  const series = [
    { name: 'GET one', requests: () => [...getOrder] },
    { name: 'GET one, gzip', requests: accepting('gzip', getOrder) },
    { name: '100 orders', requests: () => page },
    { name: '100 orders, gzip', requests: accepting('gzip', page) },
    { name: '100 orders, br', requests: accepting('br', page) },
  ];
  return {
    name: 'compressed',
    title: 'GET one order and 100 orders, with and without Accept-Encoding',
    kind: 'own',
    series: series.map((one) => ({ ...one, server: 'service' })),
    ratios: [
      { of: 'GET one, gzip', to: 'GET one', floor: 0.9 },
      { of: '100 orders, gzip', to: '100 orders', floor: 0.5 },
      { of: '100 orders, br', to: '100 orders', floor: 0.5 },
    ],
  };
}

/** The last month of the seeded work, and a year. */
const PLANNING: Point = {
  name: 'planning',
  title: 'Free slots of 31 days, and the load of a year, beside a page of 100 orders',
  kind: 'own',
  series: [
    { name: 'page of orders', path: '/v2/order?page_size=100' },
    {
      name: 'slots',
      path: '/v2/planning/slots?from=2026-03-30T00:00:00Z&until=2026-04-30T00:00:00Z&minutes=60',
    },
    { name: 'load of 31 days', path: '/v2/planning/load?from=2026-03-30&to=2026-04-29' },
    { name: 'load of a year', path: '/v2/planning/load?from=2025-05-01&to=2026-04-30' },
  ].map(({ name, path }) => ({ name, server: 'service', requests: () => [{ method: 'GET', path }] })),
  ratios: ['slots', 'load of 31 days', 'load of a year'].map((of) => ({ of, to: 'page of orders' })),
};

const get = (path: string): Request => ({ method: 'GET', path });

const withParameter = (path: string, parameter: string) =>
  `${path}${path.includes('?') ? '&' : '?'}${parameter}`;

/** The request for the page after this one, by cursor. */
async function nextPage(service: Caller, path: string, number: number): Promise<Request[]> {
  const answer = await send(service, get(withParameter(path, `page=${number}`)));
  const { next } = JSON.parse(answer) as { next: string };
  return [get(withParameter(path, `cursor=${next}`))];
}
