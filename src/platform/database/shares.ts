// Shares a pool of connections between owners. An owner holds a part of the pool at most, so that its further queries
// wait behind its own and never in front of another owner's.
const LONGEST_WAIT_MS = 10_000;

export class Shares {
  private readonly most: number;
  private readonly held = new Map<number, number>();
  private readonly waiting = new Map<number, Set<() => void>>();

  /** `most`: connections that one owner may hold at once. */
  constructor(most: number) {
    this.most = most;
  }

  /** Resolves when the owner may use one more connection. Rejects after 10 seconds, or with the signal's reason. */
  async take(owner: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const held = this.held.get(owner) ?? 0;
    if (held < this.most) this.held.set(owner, held + 1);
    else await this.turn(owner, signal);
  }

  /** Gives a connection back: to the owner's next query that waits, else to the pool. */
  release(owner: number): void {
    const [next] = this.waiting.get(owner) ?? [];
    const held = (this.held.get(owner) ?? 0) - 1;
    if (next) next();
    else if (held > 0) this.held.set(owner, held);
    else this.held.delete(owner);
  }

  /** Queries that wait for a connection of their owner. */
  get waitingCount(): number {
    return [...this.waiting.values()].reduce((sum, { size }) => sum + size, 0);
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
        reject(signal?.reason ?? new SharesTimeout());
      };
      const timer = setTimeout(stop, LONGEST_WAIT_MS);
      signal?.addEventListener('abort', stop, { once: true });
      queue.add(go);
    });
  }
}

/** The owner's other queries took all of its connections for too long. */
class SharesTimeout extends Error {
  override readonly name = 'SharesTimeout';
}
