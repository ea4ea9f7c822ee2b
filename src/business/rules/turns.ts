// Turns at work that takes much memory or time: one at a time in this process. Garages take turns, so a garage that
// sends much waits behind itself.
import { Problem, violation } from '../../core/errors.ts';

const MOST_WAITING_OF_OWNER = 10;
const RETRY_AFTER_SECONDS = 5;

export class Turns {
  private isBusy = false;
  /** The waiting requests, by owner. The first owner is the next one. */
  private readonly waiting = new Map<number, (() => void)[]>();

  /** Does the work when it is the owner's turn. Throws Problem: 429 if too many requests of the owner wait. */
  async take<T>(owner: number, work: () => Promise<T>): Promise<T> {
    if (this.isBusy) await this.wait(owner);
    this.isBusy = true;
    try {
      return await work();
    } finally {
      this.isBusy = this.next();
    }
  }

  private wait(owner: number): Promise<void> {
    const others = this.waiting.get(owner) ?? [];
    if (others.length >= MOST_WAITING_OF_OWNER)
      throw new Problem(violation('too_many_waiting'), { 'Retry-After': String(RETRY_AFTER_SECONDS) });
    this.waiting.set(owner, others);
    return new Promise((go) => others.push(go));
  }

  /** Begins the next turn; false: nobody waits. The owner then goes behind the others. */
  private next(): boolean {
    const [first] = this.waiting;
    if (!first) return false;
    const [owner, [go, ...rest]] = first;
    this.waiting.delete(owner);
    if (rest.length > 0) this.waiting.set(owner, rest);
    go?.();
    return true;
  }
}
