// Writes docs/endpoints.md, and the examples of the OpenAPI document, from a run: one real request and answer
// of every endpoint. `make docs` runs it.
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { mochaHooks } from './support/service.ts';
import { type Stop, tour } from './support/tour.ts';

const FILE = fileURLToPath(new URL('../../docs/endpoints.md', import.meta.url));
const EXAMPLES = fileURLToPath(new URL('../../src/http/openapi/examples.json', import.meta.url));
const LONGEST = 1_200;

const context = { timeout: () => {} } as unknown as Mocha.Context;

async function write(): Promise<void> {
  await mochaHooks.beforeAll.call(context);
  try {
    const stops = await tour();
    await writeFile(FILE, `${HEAD}${stops.map(section).join('\n')}`);
    await writeFile(EXAMPLES, `${JSON.stringify(Object.fromEntries(stops.map(example)), null, 2)}\n`);
    process.stdout.write(`${stops.length} requests written to docs/endpoints.md\n`);
  } finally {
    await mochaHooks.afterAll.call(context);
  }
}

const HEAD = `# Endpoints

Every endpoint with its methods, one real request and its answer each. Written by \`make docs\` from a run
against the service; not by hand. All but /authenticate carry the header \`token\`. Long answers are cut at …

`;

function section({ method, endpoint, path, body, answer }: Stop): string {
  const request = `${method} /v2${tidied(path)}${body ? `\n\n${tidied(JSON.stringify(body))}` : ''}`;
  const text = tidied(answer.text);
  const shown = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return `## ${method} ${endpoint}\n\n\`\`\`http\n${request}\n\`\`\`\n\n${answer.status}\n\n\`\`\`json\n${shown}\n\`\`\`\n`;
}

/** By the method and path under which the OpenAPI document has the operation. */
function example({ method, endpoint, body, answer }: Stop): [string, object] {
  const parsed = (text: string) => JSON.parse(tidied(text)) as unknown;
  const key = `${method} ${endpoint}`;
  return [
    key,
    {
      ...(body ? { request: parsed(JSON.stringify(body)) } : {}),
      status: answer.status,
      answer: parsed(answer.text),
    },
  ];
}

/** Addresses of the run stand for those of an installation; what gives access is left out. */
function tidied(text: string): string {
  return text
    .replace(/http:\/\/127\.0\.0\.1:\d+/g, 'https://garage.example')
    .replace(/https:\/\/(localhost|127\.0\.0\.1):\d+/g, 'https://shop.example')
    .replace(/"token":"[^"]+"/, '"token":"…"')
    .replace(/(password=)[^&]+/, '$1…')
    .replace(/("password":)"[^"]+"/, '$1"…"')
    .replace(/signature=[\w-]+/g, 'signature=left-out');
}

write().catch((error: Error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exitCode = 1;
});
