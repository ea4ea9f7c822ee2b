// CPU profiles: our service alone, a fresh process for each point, and a summary of where its time went.
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Ground } from './ground.ts';
import { measure } from './load.ts';
import type { Options } from './options.ts';
import { makePoints } from './points.ts';
import { section, tableText } from './report.ts';
import type { Requests } from './requests.ts';
import { type Place, startService } from './servers.ts';

const MOST_SHOWN = 30;
const WARM_UP_SECONDS = 3;
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export async function profilePoints(given: {
  ground: Ground;
  place: Place;
  requests: Requests;
  options: Options;
  folder: string;
  wanted: (point: { name: string }) => boolean;
}): Promise<void> {
  const { ground, place, requests, options, folder, wanted } = given;
  const first = await startService(place);
  const points = await makePoints(requests, first, await ground.token());
  await first.stop();
  for (const { name, title, series } of points.filter(wanted)) {
    const into = join(folder, name);
    await rm(into, { recursive: true, force: true });
    await mkdir(into, { recursive: true });
    const ours = series.find((one) => one.name === 'service');
    if (!ours) continue;
    const server = await startService(place, { node: ['--cpu-prof', `--cpu-prof-dir=${into}`] });
    const token = await ground.token();
    const load = (run: number, seconds: number) =>
      measure(server, ground.databasePid, {
        token,
        connections: options.connections,
        seconds,
        requests: ours.requests(run),
      });
    await load(1, WARM_UP_SECONDS);
    const figures = await load(2, options.seconds);
    await server.stop();
    process.stdout.write(
      `${section(`${title} (\`${name}\`)`, `${figures.rate.toFixed(0)} req/s`, await summary(into))}\n\n`,
    );
  }
}

interface Profile {
  nodes: {
    id: number;
    callFrame: { functionName: string; url: string; lineNumber: number };
  }[];
  samples: number[];
  timeDeltas: number[];
}

/** Self time by place and by part, of all that was no idling. */
async function summary(folder: string): Promise<string> {
  const sizes = new Map<string, number>();
  const parts = new Map<string, number>();
  let busy = 0;
  for (const file of await readdir(folder)) {
    const profile = JSON.parse(await readFile(join(folder, file), 'utf8')) as Profile;
    const nodes = new Map(profile.nodes.map((node) => [node.id, node.callFrame]));
    profile.samples.forEach((id, index) => {
      const frame = nodes.get(id);
      const microseconds = profile.timeDeltas[index] ?? 0;
      if (!frame || frame.functionName === '(idle)') return;
      busy += microseconds;
      add(parts, partOf(frame.url, frame.functionName), microseconds);
      add(
        sizes,
        `${frame.functionName || '(anonymous)'} ${placeOf(frame.url)}:${frame.lineNumber + 1}`,
        microseconds,
      );
    });
  }
  const table = (of: Map<string, number>) =>
    tableText([
      ['', '% of busy time'],
      ...[...of]
        .sort(([, one], [, other]) => other - one)
        .slice(0, MOST_SHOWN)
        .map(([name, microseconds]) => [name, ((100 * microseconds) / busy).toFixed(1)]),
    ]);
  return `${table(parts)}\n\n${table(sizes)}`;
}

const add = (to: Map<string, number>, name: string, amount: number) =>
  to.set(name, (to.get(name) ?? 0) + amount);

const placeOf = (url: string) => (url.startsWith('file:') ? relative(ROOT, fileURLToPath(url)) : url);

function partOf(url: string, name: string): string {
  const place = placeOf(url);
  const [, module] = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(place) ?? [];
  if (module !== undefined) return module;
  if (place.startsWith('node:')) return place;
  const [, room] = /^dist\/(src\/[^/]+)/.exec(place) ?? [];
  return room ?? (name.startsWith('(') ? name : '(native)');
}
