// CPU profiles of the service beside those of the Koa baseline, point by point: in which parts a request costs
// how much more.
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ground } from './ground.ts';
import { measure } from './load.ts';
import type { Options } from './options.ts';
import { makePoints, type Point } from './points.ts';
import { compiled, type Server } from './process.ts';
import { readProfile, type Times } from './profile-times.ts';
import { section, tableText } from './report.ts';
import type { Requests } from './requests.ts';
import { type Place, startBaseline, startService } from './servers.ts';

const WARM_UP_SECONDS = 4;
const PATIENCE_MS = 30_000;
const MOST_SHOWN = 40;

export interface Profiling {
  readonly ground: Ground;
  readonly place: Place;
  readonly requests: Requests;
  readonly options: Options;
  /** Where the profiles are written, to be opened in a browser's tools. */
  readonly folder: string;
  readonly wanted: (point: Point) => boolean;
}

/** Answers the text of all points. */
export async function profilePoints(profiling: Profiling): Promise<string> {
  const { ground, place, requests, folder, wanted } = profiling;
  await mkdir(folder, { recursive: true });
  const service = await startService(place);
  const points = await makePoints(requests, { url: service.url, token: await ground.token() });
  await service.stop();
  const texts: string[] = [];
  for (const point of points.filter(wanted)) {
    const ours = await profile(profiling, point, 'service', (node) => startService(place, node));
    const koa = await profile(profiling, point, 'koa', (node) => startBaseline(place, 'koa', node));
    texts.push(section(`${point.title} (\`${point.name}\`)`, comparison(ours, koa), table(ours)));
  }
  return texts.join('\n\n');
}

type Start = (how: { node: string[]; environment: NodeJS.ProcessEnv }) => Promise<Server>;

async function profile(
  profiling: Profiling,
  point: Point,
  server: 'service' | 'koa',
  start: Start,
): Promise<Times> {
  const { ground, options, folder } = profiling;
  const file = join(folder, `${point.name}-${server}.cpuprofile`);
  await rm(file, { force: true });
  const series = point.series.findLast((one) => one.server === server);
  if (!series) throw new Error(`${point.name} has no series of ${server}`);
  const running = await start({
    node: ['--import', compiled('profile-hook.js')],
    environment: { PROFILE_FILE: file },
  });
  try {
    const load = { token: await ground.token(), connections: point.connections ?? options.connections };
    const run = (number: number, seconds: number) =>
      measure(running, ground.databasePid, { ...load, seconds, requests: series.requests(number) });
    await run(1, WARM_UP_SECONDS);
    process.kill(running.pid, 'SIGUSR2');
    const { requests, serverCpu } = await run(2, options.seconds);
    process.kill(running.pid, 'SIGUSR2');
    for (let waited = 0; !existsSync(file) && waited < PATIENCE_MS; waited += 100) await sleep(100);
    return scaled(await readProfile(file, requests), serverCpu);
  } finally {
    await running.stop();
  }
}

/**
 * A profile counts the time that passes, also while another process has the processor: what all of it adds up to is
 * brought to the CPU time that the kernel counted.
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
    .sort((one, other) => other.service - other.koa - (one.service - one.koa))
    .filter(({ service, koa: its }) => Math.abs(service - its) * 200 > ours.busy)
    .map(({ name, service, koa: its }) => [
      name,
      ...[service, its, service - its].map((µs) => µs.toFixed(1)),
    ]);
  const sum = ['all', ...[ours.busy, koa.busy, ours.busy - koa.busy].map((µs) => µs.toFixed(1))];
  return tableText([['µs a request', 'service', 'Koa', 'more'], sum, ...rows]);
}

const table = ({ places }: Times): string =>
  tableText([
    ['of the service, itself', 'µs a request'],
    ...[...places]
      .sort(([, one], [, other]) => other - one)
      .slice(0, MOST_SHOWN)
      .map(([name, µs]) => [name, µs.toFixed(1)]),
  ]);
