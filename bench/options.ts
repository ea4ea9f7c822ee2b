// What `make bench` takes: all of it has a default, so that the bare command measures everything.
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

export interface Options {
  /** Orders of the garage; lines are three times as many. */
  readonly orders: number;
  readonly rounds: number;
  /** Of one measurement. */
  readonly seconds: number;
  readonly connections: number;
  /** Names of points; empty: all. */
  readonly only: readonly string[];
  /** Where the database is; kept where it was named, or with `--keep`. */
  readonly folder?: string;
  readonly keep: boolean;
  /** Where CPU profiles go; nothing is compared then. */
  readonly profile?: string;
  /** Whether RESULTS.md is written. */
  readonly write: boolean;
}

export const USAGE = `node dist/bench/main.js [options]
  --orders N        orders of the garage (200000); five times as many for the peak of memory
  --rounds N        rounds of each comparison (5)
  --seconds N       length of one measurement (6)
  --connections N   connections of the client (16)
  --only a,b        some points only: get list sorted page page-filtered page-sorted cursor cursor-sorted post
                    put backup latency memory
  --quick           20,000 orders, 3 rounds of 3 seconds
  --dir FOLDER      where the database lives, also BENCH_DIR; it is kept and used again
  --keep            keeps the temporary folder
  --profile FOLDER  runs our service alone, with a CPU profile of each point
`;

/** Throws where an option makes no sense. */
export function readOptions(args: string[], environment: NodeJS.ProcessEnv): Options {
  const { values } = parseArgs({
    args,
    options: {
      orders: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      connections: { type: 'string', default: '16' },
      only: { type: 'string', default: '' },
      quick: { type: 'boolean', default: false },
      dir: { type: 'string', default: environment.BENCH_DIR ?? '' },
      keep: { type: 'boolean', default: false },
      profile: { type: 'string' },
    },
  });
  const number = (name: 'orders' | 'rounds' | 'seconds' | 'connections', whole: number, quick: number) => {
    const value = Number(values[name] ?? (values.quick ? quick : whole));
    if (!(value > 0)) throw new Error(`--${name} must be a number above 0`);
    return value;
  };
  const only = values.only.split(',').filter(Boolean);
  const orders = number('orders', 200_000, 20_000);
  return {
    orders,
    rounds: number('rounds', 5, 3),
    seconds: number('seconds', 6, 3),
    connections: number('connections', 16, 16),
    only,
    folder: values.dir === '' ? undefined : join(resolve(values.dir), String(orders)),
    keep: values.keep || values.dir !== '',
    profile: values.profile === undefined ? undefined : resolve(values.profile),
    write: only.length === 0 && values.profile === undefined && !values.quick,
  };
}
