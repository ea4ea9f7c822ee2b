// The common part of the tests of seeding: a database, owners with seeded records, and their rows.
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seed } from '../../../src/business/seed/seed.ts';
import { createOwner } from '../../../src/cli/new-garage.ts';
import type { Row } from '../../../src/core/model/fields/field.ts';
import type { Resource } from '../../../src/core/model/records/record.ts';
import { allResources, loadResources, resourceNamed } from '../../../src/core/model/records/registry.ts';
import type { Database, Files } from '../../../src/core/model/statements/session.ts';
import { connectDatabase } from '../../../src/platform/database/connect.ts';
import { migrate } from '../../../src/platform/database/migrate.ts';
import type { PrivateServer } from '../../../src/platform/database/private-server.ts';
import { joinServer } from '../../support/database/private-server.ts';
import { select } from '../../support/database/sql.ts';

/** A database for the tests of one file. Call it inside `describe`. */
export function useDatabase(): () => Database {
  let folder: string;
  let server: PrivateServer | undefined;
  let database: Database | undefined;

  before(async function () {
    this.timeout(60_000);
    folder = await mkdtemp(join(tmpdir(), 'forecourt-seed-'));
    server = await joinServer(folder);
    database = connectDatabase(server.connection, DISCARDED);
    await loadResources();
    await migrate(database.knex);
  });

  after(async function () {
    this.timeout(60_000);
    await database?.close();
    await server?.leave();
    await rm(folder, { recursive: true, force: true });
  });

  return () => {
    if (!database) throw new Error('The database is not open yet');
    return database;
  };
}

export const newOwner = (database: Database): Promise<number> =>
  createOwner(database, { name: 'Garage Zaaigoed', demo: true });

/** A new owner with that many orders. */
export async function seededOwner(database: Database, orders: number, random?: string): Promise<number> {
  const owner = await newOwner(database);
  await seed(database, { owner, orders, random });
  return owner;
}

/** The owned resources that a seed fills: none with a secret, since a seeded subscription would call somebody. */
export const ownedResources = (): Resource[] =>
  allResources().filter(
    ({ ownership, fields }) =>
      ownership === 'column' && ![...fields.values()].some(({ shownOnce }) => shownOnce),
  );

/** All columns of all records of an owner, by ID. */
export async function rowsOf(database: Database, owner: number, resource: string): Promise<Row[]> {
  const { table } = resourceNamed(resource);
  return select(database, `SELECT * FROM ${table} WHERE owner_id = ? ORDER BY id`, [owner]);
}

export const distinct = (rows: readonly Row[], column: string) => [
  ...new Set(rows.map((row) => row[column])),
];

const DISCARDED: Files = {
  put: async (bytes) => ({ sha256: createHash('sha256').update(bytes).digest('hex'), size: bytes.length }),
  remove: async () => {},
};
