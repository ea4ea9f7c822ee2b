// A database of each kept release migrates to this version: every row keeps its values, every document its bytes, the
// user logs in with the old key, and the kept backup restores.
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { createConnection } from 'mysql2/promise';
import manifest from '../../package.json' with { type: 'json' };
import { type Json, send } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { type DatabaseServer, openDatabaseServer } from '../support/database/database-server.ts';
import { select } from '../support/database/sql.ts';
import { type Backup, canonical, readBackup } from '../support/files/backup.ts';
import { forecourt, forecourtJson } from '../support/process/forecourt.ts';
import { processEnvironment, type StartedProcess, startProcess } from '../support/process/process.ts';
import {
  BACKUP,
  DUMP,
  KIND,
  keptReleases,
  LOGIN,
  type Login,
  OPENAPI,
  RELEASES,
  SIGNING_SECRET,
} from './release.ts';

/** Tables about the installation, which change with each version or each start. */
const INSTALLATION = ['migrations', 'migrations_lock', 'migration_digests', 'start_lock', 'installation'];

type Rows = Map<string, { readonly columns: readonly string[]; readonly rows: readonly string[] }>;

describe('the kept releases', () => {
  it('include this version, from 1.0.0 on', async () => {
    const isRelease = Number(manifest.version.split('.')[0]) > 0;
    const documents = (await readdir(OPENAPI)).map((name) => /^openapi-(.+)\.json$/.exec(name)?.[1]);

    expect((await keptReleases()).includes(manifest.version)).to.equal(isRelease);
    expect(documents.includes(manifest.version)).to.equal(isRelease);
  });
});

for (const release of await keptReleases())
  describe(`an installation of ${release}`, function () {
    this.timeout(180_000);
    const file = (name: string) => fileURLToPath(new URL(`${release}/${KIND}/${name}`, RELEASES));
    let work: string;
    let server: DatabaseServer;
    let env: NodeJS.ProcessEnv;
    let original: Rows;
    let kept: Backup;
    let login: Login;

    before(async () => {
      work = await mkdtemp(join(tmpdir(), 'forecourt-upgrade-'));
      server = await openDatabaseServer(join(work, 'database'));
      await load(server.url, await promisify(gunzip)(await readFile(file(DUMP))));
      original = await readRows(server);
      kept = await readBackup(file(BACKUP));
      login = JSON.parse(await readFile(file(LOGIN), 'utf8'));
      env = processEnvironment(join(work, 'storage'), { DATABASE_URL: server.url, SIGNING_SECRET });
      await storeDocuments(kept, join(work, 'storage', 'documents'));
      await forecourtJson(env, 'migrate');
    });
    after(async () => {
      await server.close();
      await rm(work, { recursive: true, force: true });
    });

    it('keeps every value of every row', async () => {
      const upgraded = await readRows(server, original);

      for (const [table, { rows }] of original) expect(upgraded.get(table)?.rows, table).to.deep.equal(rows);
      expect([...original.keys()]).to.include.members(['orders', 'jobs', 'webhooksubscriptions', 'changes']);
    });

    it('is in order', async () => {
      const { code, out } = await forecourt(env, ['doctor', '--offline']);

      expect(code, out).to.equal(0);
    });

    it('serves every record and every document', async () => {
      await serving(env, async ({ url }) => {
        const ask = await loggedIn(url, login);
        const { paths } = await ask('/openapi.json');
        for (const resource of Object.keys(kept.records).filter((name) => `/${name}` in paths)) {
          const { data } = await ask(`/${resource}?page_size=1000`);
          expect(data, resource).to.have.length(kept.records[resource]?.length ?? 0);
        }
        for (const { id, sha256: digest } of kept.records.document ?? []) {
          const { data } = await ask(`/document/info?id=${id}`);
          const bytes = await (await fetch(data.url)).arrayBuffer();
          expect(createHash('sha256').update(Buffer.from(bytes)).digest('hex')).to.equal(digest);
        }
      });
    });

    it('finds the records of then by words', async () => {
      await serving(env, async ({ url }) => {
        const ask = await loggedIn(url, login);
        for (const [resource, field, word] of SOUGHT) {
          const records = kept.records[resource] ?? [];
          const text = String(records.at(-1)?.[field]);
          const expected = records.filter((record) => record[field] === text).length;
          const { data } = await ask(`/${resource}?search=${encodeURIComponent(word(text))}&page_size=1000`);
          expect(data.length, `${resource} ${text}`).to.be.at.least(expected).and.above(0);
        }
        expect((await ask('/contact?search=muller')).data).to.have.length.above(0);
      });
    });

    it('counts each invoice in the books on its date', async () => {
      await serving(env, async ({ url }) => {
        const ask = await loggedIn(url, login);
        const { data: invoices } = await ask('/order?filter=is_invoiced:1&page_size=1000');
        expect(invoices).to.have.length.above(0);
        for (const { invoice_date, book_date } of invoices) expect(book_date).to.equal(invoice_date);
      });
    });

    it('has the settings of its VAT return from the beginning of time', async () => {
      await serving(env, async ({ url }) => {
        const ask = await loggedIn(url, login);
        const [owner] = (await ask('/owner')).data;
        const { data: rows } = await ask('/vatregime?sort=valid_from');
        expect(rows.map(settingsOf)).to.deep.equal(keptSettings(kept, owner));
      });
    });

    it('has a backup that restores with every record', async () => {
      await server.database.knex.raw('CREATE DATABASE restored CHARACTER SET utf8mb4 COLLATE utf8mb4_bin');
      const other = {
        ...env,
        DATABASE_URL: server.url.replace(/\w+$/, 'restored'),
        STORAGE_DIR: join(work, 'restored'),
      };
      const out = join(work, 'again.zip');
      const { owner_id } = await forecourtJson(other, 'restore', file(BACKUP));
      await forecourtJson(other, 'backup', '--owner', String(owner_id), '--out', out);

      const [old, restored] = [kept, await readBackup(out)].map(canonical);
      // A restored subscription waits until somebody unblocks it.
      for (const one of old?.webhooksubscription ?? []) one.is_blocked = 1;
      for (const [resource, records] of Object.entries(old ?? {}))
        expect(
          restored?.[resource]?.map((record, index) => keptFields(record, records[index])),
          resource,
        ).to.deep.equal(records.map((record) => keptFields(record, record)));
      for (const { is_invoiced, invoice_date, book_date } of restored?.order ?? [])
        expect(book_date).to.equal(is_invoiced === 1 ? invoice_date : null);
      expect(restored?.vatregime?.map(settingsOf)).to.deep.equal(keptSettings(kept, restored?.owner?.[0]));
    });
  });

