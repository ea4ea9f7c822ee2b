// The options of `make bench`. Each has a default, so that the bare command measures everything.
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

export interface Options {
  /** Orders of the garage. It has about three times as many lines. */
  readonly orders: number;
  readonly rounds: number;
  /** Length of one run. */
  readonly seconds: number;
  readonly connections: number;
  /** How many processes of each server share the rounds: V8 compiles each anew, and costs differ by up to a tenth. */
  readonly processes: number;
  /** Names of points; empty for all. */
  readonly only: readonly string[];
  /** Folder of the database; without it, a temporary one. */
  readonly folder?: string;
  /** Whether the folder stays. */
  readonly keep: boolean;
  /** Folder for CPU profiles; with it, nothing is compared. */
  readonly profile?: string;
  /** A built checkout whose service is measured too. */
  readonly other?: string;
  /** What the files of the results end their names with; without it, the results are only printed. */
  readonly results?: '' | '-mysql';
}

/** The databases whose results are kept. */
const RESULTS: Readonly<Record<string, '' | '-mysql'>> = { mariadb: '', mysql: '-mysql' };

export const USAGE = `node dist/bench/main.js [options]
  --orders N        orders of the garage (200000)
  --rounds N        rounds of each comparison (6)
  --seconds N       length of one run (6)
  --connections N   connections of the client (16)
  --processes N     processes of each server (3)
  --only a,b        only these points: get get-alone get-gzip list list-gzip sorted page page-filtered page-sorted
                    cursor cursor-sorted post put delete login invoice search planning get-alone-distant post-distant
                    put-distant invoice-distant backup latency plan import memory
  --quick           20,000 orders, 6 rounds of 2 seconds, one process of each server
  --dir FOLDER      folder of the database, also BENCH_DIR; it stays, and the next run uses it again
  --keep            keeps the temporary folder
  --profile FOLDER  writes CPU profiles of each point instead of comparing
  --other CHECKOUT  also measures the service of another checkout, in turn with this one; build it first, and its
                    migrations must be the same; node:http and LOG_LEVEL=warn are left out
`;

/** Throws if an option makes no sense. */
export function readOptions(args: string[], environment: NodeJS.ProcessEnv): Options {
  const { values } = parseArgs({
    args,
    options: {
      orders: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      connections: { type: 'string' },
      processes: { type: 'string' },
      only: { type: 'string', default: '' },
      quick: { type: 'boolean', default: false },
      dir: { type: 'string', default: environment.BENCH_DIR ?? '' },
      keep: { type: 'boolean', default: false },
      profile: { type: 'string' },
      other: { type: 'string' },
    },
  });
  type Numbers = 'orders' | 'rounds' | 'seconds' | 'connections' | 'processes';
  const number = (name: Numbers, usual: number, quick: number) => {
    const value = Number(values[name] ?? (values.quick ? quick : usual));
    if (!(value > 0)) throw new Error(`--${name} must be a number above 0`);
    return value;
  };
  const path = (value?: string) => (value === undefined ? undefined : resolve(value));
  const only = values.only.split(',').filter(Boolean);
  const orders = number('orders', 200_000, 20_000);
  const isWhole =
    only.length === 0 && values.profile === undefined && values.other === undefined && !values.quick;
  return {
    orders,
    rounds: number('rounds', 6, 6),
    seconds: number('seconds', 6, 2),
    connections: number('connections', 16, 16),
    processes: number('processes', 3, 1),
    only,
    folder: values.dir === '' ? undefined : join(resolve(values.dir), String(orders)),
    keep: values.keep || values.dir !== '',
    profile: path(values.profile),
    other: path(values.other),
    results: isWhole ? RESULTS[environment.DATABASE ?? 'mariadb'] : undefined,
  };
}
