// Counts the answers of a scene by status. An answer that may never come, or not without Retry-After, is kept with
// its text.
import type { Answer } from '../support/client.ts';

const MOST_KEPT = 5;

export class Tally {
  /** How often each status came; 0: no answer, the connection broke. */
  readonly counts = new Map<number, number>();
  /** Texts of answers that break the contract: any 5xx but a 503 with Retry-After. */
  readonly odd: string[] = [];
  oddCount = 0;

  add(answer: Pick<Answer, 'status' | 'headers' | 'text'> | undefined, what = ''): void {
    const status = answer?.status ?? 0;
    this.counts.set(status, (this.counts.get(status) ?? 0) + 1);
    if (!answer || status < 500 || (status === 503 && answer.headers.has('retry-after'))) return;
    this.oddCount += 1;
    if (this.odd.length < MOST_KEPT)
      this.odd.push(`${what} ${status}${status === 503 ? ' without Retry-After' : ''}: ${answer.text}`);
  }

  of(status: number): number {
    return this.counts.get(status) ?? 0;
  }

  /** Such as `150 × 200, 3 × 503`. */
  text(): string {
    const sorted = [...this.counts].sort(([one], [other]) => one - other);
    return sorted.map(([status, count]) => `${count} × ${status === 0 ? 'broken' : status}`).join(', ');
  }

  serverErrors(): number {
    return [...this.counts].reduce((sum, [status, count]) => sum + (status >= 500 ? count : 0), 0);
  }
}
