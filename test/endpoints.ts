// Writes docs/endpoints.md from a run: one real request and answer of every endpoint. `make docs` runs it.
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { mochaHooks } from './support/service.ts';
import { type Stop, tour } from './support/tour.ts';

const FILE = fileURLToPath(new URL('../../docs/endpoints.md', import.meta.url));
const LONGEST = 1_200;

const context = { timeout: () => {} } as unknown as Mocha.Context;

async function write(): Promise<void> {
  await mochaHooks.beforeAll.call(context);
  try {
    const stops = await tour();
    await writeFile(FILE, `${HEAD}${stops.map(section).join('\n')}`);
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

/** Addresses of the run stand for those of an installation; what gives access is left out. */
function tidied(text: string): string {
  return text
    .replace(/http:\/\/127\.0\.0\.1:\d+/g, 'https://garage.example')
    .replace(/https:\/\/(localhost|127\.0\.0\.1):\d+/g, 'https://shop.example')
    .replace(/"token":"[^"]+"/, '"token":"…"')
    .replace(/(password=)[^&]+/, '$1…')
    .replace(/("password":)"[^"]+"/, '$1"…"')
    .replace(/signature=[\w-]+/g, 'signature=…');
}

write().catch((error: Error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exitCode = 1;
});
