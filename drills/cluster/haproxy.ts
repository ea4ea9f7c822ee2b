// haproxy in front of the processes, as docs/operations.md has it: requests go to the processes that are ready.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../test/support/process/port.ts';
import { until } from '../../test/support/service/until.ts';
import { type Child, lastLines, startChild } from './child.ts';

export class Haproxy {
  readonly url: string;
  private readonly port: number;
  private child?: Child;

  private constructor(port: number) {
    this.port = port;
    this.url = `http://127.0.0.1:${port}`;
  }

  static async make(): Promise<Haproxy> {
    return new Haproxy(await freePort());
  }

  async start(folder: string, ports: readonly number[]): Promise<void> {
    const file = join(folder, 'haproxy.cfg');
    await writeFile(file, configuration(this.port, ports));
    const log = join(folder, 'haproxy.log');
    const child = startChild({ name: 'haproxy', command: 'haproxy', args: ['-db', '-f', file], log });
    this.child = child;
    await until(async () => {
      if (!child.isRunning()) throw new Error(`haproxy ended:\n${lastLines(child)}`);
      const answer = await fetch(`${this.url}/health/ready`).catch(() => undefined);
      await answer?.body?.cancel();
      return answer?.status === 200;
    });
  }

  async close(): Promise<void> {
    await this.child?.end('SIGKILL');
  }
}

const configuration = (port: number, ports: readonly number[]): string => `
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout check 5s
  option redispatch
  retries 2

frontend garage
  bind 127.0.0.1:${port}
  default_backend processes

backend processes
  balance roundrobin
  option httpchk GET /health/ready
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1
${ports.map((to, index) => `  server process${index + 1} 127.0.0.1:${to} check`).join('\n')}
`;
