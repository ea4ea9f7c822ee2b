// Runs jobs: claims a row, renews its lease while a worker thread does the work, and records how the work ended.
// A drain stops the work and releases the jobs, so that another process can start them at once.
import type { Logger } from 'pino';
import { ownedTables } from '../../core/model/records/table.ts';
import type { Database } from '../../core/model/statements/session.ts';
import { retryWhileAway } from '../../platform/database/away.ts';
import type { ConnectionSettings } from '../../platform/database/settings.ts';
import type { Storage } from '../../platform/storage/open.ts';
import { type Claim, renewLease } from './attempt.ts';
import { claimJob } from './claim.ts';
import { archiveName, type EndingOptions, endWithoutResult, endWithResult, LOST } from './finish.ts';
import type { JobResult } from './kind.ts';
import { KINDS } from './kind-table.ts';
import { removeLeftOvers } from './left-over.ts';
import { Pool } from './pool.ts';
import { removeUpload } from './upload.ts';

const POLL_MS = 1_000;
/** Far more often than a lease needs, because a heartbeat also writes progress and notices a cancellation. */
const HEARTBEAT_MS = 1_000;

interface EngineOptions {
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
  renewing: boolean;
  ended?: Promise<void>;
}

export class Jobs {
  private readonly options: EngineOptions;
  private readonly pool: Pool;
  private readonly running = new Map<string, Running>();
  private timer?: NodeJS.Timeout;
  private polling?: Promise<void>;
  private pollAgain = false;
  private takesMore = true;
  private readonly draining = new AbortController();
  private readonly ending: EndingOptions;

  constructor(options: EngineOptions) {
    this.options = options;
    this.pool = new Pool(Math.max(1, options.threads));
    const { database, storage, log } = options;
    this.ending = { database, archives: storage.archives, log, draining: this.draining.signal };
  }

  start(): void {
    if (this.options.threads > 0) this.poll();
  }

  /** Call this after a job was committed or cancelled: looks for work at once, and stops the cancelled job. */
  poke(cancelled?: string): void {
    if (cancelled !== undefined) this.running.get(cancelled)?.abort.abort();
    if (this.options.threads > 0) this.poll();
  }

  figures(): { running: number; waiting: number; threads: number } {
    return { running: this.running.size, ...this.pool.figures() };
  }

  /** Takes no more jobs. The running ones go on. */
  takeNoMore(): void {
    this.takesMore = false;
    clearTimeout(this.timer);
  }

  /** Takes no more jobs, releases the running ones, and ends the threads. */
  async drain(): Promise<void> {
    this.takeNoMore();
    this.draining.abort();
    await this.polling;
    for (const { abort } of this.running.values()) abort.abort();
    await Promise.all([...this.running.values()].map(({ ended }) => ended));
    await this.pool.close();
  }

  private poll(): void {
    if (!this.takesMore) return;
    if (this.polling) {
      this.pollAgain = true;
      return;
    }
    clearTimeout(this.timer);
    this.pollAgain = false;
    this.polling = this.takeWork()
      .catch((error) => this.options.log.error({ err: error }, 'jobs could not be claimed'))
      .finally(() => {
        this.polling = undefined;
        if (this.pollAgain) return this.poll();
        if (this.takesMore) this.timer = setTimeout(() => this.poll(), POLL_MS).unref();
      });
  }

  private async takeWork(): Promise<void> {
    while (this.takesMore && this.running.size < this.options.threads) {
      const { claim, givenUp } = await claimJob(this.options.database, [...this.running.keys()]);
      for (const job of givenUp) {
        this.options.log.warn({ job }, 'job failed: its process ended too often');
        this.removeFilesOf(job).catch((error) =>
          this.options.log.warn({ err: error, job }, 'the files of a job stay until the next tidying'),
        );
        void this.removeUpload(job);
      }
      if (!claim) return;
      const running: Running = { claim, abort: new AbortController(), progress: 0, renewing: false };
      this.running.set(claim.id, running);
      running.ended = this.work(running).finally(() => {
        this.running.delete(claim.id);
        this.poll();
      });
    }
  }

  private async work(running: Running): Promise<void> {
    const { claim, abort } = running;
    const { log } = this.options;
    const heartbeat = setInterval(() => void this.renew(running), HEARTBEAT_MS);
    let isMade = false;
    log.info({ job: claim.id, kind: claim.kind, fence: claim.fence }, 'job started');
    try {
      // The process that held the job before may have died and left a file. If it still runs, its file is useless.
      if (claim.fence > 1) await retryWhileAway(this.ending, () => this.removeFilesOf(claim.id));
      const result = await this.runWorker(running);
      isMade = result.ok;
      if (result.ok) log.info({ job: claim.id, ...result }, 'job made');
      else log.warn({ job: claim.id, ...result }, 'job failed');
      await endWithResult(this.ending, claim, result);
    } catch (error) {
      await endWithoutResult(this.ending, claim, { aborted: abort.signal.aborted, error });
    } finally {
      clearInterval(heartbeat);
      if (!isMade) await this.discard(claim);
      if (KINDS[claim.kind].hasUpload) await this.removeUpload(claim.id);
    }
  }

  /** Removes the remains of an attempt that made no archive. */
  private async discard(claim: Claim): Promise<void> {
    const { storage, log } = this.options;
    await storage.archives
      .discard(archiveName(claim))
      .catch((error) => log.warn({ err: error }, 'a partial archive stays until the next tidying'));
  }

  /** Tidying does it later if this fails. */
  private async removeUpload(id: string): Promise<void> {
    const { database, storage, log } = this.options;
    await removeUpload(database, storage, id).catch((error) =>
      log.warn({ err: error, job: id }, 'the file of an import stays until the next tidying'),
    );
  }

  private runWorker(running: Running): Promise<JobResult> {
    const { claim, abort } = running;
    const { id: job, fence, owner, kind, params, isCancelled, givenUpFor } = claim;
    const { connection, storage, version } = this.options;
    const task = {
      ...params,
      job,
      fence,
      owner,
      archive: archiveName(claim),
      isCancelled,
      givenUpFor,
      connection,
      storage: storage.settings,
      tables: ownedTables(),
      serviceVersion: version,
    };
    const onProgress = (percent: number) => {
      running.progress = percent;
    };
    return this.pool.run({ kind, task, signal: abort.signal, onProgress });
  }

  private async renew(running: Running): Promise<void> {
    if (running.renewing) return;
    running.renewing = true;
    const { claim, progress, abort } = running;
    const { database, log } = this.options;
    try {
      if (await renewLease(database, claim, progress)) return;
      log.info({ job: claim.id, fence: claim.fence }, LOST);
      abort.abort();
    } catch (error) {
      // The lease may outlive a short outage. If not, the process that takes the job over has another fence.
      log.warn({ err: error, job: claim.id }, 'lease could not be renewed');
    } finally {
      running.renewing = false;
    }
  }

  private removeFilesOf(job: string): Promise<number> {
    return removeLeftOvers(this.options.database, this.options.storage, { of: job });
  }
}