const settingsOf = ({ valid_from, vat_period, margin_method }: Json = {}) => [
  valid_from,
  vat_period,
  margin_method,
];

/** The settings of the VAT return by day. 1.0.0 had one for all times, in the owner. */
const keptSettings = ({ records }: Backup, owner?: Json) =>
  (records.vatregime ?? [{ ...owner, valid_from: '1900-01-01T00:00:00.000Z' }]).map(settingsOf);

/** A field by which the search finds a record, and the word that somebody types. */
const SOUGHT: readonly [resource: string, field: string, word: (text: string) => string][] = [
  ['vehicle', 'license_plate', (plate) => plate.replaceAll('-', '').toLowerCase()],
  ['order', 'order_number', String],
  ['article', 'article_number', (number) => number.toLowerCase()],
];

/** A dump brings its own tables. */
const EMPTY =
  'DROP DATABASE forecourt; CREATE DATABASE forecourt CHARACTER SET utf8mb4 COLLATE utf8mb4_bin; USE forecourt;';

/** Runs the dump against the server. */
async function load(url: string, sql: Buffer): Promise<void> {
  const connection = await createConnection({ uri: url, multipleStatements: true });
  await connection.query(`${EMPTY}${sql}`);
  await connection.end();
}

/** All rows as text, in order of their text. A table in `earlier` gives only the columns that it has there. */
async function readRows({ database }: DatabaseServer, earlier?: Rows): Promise<Rows> {
  const columns = await select(
    database,
    'SELECT table_name AS name, column_name AS field FROM information_schema.columns WHERE table_schema = DATABASE() ORDER BY 1, 2',
  );
  const tables = new Set(
    columns.map(({ name }) => String(name)).filter((name) => !INSTALLATION.includes(name)),
  );
  const found: Rows = new Map();
  for (const table of tables) {
    const now = columns.filter(({ name }) => name === table).map(({ field }) => String(field));
    const shown = earlier?.get(table)?.columns ?? now;
    const sql = `SELECT ${shown.map((name) => `\`${name}\``).join(', ')} FROM \`${table}\``;
    const rows = await select(database, sql);
    found.set(table, { columns: shown, rows: rows.map((row) => JSON.stringify(row)).sort() });
  }
  return found;
}

/** A dump has no files: the backup has the same documents. */
async function storeDocuments({ content }: Backup, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [path, bytes] of content)
    if (path.startsWith('documents/')) await writeFile(join(folder, path.slice('documents/'.length)), bytes);
}

async function serving(env: NodeJS.ProcessEnv, work: (service: StartedProcess) => Promise<void>) {
  const service = await startProcess(env);
  try {
    await work(service);
  } finally {
    await service.kill('SIGTERM');
  }
}

/** GET requests with the token of the kept user. */
async function loggedIn(url: string, { api_key, username, password }: Login) {
  const answer = await send('POST', `${url}/v2/authenticate`, {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ api_key, username, password }),
  });
  expect(answer.status, answer.text).to.equal(200);
  return async (path: string) => {
    const got = await send('GET', `${url}/v2${path}`, { headers: { token: answer.body.token } });
    expect(got.status, got.text).to.equal(200);
    return got.body;
  };
}

/** The fields that a record of the earlier release has. */
const keptFields = (record: Json, earlier: Json = {}): Json =>
  Object.fromEntries(Object.keys(earlier).map((name) => [name, record[name]]));
