// Shares a pool between owners: connections, or room in memory. An owner holds a part of the pool at most, so that its
// further work waits behind its own and never in front of another owner's. Owners who wait for the pool get it in turn.
const LONGEST_WAIT_MS = 10_000;

interface Sizes {
  /** How much one owner may hold at once. */
  readonly ofOwner: number;
  /** How much all owners together may hold; without it, there is no limit. */
  readonly ofAll?: number;
  /** How long an owner waits; 10 seconds, if nothing is said. */
  readonly longestMs?: number;
}

export class Shares {
  private readonly ofOwner: number;
  private readonly ofAll: number;
  private readonly longestMs: number;
  private readonly held = new Map<number, number>();
  private all = 0;
  /** By owner. The first owner is the next one, unless this owner holds its whole part. */
  private readonly waiting = new Map<number, Set<() => void>>();

  constructor({ ofOwner, ofAll = Number.POSITIVE_INFINITY, longestMs = LONGEST_WAIT_MS }: Sizes) {
    this.ofOwner = ofOwner;
    this.ofAll = ofAll;
    this.longestMs = longestMs;
  }

  /** Does work while the owner holds one more. Rejects as `take` does, or as the work. */
  async run<T>(owner: number, work: () => Promise<T>): Promise<T> {
    await this.take(owner);
    try {
      return await work();
    } finally {
      this.release(owner);
    }
  }

  /** Resolves when the owner holds one more. Rejects after `longestMs`, or with the signal's reason. */
  async take(owner: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    // If the pool has something free, the owners who wait hold their whole parts.
    if (this.all < this.ofAll && this.mayHold(owner)) this.hold(owner);
    else await this.turn(owner, signal);
  }

  /** Gives one back: to an owner who waits, else to the pool. */
  release(owner: number): void {
    const left = this.heldBy(owner) - 1;
    if (left > 0) this.held.set(owner, left);
    else this.held.delete(owner);
    this.all -= 1;
    this.passOn();
  }

  /** How much work waits. */
  get waitingCount(): number {
    return [...this.waiting.values()].reduce((sum, { size }) => sum + size, 0);
  }

  private heldBy(owner: number): number {
    return this.held.get(owner) ?? 0;
  }

  private mayHold(owner: number): boolean {
    return this.heldBy(owner) < this.ofOwner;
  }

  private hold(owner: number): void {
    this.held.set(owner, this.heldBy(owner) + 1);
    this.all += 1;
  }

  /** Gives what is free to the first owner who may hold more. The owner then goes behind the others. */
  private passOn(): void {
    for (const [owner, queue] of this.waiting) {
      if (!this.mayHold(owner)) continue;
      const [go] = queue;
      this.hold(owner);
      this.waiting.delete(owner);
      this.waiting.set(owner, queue);
      // This leaves the queue.
      go?.();
      return;
    }
  }

  private turn(owner: number, signal: AbortSignal | undefined): Promise<void> {
    const queue = this.waiting.get(owner) ?? new Set();
    this.waiting.set(owner, queue);
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', stop);
        queue.delete(go);
        if (queue.size === 0) this.waiting.delete(owner);
      };
      const go = () => {
        leave();
        resolve();
      };
      const stop = () => {
        leave();
        reject(signal?.reason ?? (this.mayHold(owner) ? new PoolTimeout() : new SharesTimeout()));
      };
      const timer = setTimeout(stop, this.longestMs);
      signal?.addEventListener('abort', stop, { once: true });
      queue.add(go);
    });
  }
}

/** The owner's other work held the whole part of the owner for too long. */
class SharesTimeout extends Error {
  override readonly name = 'SharesTimeout';
}

/** The whole pool was in use for too long. */
export class PoolTimeout extends Error {
  override readonly name = 'PoolTimeout';
  override readonly message = 'nothing of the pool became free in time';
}
