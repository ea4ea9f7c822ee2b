// Six generators make clients from the OpenAPI document of the running service, as integrators call them. Each client
// compiles strictly and makes the same five requests. Spectral finds nothing in the document.
import { execFile } from 'node:child_process';
import { copyFile, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { newClient, send } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { PASSWORD, theService } from '../support/service/service.ts';

const inProject = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const SOURCE = inProject('test/client/generators');
/** Here the generators are installed, and each makes its client in a folder of its own. */
const FOLDER = inProject('test-output/generators');
const TSC = inProject('node_modules/.bin/tsc');
const LONGEST_MS = 600_000;
const OPTIONS = {
  module: 'nodenext',
  target: 'es2023',
  types: ['node'],
  strict: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  rewriteRelativeImportExtensions: true,
};
const COMMANDS: Readonly<Record<string, string>> = {
  'openapi-typescript': 'openapi-typescript ../openapi.json --output client/api.ts',
  'hey-api': 'openapi-ts --input ../openapi.json --output client',
  orval: 'orval --config orval.config.ts',
  'swagger-typescript-api':
    'swagger-typescript-api generate --path ../openapi.json --output client --name api.ts',
  kubb: 'kubb generate --config kubb.config.ts',
  'openapi-zod-client': 'openapi-zod-client ../openapi.json --output client/api.ts --export-schemas',
};

describe('the OpenAPI document, for generated clients', () => {
  let schemas: string[];
  before(async function () {
    this.timeout(LONGEST_MS);
    await mkdir(FOLDER, { recursive: true });
    await install();
    const { body } = await send('GET', '/openapi.json');
    await writeFile(`${FOLDER}/openapi.json`, JSON.stringify(body));
    schemas = Object.keys(body.components.schemas);
  });

  for (const [name, command] of Object.entries(COMMANDS))
    it(`makes a client by ${name} that compiles, logs in, adds, reads, lists and reads a refusal`, async () => {
      const folder = await newProject(name);
      const { garage } = await newClient();
      const credentials = [garage.apiKey, garage.username, PASSWORD];

      await runInstalled(folder, command);
      const reported = await run(folder, TSC, '--project', '.');
      const printed = await run(
        folder,
        process.execPath,
        'program.js',
        `${theService().url}/v2`,
        ...credentials,
      );

      expect(reported).to.equal('');
      expect(JSON.parse(printed)).to.deep.equal({
        city: 'Utrecht',
        addresses: ['jansen@example.nl'],
        more: false,
        refused: 'unknown: id',
      });
    }).timeout(LONGEST_MS);

  it('has no schema whose type would hide one of TypeScript', async () => {
    const types = schemas.map((name) => name.replace(/(?:^|_)(\w)/g, (_, letter) => letter.toUpperCase()));
    await writeFile(`${FOLDER}/types.ts`, types.map((type) => `export type My${type} = ${type};`).join('\n'));

    const reported = await run(FOLDER, TSC, '--ignoreConfig', '--noEmit', 'types.ts').catch(
      ({ message }: Error) => message,
    );

    const free = [...reported.matchAll(/Cannot find name '(\w+)'/g)].map(([, type]) => type);
    expect(types.filter((type) => !free.includes(type))).to.deep.equal([]);
  });

  it('passes the rules of Spectral for OpenAPI', async () => {
    await writeFile(`${FOLDER}/spectral.json`, JSON.stringify({ extends: 'spectral:oas' }));

    const found = await runInstalled(
      FOLDER,
      'spectral lint openapi.json --ruleset spectral.json --fail-severity hint --format stylish --quiet',
    );

    expect(found).to.equal('');
  }).timeout(LONGEST_MS);
});

/** A new folder with the program and the configuration of a generator. */
async function newProject(name: string): Promise<string> {
  const folder = `${FOLDER}/${name}`;
  await rm(folder, { recursive: true, force: true });
  await cp(`${SOURCE}/${name}`, folder, { recursive: true });
  await mkdir(`${folder}/client`);
  const options = { compilerOptions: OPTIONS, include: ['program.ts', 'client'] };
  await writeFile(`${folder}/tsconfig.json`, JSON.stringify(options));
  return folder;
}

/** Installs the generators, unless an earlier run has installed the same ones. */
async function install(): Promise<void> {
  const read = (file: string) => readFile(file, 'utf8').catch(() => undefined);
  const lock = await read(`${SOURCE}/package-lock.json`);
  const installed = `${FOLDER}/node_modules/.forecourt-lock`;
  if (lock === (await read(installed))) return;
  for (const file of ['package.json', 'package-lock.json'])
    await copyFile(`${SOURCE}/${file}`, `${FOLDER}/${file}`);
  await run(FOLDER, 'npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier');
  await copyFile(`${SOURCE}/package-lock.json`, installed);
}

/** Runs a command of the installed generators. */
function runInstalled(folder: string, command: string): Promise<string> {
  const [name = '', ...words] = command.split(' ');
  return run(folder, `${FOLDER}/node_modules/.bin/${name}`, ...words);
}

/** The output of a program. If the program fails, throws with the whole output. */
async function run(folder: string, file: string, ...words: string[]): Promise<string> {
  const failed = (error: Error & { stdout: string }) => {
    throw new Error(`${error.message}\n${error.stdout}`);
  };
  // Some generators report each run to their makers, unless they are told not to.
  const env = { ...process.env, DO_NOT_TRACK: '1', NO_COLOR: '1' };
  return (await promisify(execFile)(file, words, { cwd: folder, env }).catch(failed)).stdout;
}
