// Mixed work on one machine for half an hour: memory stays flat, nothing fails, every invoice has its number, and every
// event is delivered. The report has a chart of memory and of requests.
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../src/core/model/statements/session.ts';
import { readInvoiceNumber } from '../../src/core/trade/invoice-number.ts';
import { select } from '../../test/support/database/sql.ts';
import { run } from '../../test/support/process/process.ts';
import { until } from '../../test/support/service/until.ts';
import { type Bar, barsOf, riseOf } from './chart.ts';
import { type Report, seconds } from './report.ts';
import { Scene } from './scene.ts';
import { Work } from './soak-work.ts';
import { memoryOf } from './usage.ts';

const MINUTE_MS = 60_000;
const SAMPLE_MS = 5_000;
/** Until then caches fill and the collector of garbage finds its pace. */
const WARM_UP_MINUTES = 10;
/** The line through the memory after the warm-up may rise by so much: the collector's saw-tooth tilts it a little. */
const MOST_RISE = 0.1;
/** A shorter time after the warm-up says nothing. */
const LEAST_JUDGED_MINUTES = 10;
/** For the events and callbacks that wait when the work ends. */
const PATIENCE_MS = 900_000;
/** Levels of the log. */
const ERROR = 50;
const EVENTS = '/events';

interface SoakOptions {
  readonly minutes: number;
  /** The orders of the garage at the start. */
  readonly orders: number;
}

interface Sample {
  readonly minutes: number;
  readonly service: number;
  readonly database: number;
  readonly answers: number;
}

export async function soak(report: Report, folder: string, { minutes, orders }: SoakOptions): Promise<void> {
  const scene = await Scene.open(folder, { orders });
  try {
    await scene.start();
    const { tenant, url, receiver } = scene;
    const subscribed = await tenant.ask(url, 'POST', '/webhooksubscription', { url: receiver.url(EVENTS) });
    report.demand(subscribed.status === 201, `no subscription: ${subscribed.text}`);
    const left = timeLeft(minutes);
    const work = new Work(scene, left);
    const watched = () => ({ service: scene.pid, database: scene.server.pid, answers: work.answers });
    const [samples] = await Promise.all([watch(watched, left), work.run()]);
    report.say(`${minutes} minutes, ${work.tally.text()}, ${work.jobs} jobs`);
    judgeMemory(report, samples);
    report.demand(work.tally.serverErrors() === 0, `${work.tally.serverErrors()} answers were 5xx`);
    report.demand(work.tally.oddCount === 0, `requests were refused: ${work.tally.odd.join('; ')}`);
    report.demand(work.failedJobs.length === 0, `jobs were not done: ${work.failedJobs.join('; ')}`);
    await checkEvents(report, scene, Number(subscribed.data.id));
    await checkCallbacks(report, scene);
    await checkInvoices(report, scene);
    checkLog(report, scene);
    const { code, out, err } = await run('cli/main.js', ['doctor', '--offline'], scene.env);
    report.say(`  doctor: exit code ${code}`);
    report.demand(code === 0, `doctor found: ${out}${err}`);
  } finally {
    await scene.close();
  }
}

/** A function that tells the milliseconds until the time is up, from now on. */
export function timeLeft(minutes: number): () => number {
  const end = performance.now() + minutes * MINUTE_MS;
  return () => Math.max(0, end - performance.now());
}

interface Watched {
  /** The processes. */
  readonly service: number;
  readonly database: number;
  /** The answers so far. */
  readonly answers: number;
}

/** Samples until the time is up. */
export async function watch(watched: () => Watched, left: () => number): Promise<Sample[]> {
  const samples: Sample[] = [];
  const began = performance.now();
  let before = 0;
  while (left() > 0) {
    await pause(Math.min(SAMPLE_MS, left()));
    const { service, database, answers } = watched();
    samples.push({
      minutes: (performance.now() - began) / MINUTE_MS,
      service: memoryOf(service),
      database: memoryOf(database),
      answers: answers - before,
    });
    before = answers;
  }
  return samples;
}

function chartOf(samples: readonly Sample[]): string[] {
  const minutes = [...new Set(samples.map((sample) => Math.floor(sample.minutes)))];
  const of = (minute: number) => samples.filter((sample) => Math.floor(sample.minutes) === minute);
  const chart = (title: string, value: (some: Sample[]) => number): string[] => {
    const bars: Bar[] = minutes.map((minute) => ({ label: String(minute + 1), value: value(of(minute)) }));
    return [title, ...barsOf(bars)];
  };
  const greatest = (name: 'service' | 'database') => (some: Sample[]) =>
    Math.max(...some.map((sample) => sample[name]));
  return [
    ...chart('memory of the service, MiB, at most in each minute', greatest('service')),
    ...chart('memory of the database server, MiB, at most in each minute', greatest('database')),
    ...chart('requests in each minute', (some) => some.reduce((sum, { answers }) => sum + answers, 0)),
  ];
}

/** The database server fills its buffers for hours, up to the limit of its settings, so only the service is judged. */
export function judgeMemory(report: Report, samples: readonly Sample[]): void {
  for (const line of chartOf(samples)) report.say(`  ${line}`);
  const last = samples.at(-1)?.minutes ?? 0;
  const isLong = last >= WARM_UP_MINUTES + LEAST_JUDGED_MINUTES;
  const judged = samples.filter(({ minutes }) => minutes >= (isLong ? WARM_UP_MINUTES : last / 3));
  const rise = riseOf(judged.map(({ minutes, service }) => ({ x: minutes, y: service })));
  const mean = judged.reduce((sum, { service }) => sum + service, 0) / judged.length;
  const share = rise / mean;
  report.say(
    `  memory after the warm-up: ${mean.toFixed(0)} MiB on average; the line through ${judged.length} samples rises by ` +
      `${rise.toFixed(1)} MiB (${(share * 100).toFixed(1)} %)${isLong ? '' : '; too short a run to judge'}`,
  );
  if (isLong)
    report.demand(share <= MOST_RISE, `memory is not flat: it rises by ${(share * 100).toFixed(1)} %`);
}

