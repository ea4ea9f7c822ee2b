// `make release`: keeps this version, for the upgrade tests of later ones. Writes its OpenAPI document to api/, and a
// small installation to test/releases/VERSION/KIND: a garage with records of every kind, an import, an export,
// documents, jobs and a subscription with its deliveries. Runs once for each kind of database server.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import manifest from '../../package.json' with { type: 'json' };
import type { Answer, Json } from '../support/client/client.ts';
import { openDatabaseServer } from '../support/database/database-server.ts';
import { select } from '../support/database/sql.ts';
import { readBackup } from '../support/files/backup.ts';
import { prepareCertificates } from '../support/process/certificates.ts';
import { openReceiver } from '../support/process/https-receiver.ts';
import { cli, processEnvironment, startProcess } from '../support/process/process.ts';
import { openTenant, type Tenant } from '../support/process/process-garage.ts';
import { until } from '../support/service/until.ts';
import { BACKUP, DUMP, KIND, LOGIN, type Login, OPENAPI, RELEASES, SIGNING_SECRET } from './release.ts';

const ORDERS = 24;
const OVER = ['done', 'failed'];
const MOST_BYTES = 64 * 1024 * 1024;

async function main(): Promise<void> {
  const kept = fileURLToPath(new URL(`${manifest.version}/${KIND}/`, RELEASES));
  const work = await mkdtemp(join(tmpdir(), 'forecourt-release-'));
  Object.assign(process.env, await prepareCertificates(work));
  const server = await openDatabaseServer(join(work, 'database'));
  try {
    const storage = join(work, 'storage');
    const env = processEnvironment(storage, { DATABASE_URL: server.url, SIGNING_SECRET });
    const tenant = await openTenant(env, { orders: ORDERS });
    await useEverything(env, tenant);
    await mkdir(kept, { recursive: true });
    await cli(env, 'backup', '--owner', String(tenant.owner), '--out', join(work, BACKUP));
    await demandAll(join(work, BACKUP));
    await cp(join(work, BACKUP), join(kept, BACKUP));
    await writeFile(
      join(kept, LOGIN),
      `${JSON.stringify({ owner: tenant.owner, ...tenant.login } satisfies Login, null, 2)}\n`,
    );
    await writeFile(join(kept, DUMP), await dump(server.port));
    const openapi = await cli(env, 'openapi');
    await writeFile(new URL(`openapi-${manifest.version}.json`, OPENAPI), `${JSON.stringify(openapi)}\n`);
    const [{ tables } = {}] = await select(
      server.database,
      'SELECT COUNT(*) AS tables FROM information_schema.tables WHERE table_schema = DATABASE()',
    );
    console.log(`Kept: ${kept}${DUMP} with ${tables} tables`);
  } finally {
    await server.close();
    await rm(work, { recursive: true, force: true });
  }
}

/** Makes what a seeded garage lacks: jobs of each kind, a subscription, deliveries, an import. */
async function useEverything(env: NodeJS.ProcessEnv, tenant: Tenant): Promise<void> {
  const receiver = await openReceiver();
  const service = await startProcess(env);
  try {
    const good = (answer: Answer): Answer => {
      if (answer.status >= 300) throw new Error(answer.text);
      return answer;
    };
    const ask = async (method: string, path: string, body?: Json) =>
      good(await tenant.ask(service.url, method, path, body)).data;
    const over = async ({ job_id }: { job_id: string }) => {
      const job = await until(async () => {
        const found = await ask('GET', `/job/${job_id}`);
        return OVER.includes(found.status) ? found : undefined;
      });
      if (job.status !== 'done') throw new Error(`job ${job_id} failed: ${job.error}`);
    };
    await ask('POST', '/webhooksubscription', { url: receiver.url('/events'), resources: ['*'] });
    const [order] = await ask('GET', '/order?filter=is_invoiced:1,order_type:1&page_size=1');
    await over(await ask('POST', '/document/generate', { document_type: 1, order_ids: [order.id] }));
    await over(await ask('POST', '/export', { resource: 'contact' }));
    await over(await ask('POST', '/backup/owner', { webhook_url: receiver.url('/backup') }));
    const rows = 'external_id,contact_kind,last_name,country_id\nold-1,1,Jansen,1\nold-2,1,Müller,1\n';
    await over(good(await tenant.send(service.url, '/import?resource=contact', 'text/csv', rows)).data);
    await until(async () => receiver.requests.length > 2);
  } finally {
    await service.kill('SIGTERM');
    await receiver.close();
  }
}

/** Nothing would keep a resource without records. */
async function demandAll(backup: string): Promise<void> {
  const { records } = await readBackup(backup);
  const missing = Object.keys(records).filter((name) => records[name]?.length === 0);
  if (missing.length > 0)
    throw new Error(`no records of ${missing.join(', ')}: make some in src/business/seed`);
}

/** The dump as an operator makes it, without its date. */
async function dump(port: number): Promise<Buffer> {
  const program = KIND === 'mysql' ? 'mysqldump' : 'mariadb-dump';
  const options = [
    '--no-defaults',
    '--host=127.0.0.1',
    `--port=${port}`,
    '--user=root',
    '--single-transaction',
  ];
  const text = await promisify(execFile)(
    program,
    [...options, '--skip-dump-date', '--hex-blob', 'forecourt'],
    {
      maxBuffer: MOST_BYTES,
    },
  );
  return promisify(gzip)(text.stdout);
}

await main();
