// "On your own machine" in docs/events.md: its four commands show an event and a callback with right signatures.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from '../support/client/expect.ts';
import { blocks, section } from '../support/files/document.ts';
import { freePort } from '../support/process/port.ts';
import { COMPILED, processEnvironment } from '../support/process/process.ts';
import { until } from '../support/service/until.ts';

const DOCUMENT = fileURLToPath(new URL('../../../docs/events.md', import.meta.url));
const MAIN = join(COMPILED, 'src/main.js');
const CLI = join(COMPILED, 'src/cli/main.js');

interface Shell {
  readonly child: ChildProcess;
  readonly output: () => string;
}

describe('docs/events.md, on your own machine', function () {
  this.timeout(120_000);
  let folder: string;
  const shells: Shell[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forecourt-laptop-'));
  });
  afterEach(async () => {
    for (const { child } of shells.splice(0).reverse()) {
      if (child.exitCode !== null) continue;
      child.kill('SIGINT');
      await once(child, 'exit');
    }
    await rm(folder, { recursive: true, force: true });
  });

  /** Only the environment that a reader has. */
  const environment = (more: NodeJS.ProcessEnv) => {
    const { STORAGE_DIR: _, WEBHOOK_ALLOW: __, NODE_EXTRA_CA_CERTS: ___, ...rest } = processEnvironment('');
    return { ...rest, ...more };
  };

  function open(command: string, env: NodeJS.ProcessEnv): Shell {
    const child = spawn('bash', ['-c', `exec env ${command}`], { cwd: folder, env });
    const texts: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => texts.push(text));
    const shell = { child, output: () => texts.join('') };
    shells.push(shell);
    return shell;
  }

  /** The commands of the document, with ports that are free and without a build. */
  async function commandsOf(hook: string): Promise<string[]> {
    const text = section(await readFile(DOCUMENT, 'utf8'), 'On your own machine');
    return blocks(text, 'sh').map((block) =>
      block
        .replace('npm run -s forecourt -- listen', `node ${CLI} listen --port ${hook}`)
        .replace('make run', `node ${MAIN}`)
        .replaceAll('8443', hook),
    );
  }

  /** Logs in with what the first start printed. */
  async function logIn(base: string, printed: (name: string) => string | undefined): Promise<string> {
    const [api_key, username, password] = ['API key', 'username', 'password'].map(printed);
    const answer = await fetch(`${base}/authenticate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ api_key, username, password }),
    });
    return ((await answer.json()) as { token: string }).token;
  }

  it('takes four commands', async () => {
    const [hook, port] = [String(await freePort()), String(await freePort())];
    const commands = await commandsOf(hook);
    const [listen = '', serve = '', subscribe = '', act = ''] = commands;
    const receiver = open(listen, environment({}));
    await until(async () => receiver.output().includes('Ctrl-C'));
    const service = open(serve, environment({ PORT: port }));
    await until(async () => service.output().includes('"msg":"listening"'), 60_000);
    const printed = (name: string) => new RegExp(`^ {4}${name} +(\\S+)$`, 'm').exec(service.output())?.[1];
    const BASE = `http://127.0.0.1:${port}/v2`;
    const env = environment({ BASE, TOKEN: await logIn(BASE, printed) });
    const run = (command: string) => promisify(execFile)('bash', ['-euc', command], { cwd: folder, env });

    const { secret } = JSON.parse((await run(subscribe)).stdout).data;
    receiver.child.stdin?.write(`${secret}\n${printed('webhook secret')}\n`);
    await run(act);
    const shown = ['contact.created', 'callback, try 1'];
    await until(async () => shown.every((one) => receiver.output().includes(one)), 60_000);

    expect(commands).to.have.length(4);
    expect(receiver.output()).to.match(/event, try 1: \{"type":"contact\.created".*\n +signature right;/);
    expect(receiver.output()).to.match(/callback, try 1: https:.*\/callback\?id=.*\n +signature right;/);
  });
});
