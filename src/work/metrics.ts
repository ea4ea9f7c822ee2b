// The metrics of /metrics, for Prometheus. Each service has its own registry. Metrics from the database are read only
// when somebody asks for them. Processes that share a port answer together: prom-client adds up what each has counted.
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Database } from '../core/model/statements/session.ts';
import { LISTS } from '../core/trade/lists.ts';
import { OUTCOMES, type Outcome } from '../platform/calls/turn.ts';
import type { Jobs } from './jobs/engine.ts';
import { countJobs, statusName } from './jobs/job.ts';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** One answered request. `route` is the pattern of an endpoint, never a path with IDs. */
export interface Observation {
  readonly route: string;
  readonly status: number;
  readonly milliseconds: number;
}

interface MetricsOptions {
  /** The same that `forecourt --version` shows. */
  readonly version: string;
  readonly jobs: () => Jobs;
  /** Whether callbacks, events and mail are held. */
  readonly isHeld: () => Promise<boolean>;
  /** For how long nothing is removed by its age, because the clock may be wrong. */
  readonly waitMs: () => Promise<number>;
  /** The text of all processes that share the port, this one included. Without it this process answers alone. */
  readonly readAll?: () => Promise<string>;
}

/** How the gauges of several processes become one: each has a part of the sum, or all read the same in the database. */
type Aggregator = 'sum' | 'max';

export class Metrics {
  private readonly registry = new Registry();
  private readonly requests = new Histogram({
    name: 'forecourt_http_request_seconds',
    help: 'Requests by route and status, and how long they took',
    labelNames: ['route', 'status'],
    buckets: SECONDS,
    registers: [this.registry],
  });
  private readonly callbacks = new Counter({
    name: 'forecourt_callback_attempts_total',
    help: 'Attempts to call a webhook_url, by outcome',
    labelNames: ['outcome'],
    registers: [this.registry],
  });
  private readonly deliveries = new Counter({
    name: 'forecourt_delivery_attempts_total',
    help: 'Attempts to send an event to a webhooksubscription, by outcome',
    labelNames: ['outcome'],
    registers: [this.registry],
  });

  private readonly folded = new Counter({
    name: 'forecourt_folded_records_total',
    help: 'Records whose texts were folded for the search after something else had written them',
    registers: [this.registry],
  });

  private readonly readAll?: () => Promise<string>;

  constructor(database: Database, { version, jobs, isHeld, waitMs, readAll }: MetricsOptions) {
    this.readAll = readAll;
    if (readAll) answerPrimary(this.registry);
    collectDefaultMetrics({ register: this.registry });
    // Start at 0: Prometheus misses the first increase of a new series.
    for (const attempts of [this.callbacks, this.deliveries])
      for (const outcome of OUTCOMES) attempts.inc({ outcome }, 0);
    this.gauge(
      'forecourt_build_info',
      '1; the version of the service',
      'version',
      () => ({ [version]: 1 }),
      'max',
    );
    this.gauge('forecourt_database_connections', 'Connections to the database by state', 'state', () => ({
      ...database.connections(),
    }));
    this.gauge('forecourt_worker_threads', 'Worker threads and the jobs that they run', 'what', () => {
      const { running, threads, waiting } = jobs().figures();
      return { running, threads, waiting };
    });
    this.gauge(
      'forecourt_held',
      'What is held until `forecourt release`: 1, else 0',
      'what',
      async (): Promise<Record<string, number>> => {
        const held = await isHeld().catch(() => undefined);
        if (held === undefined) return {};
        return { callbacks: Number(held), events: Number(held), mail: Number(held) };
      },
      'max',
    );
    this.gauge(
      'forecourt_clock_wait_seconds',
      'Seconds of running in which nothing is removed by its age, because the clock may be wrong; else 0',
      'what',
      async (): Promise<Record<string, number>> => {
        const milliseconds = await waitMs().catch(() => undefined);
        return milliseconds === undefined ? {} : { removal: milliseconds / 1000 };
      },
      'max',
    );
    this.gauge(
      'forecourt_jobs',
      'Jobs by status',
      'status',
      async () => {
        // The other metrics must work while the database is away.
        const counts = await countJobs(database).catch(() => undefined);
        if (!counts) return {};
        const none = Object.values(LISTS.jobstatuses).map((status) => [statusName(status), 0]);
        return Object.fromEntries([...none, ...counts.map(({ status, jobs }) => [statusName(status), jobs])]);
      },
      'max',
    );
  }

  onAnswer({ route, status, milliseconds }: Observation): void {
    this.requests.observe({ route, status }, milliseconds / 1000);
  }

  onCallback(outcome: Outcome): void {
    this.callbacks.inc({ outcome });
  }

  onDelivery(outcome: Outcome): void {
    this.deliveries.inc({ outcome });
  }

  onFolded(records: number): void {
    this.folded.inc(records);
  }

  async read(): Promise<{ type: string; text: string }> {
    const text = await (this.readAll?.() ?? this.registry.metrics());
    return { type: this.registry.contentType, text };
  }

  private gauge(
    name: string,
    help: string,
    label: string,
    read: () => Record<string, number> | Promise<Record<string, number>>,
    aggregator: Aggregator = 'sum',
  ): void {
    new Gauge({
      name,
      help,
      labelNames: [label],
      aggregator,
      registers: [this.registry],
      async collect() {
        this.reset();
        for (const [value, number] of Object.entries(await read())) this.set({ [label]: value }, number);
      },
    });
  }
}

/** Hands the counts of this process to the primary process, whenever the primary asks. */
function answerPrimary(registry: Registry): void {
  AggregatorRegistry.setRegistries(registry);
  // prom-client listens to the primary only once an AggregatorRegistry has been made.
  new AggregatorRegistry();
}
