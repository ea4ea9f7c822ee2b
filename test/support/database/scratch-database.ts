// A database of its own on the server of the test run, with all tables. No process works on its jobs.
import { randomBytes } from 'node:crypto';
import { createOwner } from '../../../src/cli/new-garage.ts';
import type { Row } from '../../../src/core/model/fields/field.ts';
import type { Database } from '../../../src/core/model/statements/session.ts';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { createKey } from '../../../src/platform/auth/key.ts';
import { connectDatabase } from '../../../src/platform/database/connect.ts';
import { migrate } from '../../../src/platform/database/migrate.ts';
import { requestJob } from '../../../src/work/jobs/job-request.ts';
import { type Viewer, viewing } from '../../../src/work/jobs/viewer.ts';
import { theService } from '../service/service.ts';
import { execute, select } from './sql.ts';

export interface Scratch {
  readonly database: Database;
  readonly webhookSecret: string;
  readonly owners: readonly [number, number, number];
  /** Asks for a job of an owner, later than those before; each with another webhook_url unless one is given. */
  request(owner: number, webhookUrl?: string): Promise<string>;
  requestMany(owner: number, count: number): Promise<string[]>;
  job(id: string): Promise<Row>;
  /** Lets the lease of a job end. */
  endLease(id: string): Promise<unknown>;
  close(): Promise<void>;
}

/** The employee who asks for the jobs; there is no such record. */
const EMPLOYEE = 1;

/** An ADMIN of an owner, with a key for everything. */
export const adminOf = (owner: number): Viewer =>
  viewing({ owner, employee: EMPLOYEE, role: LISTS.rolekinds.ADMIN }, () => true);

export async function openScratch(): Promise<Scratch> {
  const { base } = theService();
  const name = `scratch_${randomBytes(4).toString('hex')}`;
  await base.database.knex.raw(`CREATE DATABASE ${name} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`);
  const database = connectDatabase({ ...base.connection, database: name }, base.storage.files);
  await migrate(database.knex);
  const newOwner = () => createOwner(database, { name: 'Garage' });
  const owners = [await newOwner(), await newOwner(), await newOwner()] as const;
  const key = await createKey(database, base.signingSecret, { party: 'tests', allow: [] });
  let asked = 0;
  const scratch: Scratch = {
    database,
    webhookSecret: key.webhook_secret,
    owners,
    request: (owner, webhookUrl = `https://127.0.0.1:1/${asked}`) => {
      asked += 1;
      const kind = 'owner-backup' as const;
      const request = { owner, employee: EMPLOYEE, apiKey: key.id, kind, params: {}, webhookUrl };
      return database.transaction(async (session) => {
        const id = await requestJob(session, request);
        // One second after the other, so that there is an order among them.
        await execute(
          session,
          'UPDATE jobs SET run_at = run_at - INTERVAL 1 HOUR + INTERVAL ? SECOND WHERE id = ?',
          [asked, id],
        );
        return id;
      });
    },
    requestMany: async (owner, count) => {
      const ids: string[] = [];
      for (let made = 0; made < count; made += 1) ids.push(await scratch.request(owner));
      return ids;
    },
    job: async (id) => (await select(database, 'SELECT * FROM jobs WHERE id = ?', [id]))[0] ?? {},
    endLease: (id) =>
      execute(database, 'UPDATE jobs SET lease_until = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND WHERE id = ?', [
        id,
      ]),
    close: async () => {
      await database.knex.raw(`DROP DATABASE ${name}`);
      await database.close();
    },
  };
  return scratch;
}
