// Writes docs/endpoints.md and the examples of the OpenAPI document: one real request and answer of each endpoint.
// `make docs` runs this file. Two runs of the same code write the same text, and a new endpoint does not change the
// text of another.
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { restartSamples } from './support/build/build.ts';
import { type Stop, tour } from './support/client/visit.ts';
import { mochaHooks } from './support/service/service.ts';

const FILE = fileURLToPath(new URL('../../docs/endpoints.md', import.meta.url));
const EXAMPLES = fileURLToPath(new URL('../../docs/examples.json', import.meta.url));
const LONGEST = 1_200;

const context = { timeout: () => {} } as unknown as Mocha.Context;

async function write(): Promise<void> {
  await mochaHooks.beforeAll.call(context);
  try {
    const stops = await tour(restartSamples);
    await writeFile(FILE, `${HEAD}${stops.map(section).join('\n')}`);
    await writeFile(EXAMPLES, `${JSON.stringify(Object.fromEntries(stops.map(example)), null, 2)}\n`);
    process.stdout.write(`${stops.length} requests written to docs/endpoints.md\n`);
  } finally {
    await mochaHooks.afterAll.call(context);
  }
}

const HEAD = `# Endpoints

One real request and its answer for each method of each endpoint. \`make docs\` writes this file from a run against the
service: do not edit it by hand. IDs, times and secrets of the run are replaced by fixed ones. All requests but those to
/authenticate carry the header \`token\`. A long answer ends in ….

`;

function section(stop: Stop): string {
  const { method, endpoint, path, body, file, answer } = stop;
  const tidied = tidierOf(stop);
  const sent = file
    ? `\nContent-Type: ${file.type}\n\n${file.text.trim()}`
    : body
      ? `\n\n${tidied(JSON.stringify(body))}`
      : '';
  const request = `${method} /v2${tidied(path)}${sent}`;
  const text = tidied(answer.text);
  const shown = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return `## ${method} ${endpoint}\n\n\`\`\`http\n${request}\n\`\`\`\n\n${answer.status}\n\n\`\`\`json\n${shown}\n\`\`\`\n`;
}

/** By the method and path under which the OpenAPI document has the operation. */
function example(stop: Stop): [string, object] {
  const { method, endpoint, body, file, answer } = stop;
  const tidied = tidierOf(stop);
  const parsed = (text: string) => JSON.parse(tidied(text)) as unknown;
  const key = `${method} ${endpoint}`;
  return [
    key,
    {
      ...(body ? { request: parsed(JSON.stringify(body)) } : file ? { request: file.text } : {}),
      status: answer.status,
      answer: parsed(answer.text),
    },
  ];
}

/** Replaces what differs between runs, and what gives access, so that two runs write the same text. */
function tidierOf({ endpoint }: Stop): (text: string) => string {
  const path = endpoint.replace(/\/\{id\}$/, '');
  const uuid = (text: string) =>
    `00000000-0000-4000-8000-${String(rank(`${path} uuid`, text)).padStart(12, '0')}`;
  const id = (...match: unknown[]) => {
    const { before, name = 'id', value = '' } = match.at(-1) as Record<string, string>;
    return `${before}${path === '/country' ? value : rank(`${path} ${name}`, value)}`;
  };
  return (text) =>
    text
      .replace(/http:\/\/127\.0\.0\.1:\d+/g, 'https://garage.example')
      .replace(/https:\/\/(localhost|127\.0\.0\.1):\d+/g, 'https://shop.example')
      .replace(/"token":"[^"]+"/, '"token":"…"')
      .replace(/whsec_[\w+/=]+/g, 'whsec_…')
      .replace(/(password=)[^&]+/, '$1…')
      .replace(/("password":)"[^"]+"/, '$1"…"')
      .replace(/signature=[\w-]+/g, 'signature=left-out')
      .replace(/expires=\d+/g, 'expires=1777716000')
      .replace(/("fingerprint":)"\w+"/, `$1"${'0123456789abcdef'.repeat(2)}"`)
      .replace(/("size":)\d+(,"sha256":)"\w+"(?=,"expires_at")/, `$16824$2"${'0123456789abcdef'.repeat(4)}"`)
      .replace(/("next":")[\w-]+"/, '$1…"')
      .replace(/\buser\d+\b/g, 'anna')
      .replace(UUID, uuid)
      .replace(ID, id)
      .replace(INSTANT, fixedInstant);
}

const UUID = /\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;
/** IDs in a path, a query, or a JSON field such as `order_ids`; not of countries, which are the same everywhere. */
const ID = /(?<before>^\/\w+\/|[?&]id=|record_id:|"(?<name>(?!country_)\w*id)s?":\[?)(?<value>\d+)(?![\w-])/g;

const ranks = new Map<string, string[]>();

/** The first value of a kind becomes 1, the second 2, and so on. */
function rank(kind: string, value: string): number {
  const values = ranks.get(kind) ?? [];
  ranks.set(kind, values);
  if (!values.includes(value)) values.push(value);
  return values.indexOf(value) + 1;
}

const INSTANT = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
const HALF_HOUR_MS = 30 * 60_000;
const STARTED = Date.now() - 60_000;
const SHOWN = Date.parse('2026-05-01T10:00:00.000Z');

/** Instants of the run become fixed ones, as far apart to the half hour. Instants of the samples lie before the run. */
function fixedInstant(text: string): string {
  const since = Date.parse(text) - STARTED;
  if (since < 0) return text;
  return new Date(SHOWN + Math.floor(since / HALF_HOUR_MS) * HALF_HOUR_MS).toISOString();
}

write().catch((error: Error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exitCode = 1;
});
