// CPU profiles of the service and of the Koa baseline, point by point: shows in which parts a request costs more
// time in the service.
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Dataset } from './dataset.ts';
import { measure } from './load.ts';
import type { Options } from './options.ts';
import { lengthOf, makePoints, type Point } from './points.ts';
import { compiled, type Server } from './process.ts';
import { readProfile, type Times } from './profile-times.ts';
import { section, tableText } from './report.ts';
import type { Requests } from './requests.ts';
import { type NodeSettings, type ServerSettings, startBaseline, startService } from './servers.ts';
import { warmUp } from './warm-up.ts';

const TIMEOUT_MS = 30_000;
const MAX_SHOWN = 40;

interface Profiling {
  readonly dataset: Dataset;
  readonly settings: ServerSettings;
  readonly requests: Requests;
  readonly options: Options;
  /** The folder for the profiles. A browser's developer tools can open them. */
  readonly folder: string;
  readonly isSelected: (name: string) => boolean;
}

/** Returns the report on all points. */
export async function profilePoints(profiling: Profiling): Promise<string> {
  const { dataset, settings, requests, folder, isSelected } = profiling;
  await mkdir(folder, { recursive: true });
  const service = await startService(settings);
  const { url } = service;
  const points = await makePoints(requests, { url, newToken: dataset.token }, ['service', 'koa']);
  await service.stop();
  const texts: string[] = [];
  for (const point of points.filter(({ name }) => isSelected(name))) {
    const ours = await profile(profiling, point, 'service', (node) => startService(settings, node));
    const koa = await profile(profiling, point, 'koa', (node) => startBaseline(settings, 'koa', node));
    texts.push(section(`${point.title} (\`${point.name}\`)`, comparison(ours, koa), table(ours)));
  }
  return texts.join('\n\n');
}

type Start = (settings: NodeSettings) => Promise<Server>;

async function profile(
  profiling: Profiling,
  point: Point,
  server: 'service' | 'koa',
  start: Start,
): Promise<Times> {
  const { dataset, options, folder } = profiling;
  const file = join(folder, `${point.name}-${server}.cpuprofile`);
  await rm(file, { force: true });
  const series = point.series.findLast((made) => made.server === server);
  if (!series) throw new Error(`${point.name} has no series of ${server}`);
  const running = await start({
    node: ['--import', compiled('profile-hook.js')],
    environment: { PROFILE_FILE: file },
  });
  try {
    const load = {
      token: await dataset.token(),
      connections: point.connections ?? options.connections,
    };
    let runs = 0;
    const run = async (seconds: number) => {
      runs += 1;
      const requests = await series.requests(runs, seconds);
      return measure(running, dataset, { ...load, requests, length: lengthOf(series, requests, seconds) });
    };
    await warmUp(point, [run]);
    process.kill(running.pid, 'SIGUSR2');
    const { requests, serverCpu } = await run(options.seconds);
    process.kill(running.pid, 'SIGUSR2');
    for (let waited = 0; !existsSync(file) && waited < TIMEOUT_MS; waited += 100) await sleep(100);
    return scaled(await readProfile(file, requests), serverCpu);
  } finally {
    await running.stop();
  }
}

/**
 * Scales the profile to the CPU time that the kernel counted: a profile also counts time in which another process
 * has the processor.
 */
function scaled({ busy, parts, places }: Times, cpu: number): Times {
  const factor = Math.min(1, cpu / busy);
  const times = (of: Times['parts']) => new Map([...of].map(([name, µs]) => [name, µs * factor]));
  return { busy: busy * factor, parts: times(parts), places: times(places) };
}

function comparison(ours: Times, koa: Times): string {
  const names = [...new Set([...ours.parts.keys(), ...koa.parts.keys()])];
  const rows = names
    .map((name) => ({ name, service: ours.parts.get(name) ?? 0, koa: koa.parts.get(name) ?? 0 }))
    .sort((first, second) => second.service - second.koa - (first.service - first.koa))
    .filter(({ service, koa: baseline }) => Math.abs(service - baseline) * 200 > ours.busy)
    .map(({ name, service, koa: baseline }) => [
      name,
      ...[service, baseline, service - baseline].map((µs) => µs.toFixed(1)),
    ]);
  const sum = ['all', ...[ours.busy, koa.busy, ours.busy - koa.busy].map((µs) => µs.toFixed(1))];
  return tableText([['µs per request', 'service', 'Koa', 'more'], sum, ...rows]);
}

const table = ({ places }: Times): string =>
  tableText([
    ['functions of the service', 'µs per request'],
    ...[...places]
      .sort(([, first], [, second]) => second - first)
      .slice(0, MAX_SHOWN)
      .map(([name, µs]) => [name, µs.toFixed(1)]),
  ]);
