// The points of the bench: which requests go to which server, which ratios follow, and their targets.
import type { Length, Request } from './load.ts';
import { makeOwnPoints } from './own-points.ts';
import { LIST_PATHS, type Requests } from './requests.ts';
import { type Caller, type LastingCaller, send } from './same.ts';
import type { ServerName } from './servers.ts';

/** For pages that keep the database busy for so long that more requests would only queue. */
const SLOW_CONNECTIONS = 2;
/** The service computes two hashes of passwords at a time, and refuses to queue many. */
const LOGIN_CONNECTIONS = 4;

/** One kind of request to one server, measured again in each round. */
export interface Series {
  readonly name: string;
  readonly server: ServerName;
  readonly requests: (run: number, seconds: number) => Request[] | Promise<Request[]>;
  /** Whether each request is sent once only. */
  readonly once?: boolean;
}

/** Requests that are sent once only end the run; any others fill the seconds. */
export const lengthOf = ({ once }: Series, requests: readonly Request[], seconds: number): Length =>
  once ? { amount: requests.length } : { seconds };

/** The most CPU time per request, relative to the other series. Both are judged apart. */
interface Targets {
  readonly server?: number;
  readonly database?: number;
}

export interface Ratio {
  readonly of: string;
  readonly to: string;
  readonly targets?: Targets;
}

export interface Point {
  readonly name: string;
  readonly title: string;
  readonly series: readonly Series[];
  readonly ratios: readonly Ratio[];
  /** The most statements per request, by the series' name. */
  readonly mostStatements?: Readonly<Record<string, number>>;
  /** Overrides the option of that name. */
  readonly connections?: number;
  /**
   * How the answers are compared before measuring: see same.ts. `own`: only the service has such requests.
   */
  readonly kind: 'read' | 'write' | 'delete' | 'login' | 'own';
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
  service: LastingCaller,
  servers: readonly ServerName[],
): Promise<Point[]> {
  const { all, filtered, sorted } = LIST_PATHS;
  const { deepPage } = requests;
  const caller = { url: service.url, token: await service.newToken() };
  const onServers = (names: readonly ServerName[], requests: Series['requests'], once = false): Series[] =>
    names.map((server) => ({ name: SERVER_LABELS[server], server, requests, once }));
  const readers = servers.filter((server) => server !== 'logging');
  // Their targets are about these: warming all processes of all servers up would take ten minutes for each point.
  const writers = servers.filter((server) => server !== 'quiet' && server !== 'http');
  const toOtherServers = (asked: readonly ServerName[], targets?: Targets): Ratio[] =>
    (
      [
        { of: 'service', to: 'koa', targets },
        { of: 'quiet', to: 'koa' },
        { of: 'service', to: 'logging', targets: { server: 1.1, database: 1.1 } },
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
    { most, ...targets }: Targets & { readonly most?: number },
    made: Series['requests'],
  ): Point => {
    const asked = kind === 'read' || kind === 'login' ? readers : writers;
    const mostStatements = most === undefined ? undefined : { [SERVER_LABELS.service]: most };
    const ratios = toOtherServers(asked, targets);
    const series = onServers(asked, made, kind === 'delete');
    return { name, title, kind, series, ratios, mostStatements };
  };
  const page = (name: string, list: string, path: string, number: number): Point => {
    const title = `Page ${number} of ${list}; baselines use plain OFFSET`;
    const targets = { server: 1.1, database: 0.4 };
    const made = point(name, title, 'read', targets, () => [get(withParameter(path, `page=${number}`))]);
    return { ...made, connections: SLOW_CONNECTIONS };
  };
  const cursor = async (name: string, list: string, path: string): Promise<Point> => {
    const after = (number: number) => nextPage(caller, path, number);
    const [near, middle, far] = [
      await after(1),
      await after(Math.ceil(deepPage.filtered / 2)),
      await after(deepPage.filtered - 1),
    ];
    const targets = { server: 1.1, database: 1.1 };
    const toFirstPage = (of: string): Ratio => ({ of, to: 'first page', targets });
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
  const zipped = (request: Request): Request => ({ ...request, headers: { 'accept-encoding': 'gzip' } });
  const line = { server: 1.25, database: 1.1 };
  return [
    point('get', 'GET one order', 'read', { server: 0.8, database: 0.5, most: 1 }, getOrder),
    {
      ...point(
        'get-alone',
        'GET one order, one connection',
        'read',
        { server: 1.15, database: 1.1, most: 1 },
        getOrder,
      ),
      connections: 1,
    },
    point('list', '100 orders of one type', 'read', { server: 0.8, database: 1.1, most: 1 }, () => [
      get(filtered),
    ]),
    point(
      'get-gzip',
      'GET one order by a caller who takes gzip',
      'read',
      { server: 0.8, database: 0.5, most: 1 },
      () => requests.getOrder.map(zipped),
    ),
    point(
      'list-gzip',
      '100 orders of one type, as gzip',
      'read',
      { server: 1.1, database: 1.1, most: 1 },
      () => [zipped(get(filtered))],
    ),
    point(
      'sorted',
      '100 orders of one type, newest first',
      'read',
      { server: 0.8, database: 1.1, most: 1 },
      () => [get(sorted)],
    ),
    page('page', 'all orders', all, deepPage.all),
    page('page-filtered', 'one type', filtered, deepPage.filtered),
    page('page-sorted', 'one type, newest first', sorted, deepPage.filtered),
    await cursor('cursor', 'Orders of one type', filtered),
    await cursor('cursor-sorted', 'Orders of one type, newest first', sorted),
    point('post', 'POST one order line', 'write', { ...line, most: 5 }, () => requests.addLine),
    point('put', 'PUT one order line', 'write', { ...line, most: 5 }, requests.changeLine),
    point('delete', 'DELETE one order line', 'delete', { ...line, server: 1.15, most: 5 }, (_run, seconds) =>
      requests.deleteLine(seconds),
    ),
    {
      ...point('login', 'Login', 'login', { server: 1.1, most: 5 }, () => requests.login),
      connections: LOGIN_CONNECTIONS,
    },
    ...makeOwnPoints(requests, service),
  ];
}

const get = (path: string): Request => ({ method: 'GET', path });

const withParameter = (path: string, parameter: string) =>
  `${path}${path.includes('?') ? '&' : '?'}${parameter}`;

/** The request for the page after this one, by cursor. */
async function nextPage(service: Caller, path: string, number: number): Promise<Request[]> {
  const answer = await send(service, get(withParameter(path, `page=${number}`)));
  const { next } = JSON.parse(answer) as { next: string };
  return [get(withParameter(path, `cursor=${next}`))];
}
