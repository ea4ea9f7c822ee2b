// make bench: measures the service against baselines that run beside it, on one database, and writes
// RESULTS.md. A target that is missed is shown; only what breaks ends with another code than 0.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { measureBackup } from './backup.ts';
import { compare } from './compare.ts';
import { type Ground, openGround } from './ground.ts';
import { measureLatency } from './latency.ts';
import { describeMachine } from './machine.ts';
import { measureMemory } from './memory.ts';
import { type Options, readOptions, USAGE } from './options.ts';
import { makePoints } from './points.ts';
import { compiled } from './process.ts';
import { profilePoints } from './profile.ts';
import { comparedText, type Measured, verdicts, verdictsText } from './report.ts';
import { type Requests, requestsFor } from './requests.ts';
import { type Place, startServers, stopServers } from './servers.ts';

const RESULTS = compiled('../../bench/RESULTS.md');

async function bench(options: Options): Promise<void> {
  const ground = await openGround(options);
  try {
    const place: Place = {
      storage: ground.storage,
      connection: ground.base.connection,
      logs: join(ground.folder, 'logs'),
    };
    await mkdir(place.logs, { recursive: true });
    const requests = await requestsFor(ground.base.database, ground.garage.owner);
    const wanted = ({ name }: { name: string }) => options.only.length === 0 || options.only.includes(name);
    if (options.profile !== undefined) {
      print(await profilePoints({ ground, place, requests, options, folder: options.profile, wanted }));
      return;
    }
    const machine = await describeMachine(ground);
    print(machine);
    const results: Measured[] = [];
    for await (const result of measurements(ground, place, requests, options, wanted)) {
      print(result.text);
      results.push(result);
    }
    const targets = verdictsText(results.flatMap((result) => result.verdicts));
    if (results.some((result) => result.verdicts.length > 0)) print(targets);
    if (options.write) await writeFile(RESULTS, resultsText(machine, targets, results));
  } finally {
    await ground.close();
  }
}

type Wanted = (point: { name: string }) => boolean;

async function* measurements(
  ground: Ground,
  place: Place,
  requests: Requests,
  options: Options,
  wanted: Wanted,
): AsyncGenerator<Measured> {
  const servers = await startServers(place);
  try {
    const points = await makePoints(requests, { url: servers.service.url, token: await ground.token() });
    const bench = { servers, options, databasePid: () => ground.databasePid, token: () => ground.token() };
    for (const point of points.filter(wanted)) {
      const compared = await compare(bench, point);
      yield { text: comparedText(compared), verdicts: verdicts(compared) };
    }
  } finally {
    await stopServers(servers);
  }
  if (wanted({ name: 'backup' })) yield await measureBackup(ground, options);
  if (wanted({ name: 'latency' })) yield await measureLatency(ground, place, requests.one, options);
  // Last, since it makes a second garage in the same tables.
  if (wanted({ name: 'memory' })) yield await measureMemory(ground, place, options);
}

const resultsText = (machine: string, targets: string, results: readonly Measured[]) =>
  `# Results\n\nMade by \`${command()}\`; what is measured and how stands in [README.md](README.md).\n\n${machine}\n\n` +
  `## Targets\n\n${targets}\n\n${results.map(({ text }) => text).join('\n\n')}\n`;

function command(): string {
  const words = process.argv.slice(2).join(' ');
  return `make bench${words === '' ? '' : ` ARGS="${words}"`}`;
}

const print = (text: string) => process.stdout.write(`${text}\n\n`);

if (process.argv.includes('--help')) process.stdout.write(USAGE);
else await bench(readOptions(process.argv.slice(2), process.env));
