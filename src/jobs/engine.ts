// Runs jobs: claims a row, keeps its lease while a worker thread does the work, and commits how it ended.
// On a drain the work is stopped and its job given back, so that another process goes on at once.
import { readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Logger } from 'pino';
import type { ConnectionSettings } from '../database/settings.ts';
import type { Database } from '../model/session.ts';
import { ownedTables } from '../model/table.ts';
import { type Storage, syncFolder } from '../storage.ts';
import { type Claim, claimJob, failJob, finishJob, LEASE_SECONDS, releaseJob, renewLease } from './job.ts';
import { Pool, type WorkResult } from './pool.ts';

const POLL_MS = 1_000;
const HEARTBEAT_MS = (LEASE_SECONDS * 1000) / 4;

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
  ended?: Promise<void>;
}

export class Jobs {
  private readonly options: EngineOptions;
  private readonly pool: Pool;
  private readonly running = new Map<string, Running>();
  private timer?: NodeJS.Timeout;
  private looking?: Promise<void>;
  private lookAgain = false;
  private draining = false;

  constructor(options: EngineOptions) {
    this.options = options;
    this.pool = new Pool(Math.max(1, options.threads));
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
    this.draining = true;
    clearTimeout(this.timer);
    await this.looking;
    for (const { abort } of this.running.values()) abort.abort();
    await Promise.all([...this.running.values()].map(({ ended }) => ended));
    await this.pool.close();
  }

  private look(): void {
    if (this.draining) return;
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
        if (!this.draining) this.timer = setTimeout(() => this.look(), POLL_MS).unref();
      });
  }

  private async takeWork(): Promise<void> {
    while (!this.draining && this.running.size < this.options.threads) {
      const claim = await claimJob(this.options.database);
      if (!claim) return;
      const running: Running = { claim, abort: new AbortController(), progress: 0 };
      this.running.set(claim.id, running);
      running.ended = this.work(running).finally(() => {
        this.running.delete(claim.id);
        this.look();
      });
    }
  }

  private async work(running: Running): Promise<void> {
    const { claim, abort } = running;
    const { database, log, storage } = this.options;
    const heartbeat = setInterval(() => void this.beat(running), HEARTBEAT_MS);
    const part = join(storage.archives, `${claim.id}.${claim.fence}.part`);
    log.info({ job: claim.id, kind: claim.kind, fence: claim.fence }, 'job started');
    try {
      if (claim.fence > 1) await this.removeEarlierFiles(claim);
      const result = await this.runWorker(running, part);
      if (result.ok) await this.finish(claim, part, result);
      else await failJob(database, claim, result.message);
      log.info({ job: claim.id, ...result }, result.ok ? 'job done' : 'job failed');
    } catch (error) {
      await this.endUnfinished(claim, abort.signal.aborted, error);
    } finally {
      clearInterval(heartbeat);
      await rm(part, { force: true });
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

  /** Whoever held the job before may have died while it wrote; if it still lives, its file is of no use. */
  private async removeEarlierFiles({ id }: Claim): Promise<void> {
    const { archives } = this.options.storage;
    const earlier = (await readdir(archives)).filter((file) => file.includes(id));
    for (const file of earlier) await rm(join(archives, file), { force: true });
  }

  private async beat(running: Running): Promise<void> {
    try {
      if (!(await renewLease(this.options.database, running.claim, running.progress))) running.abort.abort();
    } catch (error) {
      // The lease may outlive a short outage; if not, whoever takes the job over has another fence.
      this.options.log.warn({ err: error, job: running.claim.id }, 'lease could not be renewed');
    }
  }

  /** The archive gets its name before the row says so; a row that is no longer ours takes it away again. */
  private async finish(claim: Claim, part: string, result: WorkResult & { ok: true }): Promise<void> {
    const name = archiveName(claim);
    const path = join(dirname(part), name);
    await rename(part, path);
    await syncFolder(dirname(path));
    const mine = await finishJob(this.options.database, claim, {
      name,
      size: result.size,
      sha256: result.sha256,
    });
    if (!mine) await rm(path, { force: true });
  }

  private async endUnfinished(claim: Claim, aborted: boolean, error: unknown): Promise<void> {
    const { database, log } = this.options;
    try {
      // Given back on a drain; where it was cancelled or taken over, the fence makes this do nothing.
      if (aborted) await releaseJob(database, claim);
      else {
        log.error({ err: error, job: claim.id }, 'job failed unexpectedly');
        await failJob(database, claim, 'Internal server error');
      }
    } catch (failure) {
      log.error(
        { err: failure, job: claim.id },
        'the end of a job could not be noted; its lease will run out',
      );
    }
  }
}

export const archiveName = ({ kind, id, fence }: Pick<Claim, 'kind' | 'id' | 'fence'>): string =>
  `${kind}-${id}-${fence}.zip`;
