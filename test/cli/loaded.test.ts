// A process loads what it needs. Help must not wait for the models, the database driver or the HTTP side. The service
// begins without what only jobs, mail, pictures and buckets need.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { PrivateServer } from '../../src/platform/database/private-server.ts';
import { joinServer } from '../support/database/private-server.ts';
import { COMPILED, processEnvironment, run, startProcess } from '../support/process/process.ts';

/** Rooms and files outside of cli/ that declare words, options or errors. */
const LIGHT = [
  'core/errors',
  'core/model/fields/int4',
  'core/trade/',
  'platform/config',
  'work/import/mode',
  'work/journal/form',
  'work/journal/journals',
];

/** Packages that take much memory, or time to load. They are loaded where they are first needed. */
const HEAVY = [
  '@aws-sdk/client-s3',
  'archiver',
  'csv-parse',
  'csv-stringify',
  'fontkit',
  'libxml2-wasm',
  'nodemailer',
  'pdfkit',
  'pino-pretty',
  'qrcode',
  'sharp',
  'swagger-ui-dist',
  'yauzl',
];

const SERVING = ['koa', 'piscina', 'prom-client'];

interface Coverage {
  readonly result: readonly { readonly url: string }[];
}

interface Loaded {
  readonly files: readonly string[];
  readonly packages: readonly string[];
}

describe('what a process loads', () => {
  let folder: string;
  let server: PrivateServer;
  before(async function () {
    this.timeout(60_000);
    folder = await mkdtemp(join(tmpdir(), 'forecourt-loaded-'));
    server = await joinServer(join(folder, 'storage/database'));
  });
  after(async function () {
    this.timeout(60_000);
    await server.leave();
    await rm(folder, { recursive: true, force: true });
  });

  /** The own files (`cli/main`) and the packages that a command loads. */
  const loadedBy = (...words: string[]): Promise<Loaded> =>
    loadedIn(async (env) => {
      const { code, err } = await run('cli/main.js', words, env);
      expect([code, err]).to.deep.equal([0, '']);
    });

  /** What the processes that `work` runs load. V8's coverage names every file that has run. */
  async function loadedIn(work: (env: NodeJS.ProcessEnv) => Promise<void>): Promise<Loaded> {
    const coverage = await mkdtemp(join(folder, 'coverage-'));
    await work(processEnvironment(join(folder, 'storage'), { NODE_V8_COVERAGE: coverage }));
    const texts = await Promise.all(
      (await readdir(coverage)).map((file) => readFile(join(coverage, file), 'utf8')),
    );
    const paths = texts
      .flatMap((text) => (JSON.parse(text) as Coverage).result.map(({ url }) => url))
      .filter((url) => url.startsWith('file:'))
      .map((url) => fileURLToPath(url));
    const own = join(COMPILED, 'src/');
    const files = paths
      .filter((path) => path.startsWith(own))
      .map((path) => path.slice(own.length).replace(/\.js$/, ''));
    const packages = paths.flatMap(
      (path) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? [],
    );
    return { files: files.sort(), packages: [...new Set(packages)].sort() };
  }

  it('loads words and options only for --help', async () => {
    const { files, packages } = await loadedBy('--help');

    const others = files.filter((file) => !file.startsWith('cli/'));
    expect(files).to.include('cli/doctor');
    expect(others.filter((file) => !LIGHT.some((name) => file.startsWith(name)))).to.deep.equal([]);
    expect(files.filter((file) => file.startsWith('cli/'))).not.to.include('cli/execute');
    expect(packages).to.deep.equal(['commander', 'ipaddr.js']);
  });

  it('loads no more for the help of one command', async () => {
    const all = await loadedBy('--help');

    const one = await loadedBy('backup', '--help');

    expect(one).to.deep.equal(all);
  });

  it('leaves out the HTTP side, jobs and documents where it reads a list', async () => {
    const { files, packages } = await loadedBy('key', 'list');

    const heavy = /^(app|service|http|work|business\/(seed|books))(\/|$)/;
    expect(files).to.include('platform/auth/key');
    expect(files.filter((file) => heavy.test(file) && !LIGHT.includes(file))).to.deep.equal([]);
    expect(packages.filter((name) => [...HEAVY, ...SERVING].includes(name))).to.deep.equal([]);
  }).timeout(60_000);

  it('loads no heavy package to begin serving', async () => {
    const { packages } = await loadedIn(async (env) => {
      const { url, kill } = await startProcess(env);
      const { status } = await fetch(`${url}/health/ready`);
      expect(status).to.equal(200);
      await kill('SIGTERM');
    });

    expect(packages).to.include.members(SERVING);
    expect(packages.filter((name) => HEAVY.includes(name))).to.deep.equal([]);
  }).timeout(60_000);
});
