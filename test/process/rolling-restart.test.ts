// Processes that are restarted one after the other: a client that asks the ready process sees no failure, and a process
// that does not come back ends the command. Signals take the place of systemctl; an empty systemctl stands for the
// units.
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { isReady, type RollingOptions, restartInTurn } from '../../src/cli/rolling-restart.ts';
import type { PrivateServer } from '../../src/platform/database/private-server.ts';
import { joinServer } from '../support/database/private-server.ts';
import { processEnvironment, run, type StartedProcess, startProcess } from '../support/process/process.ts';
import { theService } from '../support/service/service.ts';

const HOST = '127.0.0.1';
const PROBE_MS = 50;

describe('a rolling restart', function () {
  this.timeout(120_000);
  let folder: string;
  let server: PrivateServer;
  const processes = new Map<string, StartedProcess>();
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forecourt-rolling-'));
    server = await joinServer(join(folder, 'database'));
    for (const name of ['one', 'two']) processes.set(name, await startProcess(environment('0')));
  });
  after(async () => {
    for (const each of processes.values()) await each.kill('SIGTERM');
    await server.leave();
    await rm(folder, { recursive: true, force: true });
  });

  const environment = (port: string) =>
    processEnvironment(folder, { PORT: port, DRAIN_SECONDS: '4', JOB_THREADS: '0' });
  const portOf = (name: string) => new URL(processes.get(name)?.url ?? '').port;
  const restart = async (name: string) => {
    const port = portOf(name);
    await processes.get(name)?.kill('SIGTERM');
    processes.set(name, await startProcess(environment(port)));
  };
  const inTurn = (names: string[], changes: Partial<RollingOptions> = {}) =>
    restartInTurn(names, {
      restart,
      isReady: (name) => isReady(HOST, Number(portOf(name))),
      waitMs: 30_000,
      pauseMs: 500,
      signal: new AbortController().signal,
      ...changes,
    });
  const failure = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: Error) => error.message,
    );

  it('fails no request of a client that asks the process that is ready', async () => {
    const client = new Client(['one', 'two'].map((name) => Number(portOf(name))));
    const before = [...processes.values()].map(({ child }) => child.pid);

    const asked = client.start();
    await inTurn(['one', 'two']);
    client.stop();
    const { answered, failures } = await asked;

    expect(failures).to.deep.equal([]);
    expect(answered).to.be.above(10);
    for (const { child } of processes.values()) expect(before).not.to.include(child.pid);
  });

  it('ends where a process does not become ready, and leaves the others alone', async () => {
    const touched: string[] = [];
    let ready = true;

    const said = await failure(
      inTurn(['one', 'two'], {
        restart: async (name) => {
          touched.push(name);
          ready = false;
        },
        isReady: async () => ready,
        waitMs: 100,
      }),
    );

    expect(said).to.equal('one was restarted and is not ready after 0.1 s; not restarted: two');
    expect(touched).to.deep.equal(['one']);
  });

  it('restarts nothing where a process is not ready at the beginning', async () => {
    const touched: string[] = [];

    const said = await failure(
      inTurn(['one', 'two'], {
        restart: async (name) => void touched.push(name),
        isReady: async (name) => name === 'one',
      }),
    );

    expect(said).to.equal('two is not ready: nothing was restarted');
    expect(touched).to.deep.equal([]);
  });

  /** Runs the command beside a systemctl that prints those of these lines whose state is asked for. */
  const command = async (...listed: string[]) => {
    const bin = join(folder, 'bin');
    await mkdir(bin, { recursive: true });
    await writeFile(join(bin, 'units'), listed.map((each) => `${each}\n`).join(''));
    const states = '$(echo "$2" | sed "s/^--state=//; s/,/|/g")';
    const script = `#!/bin/sh\n[ "$1" != list-units ] || grep -E " loaded (${states}) " '${bin}/units' || true\n`;
    await writeFile(join(bin, 'systemctl'), script);
    await chmod(join(bin, 'systemctl'), 0o755);
    const PATH = `${bin}${delimiter}${process.env.PATH}`;
    return run('cli/main.js', ['rolling-restart', '--json'], processEnvironment(folder, { PATH }));
  };
  const line = (port: string | number, state = 'active running') =>
    `forecourt@${port}.service loaded ${state} Forecourt`;

  it('restarts the active units by their ports', async () => {
    const { port } = theService().service;

    const { code, out, err } = await command(
      line(port),
      'forecourt-database.service loaded active running x',
    );

    expect([code, err]).to.deep.equal([0, '']);
    expect(JSON.parse(out)).to.deep.equal({ restarted: [`forecourt@${port}`] });
  });

  it('restarts nothing while another unit is down', async () => {
    const { port } = theService().service;

    for (const state of ['activating auto-restart', 'failed failed', 'deactivating stop-sigterm'])
      expect(await command(line(port), line(1, state)), state).to.deep.include({
        code: 1,
        err: 'forecourt: forecourt@1 is not ready at 127.0.0.1:1: nothing was restarted\n',
      });
    const { code } = await command(line(port), line(1, 'inactive dead'));
    expect(code).to.equal(0);
  });

  it('says which unit is not ready at which address, and that there is none', async () => {
    expect(await command(line(1))).to.deep.include({
      code: 1,
      err: 'forecourt: forecourt@1 is not ready at 127.0.0.1:1: nothing was restarted\n',
    });
    expect(await command('')).to.deep.include({
      code: 1,
      err: 'forecourt: No unit forecourt@PORT is active\n',
    });
  });
});

/** Sends one request after another on kept connections, each to a process that was ready when it last looked. */
class Client {
  private readonly agent = new Agent({ keepAlive: true });
  private readonly ports: readonly number[];
  private ready: readonly number[];
  private over = false;

  constructor(ports: readonly number[]) {
    this.ports = ports;
    this.ready = ports;
  }

  async start(): Promise<{ answered: number; failures: string[] }> {
    const probing = this.probe();
    const failures: string[] = [];
    let answered = 0;
    for (let turn = 0; !this.over; turn += 1) {
      const ready = this.ready.length > 0 ? this.ready : this.ports;
      const port = ready[turn % ready.length] ?? 0;
      const status = await this.get(port).catch(
        (error: NodeJS.ErrnoException) => error.code ?? error.message,
      );
      if (status === 200) answered += 1;
      // A connection that was refused carried no request: the next one goes to the other process.
      else if (status !== 'ECONNREFUSED') failures.push(`${port}: ${status}`);
    }
    await probing;
    this.agent.destroy();
    return { answered, failures };
  }

  stop(): void {
    this.over = true;
  }

  private async probe(): Promise<void> {
    while (!this.over) {
      const found = await Promise.all(this.ports.map((port) => isReady(HOST, port)));
      this.ready = this.ports.filter((_, index) => found[index]);
      await pause(PROBE_MS);
    }
  }

  private get(port: number): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      request({ host: HOST, port, path: '/health/live', agent: this.agent }, (answer) => {
        answer
          .resume()
          .on('end', () => resolve(answer.statusCode))
          .on('error', reject);
      })
        .on('error', reject)
        .end();
    });
  }
}
