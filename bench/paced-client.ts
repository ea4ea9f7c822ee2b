// The process that sends requests at an even pace, without waiting for answers. autocannon's fixed rate sends all
// requests of a second in one burst, so it would measure the burst.
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answers } from './load.ts';
import { readInput } from './process.ts';
import { percentile } from './statistics.ts';

export interface Pace {
  readonly url: string;
  readonly token: string;
  readonly perSecond: number;
  readonly seconds: number;
  /** Used in turn. */
  readonly paths: readonly string[];
}

const { url, token, perSecond, seconds, paths } = await readInput<Pace>();
const agent = new Agent({ keepAlive: true });
const latencies: number[] = [];
let failures = 0;

function request(path: string): Promise<void> {
  return new Promise((resolve) => {
    const sent = performance.now();
    const failed = () => {
      failures += 1;
      resolve();
    };
    get(url + path, { agent, headers: { token } }, (answer) => {
      answer.resume().on('end', () => {
        if (answer.statusCode !== 200) return failed();
        latencies.push(performance.now() - sent);
        resolve();
      });
    }).on('error', failed);
  });
}

async function send(count: number): Promise<number> {
  const started = performance.now();
  const running: Promise<void>[] = [];
  for (let index = 0; index < count; index += 1) {
    const wait = started + (index * 1000) / perSecond - performance.now();
    if (wait > 0) await sleep(wait);
    running.push(request(paths[index % paths.length] ?? '/'));
  }
  await Promise.all(running);
  return (performance.now() - started) / 1000;
}

// The first second does not count: this process is still being compiled.
await send(perSecond);
latencies.length = 0;
const duration = await send(perSecond * seconds);
agent.destroy();
latencies.sort((first, second) => first - second);
const answers: Answers = {
  requests: latencies.length,
  seconds: duration,
  failures,
  p50: percentile(latencies, 0.5),
  p99: percentile(latencies, 0.99),
};
process.stdout.write(JSON.stringify(answers));
