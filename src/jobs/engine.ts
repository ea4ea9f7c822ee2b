// Runs jobs: claims a row, keeps its lease while a worker thread does the work, and commits how it ended.
// On a drain the work is stopped and its job given back, so that another process goes on at once.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { ConnectionSettings } from '../database/settings.ts';
import type { Database } from '../model/session.ts';
import { ownedTables } from '../model/table.ts';
import type { Storage } from '../storage.ts';
import { type Claim, claimJob, renewLease } from './attempt.ts';
import { type EndingOptions, end, endUnfinished, LOST } from './ending.ts';
import { Pool, type WorkResult } from './pool.ts';
import { removeLeftOvers } from './tidy.ts';
import { untilBack } from './until-back.ts';

const POLL_MS = 1_000;
/** Far more often than a lease needs: progress and cancellation by another process travel with it. */
const HEARTBEAT_MS = 1_000;

export interface EngineOptions {
  readonly database: Database;
  readonly connection: ConnectionSettings;
  readonly storage: Storage;
  readonly threads: number;
  readonly version: string;
  readonly log: Logger;
}

interface Running {
  readonly claim: Claim;
  readonly abort: AbortController;
  progress: number;
  beating: boolean;
  ended?: Promise<void>;
}

export class Jobs {
  private readonly options: EngineOptions;
  private readonly pool: Pool;
  private readonly running = new Map<string, Running>();
  private timer?: NodeJS.Timeout;
  private looking?: Promise<void>;
  private lookAgain = false;
  private readonly draining = new AbortController();
  private readonly ending: EndingOptions;

  constructor(options: EngineOptions) {
    this.options = options;
    this.pool = new Pool(Math.max(1, options.threads));
    this.ending = { database: options.database, log: options.log, draining: this.draining.signal };
  }

  start(): void {
    if (this.options.threads > 0) this.look();
  }

  /** A job was committed or cancelled: there may be something to do, or to stop, right now. */
  poke(cancelled?: string): void {
    if (cancelled !== undefined) this.running.get(cancelled)?.abort.abort();
    if (this.options.threads > 0) this.look();
  }

  figures(): { running: number; waiting: number; threads: number } {
    return { running: this.running.size, ...this.pool.figures() };
  }

  /** Takes no more jobs, gives the running ones back, and ends the threads. */
  async drain(): Promise<void> {
    this.draining.abort();
    clearTimeout(this.timer);
    await this.looking;
    for (const { abort } of this.running.values()) abort.abort();
    await Promise.all([...this.running.values()].map(({ ended }) => ended));
    await this.pool.close();
  }

  private get isDraining(): boolean {
    return this.draining.signal.aborted;
  }

  private look(): void {
    if (this.isDraining) return;
    if (this.looking) {
      this.lookAgain = true;
      return;
    }
    clearTimeout(this.timer);
    this.lookAgain = false;
    this.looking = this.takeWork()
      .catch((error) => this.options.log.error({ err: error }, 'jobs could not be claimed'))
      .finally(() => {
        this.looking = undefined;
        if (this.lookAgain) return this.look();
        if (!this.isDraining) this.timer = setTimeout(() => this.look(), POLL_MS).unref();
      });
  }

  private async takeWork(): Promise<void> {
    while (!this.isDraining && this.running.size < this.options.threads) {
      const { claim, givenUp } = await claimJob(this.options.database, this.running);
      for (const job of givenUp) {
        this.options.log.warn({ job }, 'job failed: its process ended too often');
        this.removeFilesOf(job).catch(() => {});
      }
      if (!claim) return;
      const running: Running = { claim, abort: new AbortController(), progress: 0, beating: false };
      this.running.set(claim.id, running);
      running.ended = this.work(running).finally(() => {
        this.running.delete(claim.id);
        this.look();
      });
    }
  }

  private async work(running: Running): Promise<void> {
    const { claim, abort } = running;
    const { log, storage } = this.options;
    const heartbeat = setInterval(() => void this.beat(running), HEARTBEAT_MS);
    const part = join(storage.archives, `${claim.id}.${claim.fence}.part`);
    log.info({ job: claim.id, kind: claim.kind, fence: claim.fence }, 'job started');
    try {
      // Whoever held the job before may have died while it wrote; if it still lives, its file is of no use.
      if (claim.fence > 1) await untilBack(this.ending, () => this.removeFilesOf(claim.id));
      const result = await this.runWorker(running, part);
      if (result.ok) log.info({ job: claim.id, ...result }, 'job made');
      else log.warn({ job: claim.id, ...result }, 'job failed');
      await end(this.ending, claim, part, result);
    } catch (error) {
      await endUnfinished(this.ending, claim, { aborted: abort.signal.aborted, error });
    } finally {
      clearInterval(heartbeat);
      await rm(part, { force: true }).catch((error) =>
        log.warn({ err: error }, 'a half stays until tidying'),
      );
    }
  }

  private runWorker(running: Running, file: string): Promise<WorkResult> {
    const { id: job, fence, owner, kind, params } = running.claim;
    const { connection, storage, version } = this.options;
    const tools = {
      job,
      fence,
      owner,
      file,
      connection,
      documents: storage.documents,
      tables: ownedTables(),
      serviceVersion: version,
    };
    return this.pool.run({
      kind,
      task: { ...(params as object), ...tools },
      signal: running.abort.signal,
      onProgress: (percent) => {
        running.progress = percent;
      },
    });
  }

  private async beat(running: Running): Promise<void> {
    if (running.beating) return;
    running.beating = true;
    const { claim, progress, abort } = running;
    const { database, log } = this.options;
    try {
      if (await renewLease(database, claim, progress)) return;
      log.info({ job: claim.id, fence: claim.fence }, LOST);
      abort.abort();
    } catch (error) {
      // The lease may outlive a short outage; if not, whoever takes the job over has another fence.
      log.warn({ err: error, job: claim.id }, 'lease could not be renewed');
    } finally {
      running.beating = false;
    }
  }

  private removeFilesOf(job: string): Promise<number> {
    return removeLeftOvers(this.options.database, this.options.storage, job);
  }
}
