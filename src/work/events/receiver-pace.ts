// Which subscriptions have slow receivers, by their last call in this process. Slow calls have few slots among all
// calls.

/** A receiver should take an event at once and work afterwards. */
const SLOW_MS = 2_000;

export class ReceiverPace {
  private readonly slow = new Map<number, boolean>();

  /** A subscription that this process has not called yet is slow if its last call failed. */
  isSlow(subscription: number, failingSince: string | null): boolean {
    return this.slow.get(subscription) ?? failingSince !== null;
  }

  async measure<T>(subscription: number, call: () => Promise<T>): Promise<T> {
    const began = performance.now();
    try {
      return await call();
    } finally {
      this.slow.set(subscription, performance.now() - began >= SLOW_MS);
    }
  }
}