/** Waits until the events of all changes so far have been delivered. */
export async function untilSent(database: Database): Promise<void> {
  await until(async () => {
    // The changes of a garage without a reader stay where they are.
    const [unplaced] = await select(
      database,
      'SELECT COUNT(*) AS n FROM change_outbox WHERE owner_id IN (SELECT owner_id FROM webhooksubscriptions)',
    );
    const [waiting] = await select(
      database,
      "SELECT COUNT(*) AS n FROM webhookdeliveries WHERE status <> 'delivered'",
    );
    return Number(unplaced?.n) + Number(waiting?.n) === 0;
  }, PATIENCE_MS);
}

/** Each change from the subscription's own on has one event, which came. */
async function checkEvents(report: Report, scene: Scene, subscription: number): Promise<void> {
  const { database } = scene.server;
  const began = performance.now();
  await untilSent(database);
  const [made] = await select(
    database,
    "SELECT MIN(seq) AS seq FROM changes WHERE resource = 'webhooksubscription' AND record_id = ?",
    [subscription],
  );
  const changes = await select(database, 'SELECT seq FROM changes WHERE seq >= ?', [Number(made?.seq)]);
  const received = scene.receiver.requests.filter(({ url }) => url === EVENTS);
  const ids = new Map<string, Set<number>>();
  const bySeq = new Map<number, Set<string>>();
  for (const { headers, body } of received) {
    const id = String(headers['webhook-id']);
    const seq = Number(JSON.parse(body).data.seq);
    ids.set(id, (ids.get(id) ?? new Set()).add(seq));
    bySeq.set(seq, (bySeq.get(seq) ?? new Set()).add(id));
  }
  const lost = changes.filter(({ seq }) => !bySeq.has(Number(seq)));
  const again = received.length - ids.size;
  const twice = [...bySeq].filter(([, messages]) => messages.size > 1);
  report.say(
    `  ${changes.length} changes, ${received.length} events came: ${lost.length} lost, ${again} came again with ` +
      `their webhook-id, ${twice.length} changes have several events; the last came ${seconds(performance.now() - began)} ` +
      'after the work',
  );
  report.demand(lost.length === 0, `no event came of the changes ${lost.slice(0, 5).map(({ seq }) => seq)}`);
  report.demand(twice.length === 0, `several events of the changes ${twice.slice(0, 5).map(([seq]) => seq)}`);
  report.demand(again === 0, `${again} events came twice, though no process ended`);
}

/** Each job with a webhook_url was called back once. */
async function checkCallbacks(report: Report, scene: Scene): Promise<void> {
  const { database } = scene.server;
  const due = () => select(database, 'SELECT id FROM jobs WHERE callback_at IS NOT NULL');
  await until(async () => (await due()).length === 0, PATIENCE_MS);
  const jobs = await select(database, 'SELECT id FROM jobs WHERE webhook_url IS NOT NULL');
  const calls = scene.receiver.requests.filter(({ url }) => url.startsWith('/jobs/')).length;
  report.say(`  ${jobs.length} jobs with a webhook_url: ${calls} callbacks`);
  report.demand(calls === jobs.length, `${calls} callbacks of ${jobs.length} jobs`);
}

/** The digits of the count in an invoice number, at least. */
const DIGITS = 5;

/** In each series from the first number to the last, each once. A series is a prefix and a year, such as `F2026`. */
async function checkInvoices(report: Report, scene: Scene): Promise<void> {
  // The garage numbers no purchase that the seller's own invoice proves.
  const invoices = await select(
    scene.server.database,
    'SELECT invoice_number, invoice_date FROM orders WHERE is_invoiced = 1 AND invoice_number IS NOT NULL',
  );
  const series = new Map<string, number[]>();
  for (const { invoice_number, invoice_date } of invoices) {
    const text = String(invoice_number);
    const read = readInvoiceNumber(text, new Date(`${invoice_date}Z`));
    report.demand(read !== undefined, `${text} is no number of a series`);
    if (!read) continue;
    const name = text.slice(0, -String(read.count).padStart(DIGITS, '0').length);
    series.set(name, [...(series.get(name) ?? []), read.count]);
  }
  for (const [name, counts] of [...series].sort()) {
    const unique = new Set(counts);
    const last = counts.reduce((most, count) => Math.max(most, count), 0);
    report.say(`  ${name}: ${counts.length} invoices, ${last - unique.size} gaps`);
    report.demand(unique.size === counts.length, `${counts.length - unique.size} numbers of ${name} twice`);
    report.demand(unique.size === last, `${last - unique.size} gaps in the numbers of ${name}`);
  }
}

function checkLog(report: Report, scene: Scene): void {
  const errors = scene.output
    .split('\n')
    .filter((line) => Number(/^\{"level":(\d+)/.exec(line)?.[1]) >= ERROR);
  report.say(`  the log has ${errors.length} errors`);
  report.demand(errors.length === 0, `the log has errors: ${errors.slice(0, 3).join('\n')}`);
}
