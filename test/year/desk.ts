// The desk of one garage: sends requests to a service, keeps them as commands that a reader can play again, and
// remembers what it made. It knows the API only.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Answer, Json } from '../support/client/client.ts';
import { textOf } from '../support/files/zip.ts';
import { until } from '../support/service/until.ts';

/** Why a story fails. Its message is a sentence for the reader. */
export class Fault extends Error {}

export interface World {
  /** Sends a request to the service, as the user of a garage. */
  send(
    login: Json,
    method: string,
    path: string,
    sent?: { readonly body: string; readonly type: string },
  ): Promise<Answer>;
  /** The folder of the service's archives. */
  readonly archives: string;
}

/** Refusals that say that the story asks wrongly, so that the test would see nothing. */
const ASKED_WRONGLY = new Set([
  'field_unknown',
  'field_readonly',
  'endpoint_invalid',
  'method_unsupported',
  'parameter_unsupported',
]);
const RESOURCE_OF: Readonly<Record<string, string>> = {
  invoice_contact_id: 'contact',
  seller_id: 'contact',
  in_tyreset_id: 'tyreset',
  out_tyreset_id: 'tyreset',
  credited_order_id: 'order',
};

export class Desk {
  /** The requests so far, as shell commands. */
  readonly script: string[] = [];
  /** IDs by resource, the oldest first. */
  readonly made = new Map<string, number[]>();
  /** Facts that other steps need, by resource and ID. */
  readonly known = new Map<string, Json>();
  /** The day of the service's clock, `YYYY-MM-DD`. */
  today = '';
  private readonly world: World;
  private readonly login: Json;
  private serials = 0;

  constructor(world: World, login: Json) {
    this.world = world;
    this.login = login;
  }

  /** A number that no other step of this garage has. */
  serial(): number {
    this.serials += 1;
    return this.serials;
  }

  all(resource: string): readonly number[] {
    return this.made.get(resource) ?? [];
  }

  note(resource: string, id: number, facts: Json = {}): number {
    const known = this.all(resource);
    if (!known.includes(id)) this.made.set(resource, [...known, id]);
    this.known.set(`${resource} ${id}`, { ...this.facts(resource, id), ...facts });
    return id;
  }

  facts(resource: string, id: number): Json {
    return this.known.get(`${resource} ${id}`) ?? {};
  }

  say(comment: string): void {
    this.script.push(`# ${comment}`);
  }

  /** Sends a request. Throws Fault if the service fails, or if the request can't mean anything. */
  async ask(method: string, path: string, body?: Json): Promise<Answer> {
    const text = body && JSON.stringify(body);
    if (method !== 'GET') this.script.push(this.command(method, path, body));
    return this.judged(
      `${method} ${path} ${text ?? ''}`,
      await this.world.send(
        this.login,
        method,
        path,
        text === undefined ? undefined : { body: text, type: 'application/json' },
      ),
    );
  }

  private judged(asked: string, answer: Answer): Answer {
    const code = String(answer.body?.code);
    if (answer.status >= 500) throw new Fault(`${asked} answered ${answer.status} ${answer.text}`);
    if (answer.status === 401 || answer.status === 429 || ASKED_WRONGLY.has(code))
      throw new Fault(`${asked} asks wrongly: ${answer.text}`);
    return answer;
  }

  /** Adds a record, and remembers its ID. Undefined: the service refused the record. */
  async add(path: string, body: Json, facts: Json = {}): Promise<Json | undefined> {
    const { status, data } = await this.ask('POST', path, body);
    if (status !== 201) return undefined;
    const resource = path.split('/')[1] ?? '';
    this.note(resource, Number(data.id), facts);
    this.script.push(`# made ${nameOf(resource, Number(data.id))}`);
    return data;
  }

  /** Adds a record that a story can't do without. Throws Fault. */
  async found(path: string, body: Json, facts: Json = {}): Promise<number> {
    const record = await this.add(path, body, facts);
    if (!record) throw new Fault(`POST ${path} was refused: ${JSON.stringify(body)}`);
    return Number(record.id);
  }

  /** The answer's data. Throws Fault if the request is refused. */
  async read(path: string): Promise<Json> {
    const { status, data, text } = await this.ask('GET', path);
    if (status !== 200) throw new Fault(`GET ${path} answered ${status} ${text}`);
    return data;
  }

  /** All records of a list. */
  async list(path: string): Promise<Json[]> {
    const all: Json[] = [];
    for (let cursor = ''; ; ) {
      const { status, data, body, text } = await this.ask(
        'GET',
        `${path}${path.includes('?') ? '&' : '?'}page_size=1000${cursor}`,
      );
      if (status !== 200) throw new Fault(`GET ${path} answered ${status} ${text}`);
      all.push(...data);
      if (body.next === null || body.next === undefined) return all;
      cursor = `&cursor=${body.next}`;
    }
  }

  /** Imports NDJSON, and waits for the end. The lines of its report. */
  async import(query: string, rows: readonly Json[]): Promise<Json[]> {
    const body = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    this.script.push(`curl -s "$BASE/import?${query}" -H "token: $TOKEN" -H 'content-type: application/x-ndjson' --data-binary @- <<'E'
${body}E`);
    const answer = this.judged(
      `POST /import?${query}`,
      await this.world.send(this.login, 'POST', `/import?${query}`, { body, type: 'application/x-ndjson' }),
    );
    if (answer.status !== 202) throw new Fault(`POST /import answered ${answer.text}`);
    const zip = await this.zipOf(String(answer.data.job_id));
    return linesOf(await textOf(zip, 'report.ndjson')).map((line) => JSON.parse(line));
  }

  /** An export: the text of its file, and where the feed goes on. Throws Fault if it is refused. */
  async copy(body: Json): Promise<{ text: string; after: string }> {
    const { status, data, text } = await this.ask('POST', '/export', body);
    if (status !== 202) throw new Fault(`POST /export answered ${text}`);
    const zip = await this.zipOf(String(data.job_id));
    const { file, after } = JSON.parse(await textOf(zip, 'summary.json'));
    return { text: await textOf(zip, file), after };
  }

  private async zipOf(job: string): Promise<string> {
    const { url } = await until(async () => {
      const data = await this.read(`/job/${job}`);
      if (data.status === 'failed') throw new Fault(`a job failed: ${data.error}`);
      return data.status === 'done' && data;
    }, 60_000);
    const file = join(this.world.archives, /\/files\/([^?]+)/.exec(String(url))?.[1] ?? '');
    await readFile(file);
    return file;
  }

  private command(method: string, path: string, body?: Json): string {
    const where = path.replace(
      /^\/(\w+)\/(\d+)/,
      (_, resource, id) => `/${resource}/$${nameOf(resource, id)}`,
    );
    const sent = body ? ` -H 'content-type: application/json' -d '${shown(body)}'` : '';
    return `curl -s -X ${method} "$BASE${where}" -H "token: $TOKEN"${sent}`;
  }
}

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');

const nameOf = (resource: string, id: unknown): string => `${resource.toUpperCase()}_${id}`;

/** JSON with shell variables for the IDs of records. */
const shown = (body: Json): string =>
  JSON.stringify(body).replaceAll(/"(\w+_id)":(\d+)/g, (_, field, id) => {
    const resource = RESOURCE_OF[field] ?? field.replace(/_id$/, '');
    return `"${field}":'"$${nameOf(resource, id)}"'`;
  });
