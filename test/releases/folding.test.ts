// A process of the release before writes rows and knows nothing of folded texts. A process of this version, which
// serves beside it, finds each row by its present texts and by no former ones.
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Json } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { type DatabaseServer, openDatabaseServer } from '../support/database/database-server.ts';
import { select } from '../support/database/sql.ts';
import {
  COMPILED,
  processEnvironment,
  run,
  type StartedProcess,
  startProcess,
} from '../support/process/process.ts';
import { openTenant, type Tenant } from '../support/process/process-garage.ts';

describe('a process of the release before', function () {
  this.timeout(120_000);
  let work: string;
  let server: DatabaseServer;
  let env: NodeJS.ProcessEnv;
  let tenant: Tenant;
  let old: StartedProcess;
  let present: StartedProcess;
  before(async () => {
    work = await mkdtemp(join(tmpdir(), 'forecourt-folding-'));
    server = await openDatabaseServer(join(work, 'database'));
    env = processEnvironment(join(work, 'storage'), { DATABASE_URL: server.url });
    tenant = await openTenant(env, { orders: 10 });
    present = await startProcess(env);
    old = await startProcess(env, await releaseBefore(work));
  });
  after(async () => {
    for (const process of [old, present]) await process?.kill('SIGTERM');
    await server.close();
    await rm(work, { recursive: true, force: true });
  });

  const write = async (method: string, path: string, body?: Json): Promise<Json> => {
    const answer = await tenant.ask(old.url, method, path, body);
    expect(answer.status, answer.text).to.be.below(300);
    return answer.data;
  };
  const found = async (resource: string, word: string): Promise<number[]> => {
    const { status, data, text } = await tenant.ask(present.url, 'GET', `/${resource}?search=${word}`);
    expect(status, text).to.equal(200);
    return data.map(({ id }: Json) => id);
  };
  const unfolded = async (): Promise<number> => {
    const [row] = await select(
      server.database,
      'SELECT COUNT(*) AS n FROM contacts WHERE unfolded_at IS NOT NULL OR search_text IS NULL',
    );
    return Number(row?.n);
  };

  it('adds and changes records, which are found at once', async () => {
    const { id } = await write('POST', '/contact', PERSON);
    expect(await unfolded(), 'the release before does not fold').to.equal(1);
    expect(await found('contact', 'zoetemelk')).to.deep.equal([id]);
    await write('PUT', `/contact/${id}`, { last_name: 'Crèvecœur' });
    const { id: car } = await write('POST', '/vehicle', CAR);
    const { id: order } = await write('POST', '/order', { ...ORDER, contact_id: id, vehicle_id: car });

    expect(await found('contact', 'crevecoeur')).to.deep.equal([id]);
    expect(await found('contact', 'zoetemelk')).to.deep.equal([]);
    expect(await found('vehicle', 'zx123v')).to.deep.equal([car]);
    for (const word of ['oresund', 'crevecoeur', 'zx123v'])
      expect(await found('order', word)).to.deep.equal([order]);
    const { data: hits } = await tenant.ask(present.url, 'GET', '/search?q=crevecoeur');
    expect(hits.map(({ resource }: Json) => resource)).to.deep.equal(['contact', 'order']);
  });

  it('adds an address of e-mail, which is found in another case', async () => {
    const { id: contact_id } = await write('POST', '/contact', PERSON);
    const address = { contact_id, communication_type: 4, value: 'Zoe@Example.nl' };
    const { id } = await write('POST', '/contactcommunication', address);

    const { data } = await tenant.ask(
      present.url,
      'GET',
      '/contactcommunication?filter=value:zoe@example.nl',
    );

    expect(data.map((one: Json) => one.id)).to.deep.equal([id]);
    expect(await found('contact', 'zoe@example.nl')).to.deep.equal([contact_id]);
  });

  it('anonymises a person, whom nothing finds afterwards', async () => {
    const { id } = await write('POST', '/contact', { ...PERSON, last_name: 'Zwaluwenburg' });
    expect(await found('contact', 'zwaluwenburg')).to.deep.equal([id]);

    await write('PUT', `/contact/anonymise?id=${id}`);

    expect(await found('contact', 'zwaluwenburg')).to.deep.equal([]);
    expect(await unfolded()).to.equal(0);
  });

  it('leaves rows that the next start folds', async () => {
    await write('POST', '/contact', PERSON);
    expect(await unfolded()).to.equal(1);

    const started = await startProcess(env);
    await started.kill('SIGTERM');

    expect(await unfolded()).to.equal(0);
  });

  it('leaves rows that `forecourt migrate` folds', async () => {
    await write('POST', '/contact', PERSON);

    const { code, err } = await run('cli/main.js', ['migrate'], env);

    expect([code, err, await unfolded()]).to.deep.equal([0, '', 0]);
  });
});

const PERSON = { contact_kind: 1, last_name: 'Zoëtemelk', country_id: 1 };
const CAR = { license_plate: 'ZX-123-V', vehicle_kind: 1, stock_status: 1, make: 'Škoda', model: 'Octavia' };
const ORDER = { order_type: 1, order_date: '2026-05-01', reference: 'Øresund' };

/** A copy of this version whose statements name no column of the search. It folds nothing. */
async function releaseBefore(work: string): Promise<string> {
  const folder = join(work, 'before');
  const compiled = join(folder, 'dist');
  const modules = new URL('../node_modules', `file://${COMPILED}`);
  await cp(COMPILED, compiled, { recursive: true });
  await symlink(fileURLToPath(modules), join(folder, 'node_modules'));
  await cp(join(COMPILED, '../migrations'), join(folder, 'migrations'), { recursive: true });
  const texts = join(compiled, 'src/core/model/records/search-text.js');
  const source = await readFile(texts, 'utf8');
  const changed = source
    .replace('return !isFolded(resource) || isSame', 'return true')
    .replace('(resource) => isFolded(resource) ? { [UNFOLDED_AT]: asItIs(UNFOLDED_AT) } : {}', '() => ({})');
  expect(changed.match(/return true|\(\) => \(\{\}\)/g), changed).to.have.length(2);
  await writeFile(texts, changed);
  return compiled;
}
