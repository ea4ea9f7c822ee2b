// Generates types from the OpenAPI document of the running service, compiles a client against them, and runs it.
import { execFile } from 'node:child_process';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { newClient } from '../support/client.ts';
import { expect } from '../support/expect.ts';
import { PASSWORD, theService } from '../support/service.ts';

const inProject = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const FOLDER = inProject('test-output/client');
const OPTIONS = {
  module: 'nodenext',
  target: 'es2023',
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  allowImportingTsExtensions: true,
  rewriteRelativeImportExtensions: true,
};

/** The output of a program. If the program fails, throws with the whole output. */
async function run(...words: string[]): Promise<string> {
  const failed = (error: Error & { stdout: string }) => {
    throw new Error(`${error.message}\n${error.stdout}`);
  };
  return (await promisify(execFile)(process.execPath, words).catch(failed)).stdout;
}

describe('a client generated from the description', () => {
  before(async function () {
    this.timeout(60_000);
    await rm(FOLDER, { recursive: true, force: true });
    await mkdir(FOLDER, { recursive: true });
    await copyFile(inProject('test/client/program.ts'), `${FOLDER}/program.ts`);
    await writeFile(`${FOLDER}/package.json`, JSON.stringify({ type: 'module' }));
    await writeFile(`${FOLDER}/tsconfig.json`, JSON.stringify({ compilerOptions: OPTIONS }));
    const preload = fileURLToPath(new URL('typescript5.js', import.meta.url));
    const generator = inProject('node_modules/openapi-typescript/bin/cli.js');
    const url = `${theService().url}/v2/openapi.json`;
    await run('--import', preload, generator, url, '--output', `${FOLDER}/api.ts`);
  });

  it('compiles strictly with the compiler of this project', async () => {
    const tsc = inProject('node_modules/.bin/tsc');

    expect(await run(tsc, '--version')).to.match(/^Version 7\./);
    expect(await run(tsc, '--project', FOLDER)).to.equal('');
  }).timeout(60_000);

  it('logs in, adds an order with lines, lists it, and distinguishes refusals', async () => {
    const { garage } = await newClient();

    const printed = await run(
      `${FOLDER}/program.js`,
      `${theService().url}/v2`,
      garage.apiKey,
      garage.username,
      PASSWORD,
    );

    expect(JSON.parse(printed)).to.deep.equal({
      contact: 'Jansen',
      lines: ['Grote beurt', 'Ruitenwissers'],
      total: 347.88,
      more: false,
      refused: 'missing: contact_id',
    });
  });
});
