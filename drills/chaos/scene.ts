// The common part of the chaos scripts: a storage folder, a database server that can be stopped, a garage, a receiver
// of callbacks, and the service as a process that starts again and again.

import type { ChildProcess } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Row } from '../../src/core/model/fields/field.ts';
import { LISTS } from '../../src/core/trade/lists.ts';
import { type DatabaseServer, openDatabaseServer } from '../../test/support/database/database-server.ts';
import { execute, select } from '../../test/support/database/sql.ts';
import { openReceiver, type Receiver } from '../../test/support/process/https-receiver.ts';
import { processEnvironment, type StartedProcess, startProcess } from '../../test/support/process/process.ts';
import { openTenant, type Tenant } from '../../test/support/process/process-garage.ts';
import { until } from '../../test/support/service/until.ts';

const { QUEUED, RUNNING } = LISTS.jobstatuses;
/** A lease, and the work once more, on a busy machine. */
const PATIENCE_MS = 180_000;

export class Scene {
  readonly storage: string;
  readonly server: DatabaseServer;
  readonly tenant: Tenant;
  readonly receiver: Receiver;
  readonly env: NodeJS.ProcessEnv;
  private service?: StartedProcess;

  private constructor(
    storage: string,
    server: DatabaseServer,
    tenant: Tenant,
    receiver: Receiver,
    env: NodeJS.ProcessEnv,
  ) {
    this.storage = storage;
    this.server = server;
    this.tenant = tenant;
    this.receiver = receiver;
    this.env = env;
  }

  /** `folder`: for files outside of `storage`, such as the database. `settings`: variables of the service. */
  static async open(
    folder: string,
    {
      orders,
      storage = join(folder, 'storage'),
      settings = {},
    }: { orders: number; storage?: string; settings?: NodeJS.ProcessEnv },
  ): Promise<Scene> {
    const server = await openDatabaseServer(join(folder, 'database'));
    const env = processEnvironment(storage, { ...settings, DATABASE_URL: server.url });
    const tenant = await openTenant(env, { orders });
    return new Scene(storage, server, tenant, await openReceiver(), env);
  }

  get url(): string {
    return this.service?.url ?? '';
  }

  get pid(): number {
    return this.service?.child.pid ?? 0;
  }

  get child(): ChildProcess | undefined {
    return this.service?.child;
  }

  /** The output of the service since its last start. */
  get output(): string {
    return this.service?.output() ?? '';
  }

  async start(): Promise<void> {
    this.service = await startProcess(this.env);
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    await this.service?.kill(signal);
    this.service = undefined;
  }

  /** Asks for a backup, or for documents, and answers the job's ID. */
  async request(path: string, body: object = {}): Promise<string> {
    const webhook_url = this.receiver.url(`/${crypto.randomUUID()}`);
    const answer = await this.tenant.ask(this.url, 'POST', path, { ...body, webhook_url });
    if (answer.status !== 202) throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
    return answer.data.job_id;
  }

  async job(id: string): Promise<Row> {
    return (await select(this.server.database, 'SELECT * FROM jobs WHERE id = ?', [id]))[0] ?? {};
  }

  async endLease(id: string): Promise<void> {
    const past = 'UTC_TIMESTAMP(3) - INTERVAL 1 SECOND';
    await execute(
      this.server.database,
      `UPDATE jobs SET lease_until = ${past} WHERE id = ? AND lease_until IS NOT NULL`,
      [id],
    );
  }

  /** The job once it is over. */
  over(id: string): Promise<Row> {
    return until(async () => {
      const row = await this.job(id).catch(() => ({}) as Row);
      return row.status !== undefined && row.status !== QUEUED && row.status !== RUNNING && row;
    }, PATIENCE_MS);
  }

  /** The job once its owner has been called, and how often that was. */
  async called(id: string): Promise<{ job: Row; calls: number; noted: number }> {
    const job = await this.over(id);
    const noted = await until(async () => {
      const rows = await select(this.server.database, 'SELECT id FROM job_callbacks WHERE job_id = ?', [id]);
      return rows.length > 0 && rows.length;
    }, PATIENCE_MS);
    const calls = this.receiver.requests.filter(({ headers }) => headers['webhook-id'] === id).length;
    return { job, calls, noted };
  }

  archive(job: Row): string {
    return join(this.storage, 'archives', String(job.file_name));
  }

  /** Files that should not be there once all jobs are over: halves, and archives that no job names. */
  async leftOvers(jobs: readonly Row[]): Promise<string[]> {
    const named = jobs.map(({ file_name }) => String(file_name));
    const files = (await readdir(this.storage, { recursive: true })).filter(
      (file) => !file.startsWith('database/'),
    );
    return files.filter(
      (file) =>
        file.endsWith('.part') || (file.endsWith('.zip') && !named.some((name) => file.endsWith(name))),
    );
  }

  async close(): Promise<void> {
    await this.end('SIGTERM');
    await this.receiver.close();
    await this.server.close();
  }
}
