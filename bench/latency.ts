// Latency of GET one order at a fixed rate while the same process makes backups, beside the latency when idle.
import type { Dataset } from './dataset.ts';
import { backUp } from './jobs.ts';
import type { Answers, Request } from './load.ts';
import type { Options } from './options.ts';
import type { Pace } from './paced-client.ts';
import { runProgram } from './process.ts';
import { type Measured, section, shown, tableText, verdict } from './report.ts';
import { type ServerSettings, startService } from './servers.ts';
import { median, spread } from './statistics.ts';

const REQUESTS_PER_SECOND = 200;
const MAX_RATIO = 2;

export async function measureLatency(
  dataset: Dataset,
  settings: ServerSettings,
  requests: readonly Request[],
  { rounds, seconds }: Options,
): Promise<Measured> {
  const service = await startService(settings);
  const idle: Answers[] = [];
  const busy: Answers[] = [];
  try {
    const run = async () => {
      const pace: Pace = {
        url: service.url,
        token: await dataset.token(),
        perSecond: REQUESTS_PER_SECOND,
        seconds,
        paths: requests.slice(0, REQUESTS_PER_SECOND * seconds).map(({ path }) => path),
      };
      const answers = await runProgram<Answers>('paced-client.js', pace);
      if (answers.failures > 0) throw new Error(`${answers.failures} requests failed`);
      return answers;
    };
    await run();
    for (let round = 0; round < rounds; round += 1) {
      idle.push(await run());
      busy.push(await duringBackups(dataset, service.url, run));
    }
  } finally {
    await service.stop();
  }
  return report(idle, busy);
}

/** Makes one backup after another until the work is done. */
async function duringBackups<Result>(
  dataset: Dataset,
  url: string,
  work: () => Promise<Result>,
): Promise<Result> {
  let over = false;
  const backups = (async () => {
    while (!over) await backUp(dataset, url, await dataset.token());
  })();
  try {
    return await work();
  } finally {
    over = true;
    await backups;
  }
}

function report(idle: readonly Answers[], busy: readonly Answers[]): Measured {
  const line = (name: string, of: readonly Answers[]) => [
    name,
    median(of.map(({ p50 }) => p50)).toFixed(2),
    shown(spread(of.map(({ p99 }) => p99))),
  ];
  const ratios = spread(busy.map(({ p99 }, round) => p99 / (idle[round]?.p99 ?? Number.NaN)));
  return {
    text: section(
      `GET one order at ${REQUESTS_PER_SECOND} requests per second (\`latency\`)`,
      tableText([['', 'p50 ms', 'p99 ms'], line('idle', idle), line('during a backup', busy)]),
      `- p99 during a backup to p99 idle: ${shown(ratios)}`,
    ),
    verdicts: [verdict('GET one order: p99 during a backup to p99 idle', ratios, { most: MAX_RATIO })],
  };
}
