// Redocly's recommended rules find nothing in the OpenAPI document. A warning fails like an error.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { loadResources } from '../../src/core/model/records/registry.ts';
import { endpoints } from '../../src/http/endpoints/table.ts';
import { openApiDocument } from '../../src/http/openapi/document.ts';
import { expect } from '../support/client/expect.ts';

const REDOCLY = fileURLToPath(new URL('../../../node_modules/.bin/redocly', import.meta.url));
const LONGEST_MS = 120_000;

interface Problem {
  readonly ruleId: string;
  readonly message: string;
  readonly location: readonly { readonly pointer: string }[];
}

describe('the OpenAPI document', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forecourt-openapi-'));
    await loadResources();
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const problemsOf = async (document: object): Promise<string[]> => {
    const file = join(folder, 'openapi.json');
    await writeFile(file, JSON.stringify(document));
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const words = ['lint', '--extends=recommended', '--format=json', file];
    const asked: Promise<{ stdout: string }> = promisify(execFile)(REDOCLY, words, { env });
    // If there are problems, Redocly fails.
    const { stdout } = await asked.catch((error) => error);
    const { problems }: { problems: Problem[] } = JSON.parse(stdout);
    return problems.map(sentence);
  };

  it("passes Redocly's recommended rules", async () => {
    const document = openApiDocument(endpoints(), { version: '1.0.0', url: 'https://garage.example/v2' });

    expect(await problemsOf(document)).to.deep.equal([]);
  }).timeout(LONGEST_MS);

  it('names the way out where an example is older than a field', async () => {
    const schema = { type: 'object', properties: { colour: { type: 'string' } }, required: ['colour'] };
    const content = { 'application/json': { schema, example: {} } };
    const responses = { 200: { description: 'Done', content }, 400: { description: 'Refused' } };
    const paths = { '/tyre': { get: { summary: 'A tyre', operationId: 'tyre', security: [], responses } } };
    const info = { title: 'Tyres', version: '1', license: { name: 'MIT', identifier: 'MIT' } };
    const stale = { openapi: '3.1.0', info, servers: [{ url: 'https://garage.example' }], paths };

    expect(await problemsOf(stale)).to.deep.equal([
      "Example value must conform to the schema: must have required property 'colour'. " +
        'at #/paths/~1tyre/get/responses/200/content/application~1json/example: run `make docs`',
    ]);
  }).timeout(LONGEST_MS);
});

function sentence({ ruleId, message, location: [place] }: Problem): string {
  const wayOut = ruleId === 'no-invalid-media-type-examples' ? ': run `make docs`' : ` (${ruleId})`;
  return `${message} at ${place?.pointer}${wayOut}`;
}
