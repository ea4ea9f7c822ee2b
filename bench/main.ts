// make bench: measures the service beside servers written by hand, on one database, and writes RESULTS.md and
// chart.svg, or RESULTS-mysql.md and chart-mysql.svg. A missed target is only shown; the exit code is not 0 only if
// something breaks.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { measureBackup } from './backup.ts';
import { type Bar, chartSvg } from './chart.ts';
import { compare } from './compare.ts';
import { type Dataset, openDataset } from './dataset.ts';
import { measureDistant } from './distant.ts';
import { measureImport } from './import.ts';
import { measureLatency } from './latency.ts';
import { describeMachine } from './machine.ts';
import { measureMemory } from './memory.ts';
import { type Options, readOptions, USAGE } from './options.ts';
import { measurePlan } from './plan.ts';
import { makePoints } from './points.ts';
import { compiled } from './process.ts';
import { profilePoints } from './profile.ts';
import { comparedReport, type Measured, otherText, verdictsText } from './report.ts';
import { type Requests, requestsFor } from './requests.ts';
import { measureSearch } from './search.ts';
import { type ServerSettings, type Servers, serverOf, startTeams, stopServers } from './servers.ts';

interface Setup {
  readonly dataset: Dataset;
  readonly settings: ServerSettings;
  readonly requests: Requests;
  readonly options: Options;
}

async function bench(options: Options): Promise<void> {
  const dataset = await openDataset(options);
  try {
    const settings: ServerSettings = {
      storage: dataset.storage,
      connection: dataset.base.connection,
      logs: join(dataset.folder, 'logs'),
    };
    await mkdir(settings.logs, { recursive: true });
    const { base, garage } = dataset;
    const requests = await requestsFor(base.database.knex, garage.owner, await dataset.login());
    const setup = { dataset, settings, requests, options };
    const { profile: folder } = options;
    if (folder === undefined) await measureAll(setup);
    else print(await profilePoints({ ...setup, folder, isSelected: (name) => isSelected(options, name) }));
  } finally {
    await dataset.close();
  }
}

async function measureAll(setup: Setup): Promise<void> {
  const { dataset, options } = setup;
  const machine = await describeMachine(dataset);
  print(machine);
  const results: Measured[] = [];
  try {
    for await (const result of measurements(setup)) {
      print(result.text);
      results.push(result);
    }
  } finally {
    // Also after an error: the points before it took an hour, perhaps.
    await finish(options, machine, results);
  }
}

/** Prints the targets, and writes the files of the results. */
async function finish(options: Options, machine: string, results: readonly Measured[]): Promise<void> {
  const targets = verdictsText(results.flatMap(({ verdicts }) => verdicts));
  if (results.some(({ verdicts }) => verdicts.length > 0)) print(targets);
  const rows = results.flatMap(({ otherRow }) => (otherRow ? [otherRow] : []));
  if (options.other !== undefined) print(otherText(options.other, rows));
  if (options.results === undefined) return;
  const chart = `chart${options.results}.svg`;
  const bars = results.flatMap(({ bar }): Bar[] => (bar ? [bar] : []));
  await writeFile(kept(`RESULTS${options.results}.md`), resultsText(machine, targets, results, chart));
  await writeFile(kept(chart), chartSvg(bars));
}

async function* measurements(setup: Setup): AsyncGenerator<Measured> {
  const { dataset, settings, requests, options } = setup;
  // Comes first: the other points add rows to the garage.
  if (isSelected(options, 'memory')) yield await measureMemory(dataset, settings, options);
  const teams = await startTeams(settings, options);
  try {
    const [first] = teams as [Servers];
    const { url } = serverOf(first, 'service');
    const points = await makePoints(requests, { url, newToken: dataset.token }, [...first.keys()]);
    for (const point of points) {
      if (isSelected(options, point.name))
        yield comparedReport(await compare({ teams, options, dataset }, point));
    }
  } finally {
    await stopServers(teams);
  }
  yield* measureDistant(dataset, settings, requests, options, (name) => isSelected(options, name));
  if (isSelected(options, 'backup')) yield await measureBackup(dataset, options);
  if (isSelected(options, 'latency'))
    yield await measureLatency(dataset, settings, requests.getOrder, options);
  if (isSelected(options, 'plan')) yield await measurePlan(dataset, settings, options);
  if (isSelected(options, 'search')) yield await measureSearch(dataset, settings, options);
  if (isSelected(options, 'import')) yield await measureImport(dataset, settings, requests.getOrder, options);
}

const isSelected = ({ only }: Options, name: string) => only.length === 0 || only.includes(name);

const kept = (name: string) => compiled(`../../bench/${name}`);

const resultsText = (machine: string, targets: string, results: readonly Measured[], chart: string) =>
  `# Results\n\nMade by \`${command()}\`. [README.md](README.md) says what is measured, and how.\n\n${machine}\n\n` +
  `![CPU time per request, compared with a server written by hand on Koa](${chart})\n\n` +
  `## Targets\n\n${targets}\n\n${results.map(({ text }) => text).join('\n\n')}\n`;

function command(): string {
  const words = process.argv.slice(2).join(' ');
  const { DATABASE = 'mariadb' } = process.env;
  const database = DATABASE === 'mariadb' ? '' : `DATABASE=${DATABASE} `;
  return `${database}make bench${words === '' ? '' : ` ARGS="${words}"`}`;
}

const print = (text: string) => process.stdout.write(`${text}\n\n`);

if (process.argv.includes('--help')) process.stdout.write(USAGE);
else await bench(readOptions(process.argv.slice(2), process.env));
