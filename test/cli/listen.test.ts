// forecourt listen: a receiver of callbacks and events that says whether each signature is right.
import { spawn } from 'node:child_process';
import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { makeExecute } from '../../src/cli/execute.ts';
import { runProgram } from '../../src/cli/program.ts';
import { readConfig } from '../../src/platform/config.ts';
import type { Json } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { freePort } from '../support/process/port.ts';
import { processEnvironment } from '../support/process/process.ts';
import { until } from '../support/service/until.ts';

const MAIN = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));
const KEY_SECRET = 'secret of a key';
const SUBSCRIPTION_SECRET = `whsec_${Buffer.from('secret of a subscription').toString('base64')}`;
const BODY = JSON.stringify({ type: 'order.updated', data: { id: 5 } });
const now = () => Math.floor(Date.now() / 1000);

interface Listening {
  readonly url: string;
  readonly settings: Record<string, string>;
  /** The lines of standard output. */
  readonly lines: () => Json[];
  readonly text: () => string;
  type(line: string): void;
  stop(): Promise<number>;
}

interface Sent {
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Record<string, string>;
}

describe('forecourt listen', () => {
  let folder: string;
  let listening: Listening | undefined;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forecourt-listen-'));
  });
  afterEach(async () => {
    await listening?.stop();
    listening = undefined;
    await rm(folder, { recursive: true, force: true });
  });

  async function listen(...words: string[]): Promise<Listening> {
    const stop = new AbortController();
    const input = new Readable({ read: () => {} });
    const texts: string[] = [];
    const text = () => texts.join('');
    const output = { out: (one: string) => void texts.push(one), err: () => {} };
    const config = () => readConfig(processEnvironment(folder));
    const execute = makeExecute({ config, output, input, signal: stop.signal });
    const ended = runProgram(['listen', '--port', String(await freePort()), ...words], execute, output);
    await until(async () => text().includes('\n'));
    const lines = () =>
      words.includes('--json')
        ? text()
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line))
        : [];
    const [first] = lines();
    listening = {
      url: String(first?.url ?? /https:\S+/.exec(text())?.[0]),
      settings: (first?.settings ?? {}) as Record<string, string>,
      lines,
      text,
      type: (line) => void input.push(`${line}\n`),
      stop: () => {
        stop.abort();
        return ended;
      },
    };
    return listening;
  }

  async function send({ url }: Listening, path: string, { method = 'GET', body, headers }: Sent = {}) {
    const ca = await readFile(join(folder, 'listen/ca.pem'));
    return new Promise<number | undefined>((resolve, reject) => {
      const sent = request(`${url.slice(0, -1)}${path}`, { method, headers, ca });
      sent.on('response', (answer) => resolve(answer.resume().statusCode));
      sent.on('error', reject);
      sent.end(body);
    });
  }

  /** A callback as the service signs it. */
  const callback = ({ url }: Listening, { id = randomUUID(), at = now(), secret = KEY_SECRET } = {}) => {
    const path = `/hook?shop=7&id=${randomUUID()}`;
    const signed = `${id}.${at}.${url.slice(0, -1)}${path}`;
    const signature = `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`;
    return {
      path,
      headers: { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': signature },
    };
  };

  /** An event as the library of Standard Webhooks signs it. */
  const event = (body = BODY): Sent => {
    const [id, at] = [randomUUID(), new Date()];
    const signature = new Webhook(SUBSCRIPTION_SECRET).sign(id, at, BODY);
    const timestamp = String(Math.floor(at.getTime() / 1000));
    return {
      method: 'POST',
      body,
      headers: { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature },
    };
  };
  const called = async (one: Listening, count: number) => {
    await until(async () => one.lines().length > count);
    return one.lines().slice(1);
  };

  it('prints the settings of the service, then each call, and ends with the number of calls', async () => {
    const one = await listen('--json', '--secret', KEY_SECRET, '--secret', SUBSCRIPTION_SECRET);
    const { path, headers } = callback(one);

    const statuses = [await send(one, path, { headers }), await send(one, '/events', event())];
    const [first, second] = await called(one, 2);
    const code = await one.stop();

    expect(one.settings).to.deep.equal({
      WEBHOOK_ALLOW: '127.0.0.0/8,::1/128',
      NODE_EXTRA_CA_CERTS: join(folder, 'listen/ca.pem'),
    });
    expect(statuses).to.deep.equal([204, 204]);
    expect(first).to.include({
      type: 'call',
      kind: 'callback',
      url: `${one.url.slice(0, -1)}${path}`,
      id: headers['webhook-id'],
      signature: 'right',
      attempt: 1,
      status: 204,
      next_try_in: null,
    });
    expect(second).to.include({ kind: 'event', signature: 'right', body: BODY });
    expect(one.lines().at(-1)).to.deep.equal({ type: 'ended', calls: 2 });
    expect(code).to.equal(0);
  });

  it('judges signatures: wrong, too old, and not checked until a secret is typed', async () => {
    const one = await listen('--json');
    const get = ({ path, headers }: ReturnType<typeof callback>) => send(one, path, { headers });

    await get(callback(one));
    await send(one, '/events', event());
    one.type(KEY_SECRET);
    one.type('');
    await get(callback(one));
    await get(callback(one, { secret: 'another' }));
    await get(callback(one, { at: now() - 400 }));
    await send(one, '/events', event());
    one.type(SUBSCRIPTION_SECRET);
    await send(one, '/events', event());
    await send(one, '/events', event('{"type":"forged"}'));
    await send(one, '/nothing');

    const verdicts = (await called(one, 9)).map(({ signature }) => signature);
    expect(verdicts).to.deep.equal([
      ...['unchecked', 'unchecked'],
      ...['right', 'wrong', 'too old'],
      ...['unchecked', 'right', 'wrong'],
      'wrong',
    ]);
  });

  it('fails as many tries as asked, and says when the next one comes', async () => {
    const one = await listen('--json', '--status', '500', '--times', '2');
    const { path, headers } = callback(one);

    for (let attempt = 1; attempt <= 3; attempt += 1) await send(one, path, { headers });
    const calls = await called(one, 3);

    expect(calls.map(({ attempt, status, next_try_in }) => [attempt, status, next_try_in])).to.deep.equal([
      [1, 500, 5],
      [2, 500, 30],
      [3, 204, null],
    ]);
  });

  it('says in plain lines what came, and what comes next', async () => {
    const one = await listen('--status', '410', '--secret', KEY_SECRET);
    const { path, headers } = callback(one);

    await send(one, path, { headers });
    await send(one, '/events', event());
    await until(async () => one.text().split('answered').length > 2);
    await one.stop();

    expect(one.text()).to.match(/^Start the service with these two settings:\n {4}WEBHOOK_ALLOW=127/);
    expect(one.text()).to.match(
      /callback, try 1: https:\S+\n +signature right; answered 410, the next try comes in 5 s\n/,
    );
    expect(one.text()).to.match(
      /event, try 1: \{.*\}\n +signature not checked: paste its secret; answered 410, no other/,
    );
    expect(one.text()).to.match(/\n2 calls\n$/);
  });

  it('keeps its certificate authority, so that a running service trusts it again', async () => {
    const one = await listen('--json');
    const authority = await readFile(join(folder, 'listen/ca.pem'), 'utf8');
    await one.stop();

    const other = await listen('--json');

    expect(await readFile(join(folder, 'listen/ca.pem'), 'utf8')).to.equal(authority);
    expect(await send(other, '/')).to.equal(204);
  });

  it('names the port that is in use', async () => {
    const one = await listen('--json');
    const port = new URL(one.url).port;

    const said: string[] = [];
    const output = { out: () => {}, err: (text: string) => void said.push(text) };
    const config = () => readConfig(processEnvironment(folder));
    const execute = makeExecute({
      config,
      output,
      input: Readable.from([]),
      signal: new AbortController().signal,
    });
    const code = await runProgram(['listen', '--port', port], execute, output);

    expect([code, said.join('')]).to.deep.equal([
      1,
      `forecourt: Port ${port} can't be listened on (EADDRINUSE): choose another one by --port\n`,
    ]);
  });

  it('ends well by Ctrl-C', async () => {
    const args = [MAIN, 'listen', '--port', String(await freePort())];
    const started = spawn(process.execPath, args, { env: processEnvironment(folder) });
    await once(started.stdout, 'data');
    started.kill('SIGINT');
    const [code] = await once(started, 'exit');

    expect(code).to.equal(0);
  });
});
