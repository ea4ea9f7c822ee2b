// The data to measure on: a private database server with one garage, filled once by the service's own seed. All
// servers use it through the same socket.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seed } from '../src/business/seed/seed.ts';
import { createEmployee, createOwner } from '../src/cli/new-garage.ts';
import { garageOf } from '../src/core/model/statements/garage.ts';
import { Employee } from '../src/core/resources/employee.ts';
import { createKey } from '../src/platform/auth/key.ts';
import { Tokens } from '../src/platform/auth/token.ts';
import { type Base, openBase } from '../src/platform/base.ts';
import { readConfig } from '../src/platform/config.ts';
import { createLog } from '../src/platform/log.ts';
import { serverPid } from '../test/support/database/database-server.ts';
import { fillPlan } from './full-plan.ts';
import type { Answers, Load, Meter } from './load.ts';
import { startAnswerer } from './process.ts';

/** As an operator would set them: all rows and indexes fit into memory. Durability keeps its default. */
const PRODUCTION = (orders: number) => [
  `--innodb-buffer-pool-size=${Math.ceil(1024 + (orders * 3) / 200)}M`,
  // The name of MariaDB, and the name of MySQL.
  '--loose-innodb-log-file-size=1G',
  '--loose-innodb-redo-log-capacity=1G',
];
/** The name of the garage that most points use. */
const MAIN = 'garage';
const PASSWORD = 'correct horse battery';
/** Used only while the data is made: after a power cut the bench makes it again. */
const FILLING = ['--innodb-flush-log-at-trx-commit=0', '--skip-innodb-doublewrite'];

interface Garage {
  readonly owner: number;
  readonly employee: number;
  readonly apiKey: number;
  readonly orders: number;
}

/** The body of a login. */
export interface Login {
  readonly api_key: string;
  readonly username: string;
  readonly password: string;
}

export interface Dataset extends Meter {
  readonly folder: string;
  readonly storage: string;
  readonly base: Base;
  readonly garage: Garage;
  /** A new token, valid for half an hour. */
  token(garage?: Garage): Promise<string>;
  /** With a new key. */
  login(): Promise<Login>;
  /** A garage with a full plan and no orders. The first call makes it. */
  fullPlan(): Promise<Garage>;
  /** A garage twice as large. The first call makes it. */
  searchedGarage(): Promise<Garage>;
  /** A garage with a fifth of the orders. The first call makes it. */
  smallGarage(): Promise<Garage>;
  close(): Promise<void>;
}

export async function openDataset(options: {
  orders: number;
  folder?: string;
  keep: boolean;
}): Promise<Dataset> {
  const { orders, keep } = options;
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'forecourt-bench-')));
  const storage = join(folder, 'storage');
  await mkdir(storage, { recursive: true });
  const settings = PRODUCTION(orders);
  const garage = await mainGarage(folder, storage, orders, settings);
  const base = await open(storage, settings);
  // Reads all indexes into memory. Otherwise the first server measured would wait for the disk.
  await base.database.knex.raw('CHECK TABLE orders, orderlines');
  const client = startAnswerer<Load, Answers>('load-client.js');
  return {
    folder,
    storage,
    base,
    send: client.ask,
    get databasePid() {
      return serverPid(join(storage, 'database'));
    },
    garage,
    token: async ({ owner, employee, apiKey } = garage) =>
      (await new Tokens(base.database).issue({ owner, employee, apiKey })).token,
    login: async () => {
      const { database, signingSecret } = base;
      const { api_key } = await createKey(database, signingSecret, { party: 'bench', allow: [] });
      const user = await Employee.of(garageOf(database, garage.owner)).findById(garage.employee);
      return { api_key, username: user?.username ?? '', password: PASSWORD };
    },
    statements: async () => {
      const [[row]] = (await base.database.knex.raw("SHOW GLOBAL STATUS LIKE 'Questions'")) as [
        { Value: string }[],
      ];
      return Number(row?.Value);
    },
    fullPlan: () => garageIn(base, folder, 'plan', 0, (owner) => fillPlan(base.database, owner)),
    searchedGarage: () => seeded(base, folder, 'searched', orders * 2),
    smallGarage: () => seeded(base, folder, 'small', Math.ceil(orders / 5)),
    close: async () => {
      await client.stop();
      await base.close();
      if (!keep) await rm(folder, { recursive: true, force: true });
    },
  };
}

async function open(storage: string, serverSettings: string[]): Promise<Base> {
  const config = readConfig({
    DATABASE_SERVER: process.env.DATABASE_SERVER,
    STORAGE_DIR: storage,
    LOG_LEVEL: 'warn',
  });
  return openBase(config, createLog(config), { serverSettings });
}

/** The garage that most points use. Makes it if the folder has none yet. */
async function mainGarage(
  folder: string,
  storage: string,
  orders: number,
  settings: string[],
): Promise<Garage> {
  if (existsSync(noteOf(folder, MAIN))) return readGarage(folder, MAIN);
  const base = await open(storage, [...settings, ...FILLING]);
  try {
    return await seeded(base, folder, MAIN, orders);
  } finally {
    await base.close();
  }
}

/** The garage of that name, with seeded records. */
const seeded = (base: Base, folder: string, name: string, orders: number): Promise<Garage> =>
  garageIn(base, folder, name, orders, (owner) => seed(base.database, { owner, orders }));

/** The garage of that name, in a database that is open. Makes it if the folder has none yet. */
async function garageIn(
  { database, signingSecret }: Base,
  folder: string,
  name: string,
  orders: number,
  fill: (owner: number) => Promise<unknown>,
): Promise<Garage> {
  if (existsSync(noteOf(folder, name))) return readGarage(folder, name);
  process.stderr.write(`Making ${name} with ${orders} orders in ${folder}\n`);
  const owner = await createOwner(database, { name: `Bench ${name}`, demo: true });
  const employee = await createEmployee(database, {
    owner,
    // Differs from the username in a garage that an earlier run left unfinished.
    username: `bench-${name}-${owner}`,
    password: PASSWORD,
    emailaddress: 'bench@garage.example',
    role: 'ADMIN',
  });
  const key = await createKey(database, signingSecret, { party: 'bench', allow: [] });
  await fill(owner);
  await database.knex.raw('ANALYZE TABLE orders, orderlines, contacts, vehicles');
  const garage: Garage = { owner, employee, apiKey: key.id, orders };
  writeFileSync(noteOf(folder, name), JSON.stringify(garage));
  return garage;
}

const noteOf = (folder: string, name: string) => join(folder, `${name}.json`);
const readGarage = (folder: string, name: string): Garage =>
  JSON.parse(readFileSync(noteOf(folder, name), 'utf8'));
