// The points that are measured: which requests go to which server, which ratios follow, and what is aimed at.
import type { Request } from './load.ts';
import { LISTS_ASKED, type Requests } from './requests.ts';
import { ask, type Caller } from './same.ts';
import type { Servers } from './servers.ts';

/** An answer takes the database so long that more would only queue. */
const CONNECTIONS_OF_SLOW = 2;

/** The same requests to one server, again in each round. */
export interface Series {
  readonly name: string;
  readonly server: keyof Servers;
  readonly requests: (run: number) => Request[];
}

export interface Ratio {
  readonly of: string;
  readonly to: string;
  /** The least that the median should be. */
  readonly target?: number;
}

export interface Point {
  readonly name: string;
  readonly title: string;
  readonly series: readonly Series[];
  readonly ratios: readonly Ratio[];
  /** Where it is not what the options say. */
  readonly connections?: number;
  /** Requests whose answers are compared first: reads byte by byte, writes by what they hold. */
  readonly kind: 'read' | 'write';
}

/** `service` is asked for the cursors. */
export async function makePoints(requests: Requests, service: Caller): Promise<Point[]> {
  const { deep } = requests;
  const next = async (list: string, page: number): Promise<Request[]> => {
    const separator = list.includes('?') ? '&' : '?';
    const answer = await ask(service, get(`${list}${separator}page=${page}`));
    const { next: cursor } = JSON.parse(answer) as { next: string };
    return [get(`${list}${separator}cursor=${cursor}`)];
  };
  const cursor = async (name: string, list: string, title: string): Promise<Point> => {
    const [near, middle, far] = [
      await next(list, 1),
      await next(list, Math.ceil(deep.filtered / 2)),
      await next(list, deep.filtered - 1),
    ];
    return {
      name,
      title: `${title}, by cursor after page ${deep.filtered - 1}`,
      kind: 'read',
      series: [
        { name: 'first page', server: 'service', requests: () => [get(list)] },
        { name: 'cursor after page 1', server: 'service', requests: () => near },
        { name: 'cursor half way', server: 'service', requests: () => middle },
        ...everywhere(() => far),
      ],
      ratios: [
        ...['cursor after page 1', 'cursor half way', 'service'].map((of) => ({
          of,
          to: 'first page',
          target: 0.9,
        })),
        ...against(),
      ],
    };
  };
  const list = (name: string, title: string, path: string, target?: number): Point => ({
    name,
    title,
    kind: 'read',
    series: everywhere(() => [get(path)]),
    ratios: against(target),
  });
  const page = (name: string, what: string, path: string, number: number, target?: number): Point => ({
    ...list(
      name,
      `Page ${number} of ${what}; baselines by plain OFFSET`,
      `${path}${path.includes('?') ? '&' : '?'}page=${number}`,
      target,
    ),
    connections: CONNECTIONS_OF_SLOW,
  });
  const { all, list: filtered, sorted } = LISTS_ASKED;
  const one: Point = {
    name: 'get',
    title: 'GET one order',
    kind: 'read',
    series: everywhere(() => requests.one),
    ratios: against(0.9),
  };
  return [
    one,
    {
      ...one,
      name: 'get-alone',
      title: 'GET one order, on one connection',
      connections: 1,
      ratios: against(),
    },
    list('list', '100 orders of one type', filtered, 0.95),
    list('sorted', '100 orders of one type, newest first', sorted, 0.95),
    page('page', 'all orders', all, deep.all, 3),
    page('page-filtered', 'the orders of one type', filtered, deep.filtered, 3),
    page('page-sorted', 'the orders of one type, newest first', sorted, deep.filtered),
    await cursor('cursor', filtered, 'Orders of one type'),
    await cursor('cursor-sorted', sorted, 'Orders of one type, newest first'),
    {
      name: 'post',
      title: 'POST one order line',
      kind: 'write',
      series: everywhere(() => requests.add),
      ratios: against(0.8),
    },
    {
      name: 'put',
      title: 'PUT one order line',
      kind: 'write',
      series: everywhere(requests.change),
      ratios: against(0.8),
    },
  ];
}

const get = (path: string): Request => ({ method: 'GET', path });

const NAMES: Readonly<Record<keyof Servers, string>> = {
  service: 'service',
  quiet: 'service, LOG_LEVEL=warn',
  http: 'node:http',
  koa: 'Koa',
};

const everywhere = (requests: Series['requests']): Series[] =>
  (Object.keys(NAMES) as (keyof Servers)[]).map((server) => ({ name: NAMES[server], server, requests }));

const against = (target?: number): Ratio[] => [
  { of: NAMES.service, to: NAMES.koa, target },
  { of: NAMES.quiet, to: NAMES.koa },
  { of: NAMES.service, to: NAMES.http },
];
