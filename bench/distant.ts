// Some points once more, with the service and the Koa baseline a millisecond away from the database. Then each
// statement costs its way too, and a server that asks less often answers sooner.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { compare } from './compare.ts';
import type { Dataset } from './dataset.ts';
import type { Options } from './options.ts';
import { makePoints, type Point } from './points.ts';
import { compiled } from './process.ts';
import { comparedReport, type Measured } from './report.ts';
import type { Requests } from './requests.ts';
import { type ServerSettings, serverOf, startBaseline, startService, stopServers } from './servers.ts';

const MILLISECONDS = 1;
/** The points, by the names that they have here. */
const DISTANT: Readonly<Record<string, string>> = {
  'get-alone-distant': 'get-alone',
  'post-distant': 'post',
  'put-distant': 'put',
  'invoice-distant': 'invoice',
};

export async function* measureDistant(
  dataset: Dataset,
  settings: ServerSettings,
  requests: Requests,
  options: Options,
  isSelected: (name: string) => boolean,
): AsyncGenerator<Measured> {
  const names = Object.entries(DISTANT).filter(([name]) => isSelected(name));
  if (names.length === 0) return;
  const { user, database, socketPath = '' } = dataset.base.connection;
  const proxy = await startProxy(socketPath);
  const url = `mysql://${user}@127.0.0.1:${proxy.port}/${database}`;
  const connection = { user, database, hosts: [{ host: '127.0.0.1', port: proxy.port }] as const };
  const servers = new Map([
    ['service', await startService(settings, { environment: { DATABASE_URL: url } })] as const,
    ['koa', await startBaseline({ ...settings, connection }, 'koa')] as const,
  ]);
  try {
    const { url } = serverOf(servers, 'service');
    const points = await makePoints(requests, { url, newToken: dataset.token }, [...servers.keys()]);
    for (const [name, of] of names) {
      const point = points.find((one) => one.name === of);
      if (point)
        yield comparedReport(await compare({ teams: [servers], options, dataset }, further(point, name)));
    }
  } finally {
    await stopServers([servers]);
    await proxy.stop();
  }
}

/** Without targets of CPU time: a server that waits more often is not slower by itself. */
const further = (point: Point, name: string): Point => ({
  ...point,
  name,
  title: `${point.title}; the database ${MILLISECONDS} ms away`,
  ratios: point.ratios.map(({ of, to }) => ({ of, to })),
});

/** In a process of its own, so that its work is not counted. */
async function startProxy(socketPath: string): Promise<{ port: number; stop: () => Promise<void> }> {
  const child = spawn(process.execPath, [compiled('delay-proxy.js'), socketPath, String(MILLISECONDS)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const [text] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    port: Number(text.toString()),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
