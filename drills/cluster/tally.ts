// Counts the answers of a scene by status. An answer that may not come is kept with its text. A 503 of the service
// needs Retry-After.
import type { Answer } from '../../test/support/client/client.ts';

const MOST_KEPT = 5;
const MOST_SHOWN = 100;
const NO_OTHER_5XX = /^(?!5)|^503$/;

export class Tally {
  /** How often each status came; `broken`: no answer; `proxy 502`: an answer of the proxy itself. */
  readonly counts = new Map<string, number>();
  readonly odd: string[] = [];
  oddCount = 0;
  /** Requests without an answer in time. */
  late = 0;
  private readonly allowed: RegExp;

  /** `allowed`: the statuses that may come. */
  constructor(allowed = NO_OTHER_5XX) {
    this.allowed = allowed;
  }

  add(answer: Pick<Answer, 'status' | 'headers' | 'text'> | undefined, what = ''): void {
    const status = nameOf(answer);
    this.counts.set(status, (this.counts.get(status) ?? 0) + 1);
    const isBare = status === '503' && !answer?.headers.has('retry-after');
    if (this.allowed.test(status) && !isBare) return;
    this.oddCount += 1;
    if (this.odd.length < MOST_KEPT) this.odd.push(`${what} ${status}: ${messageOf(answer?.text)}`);
  }

  of(status: number | string): number {
    return this.counts.get(String(status)) ?? 0;
  }

  /** Such as `150 × 200, 3 × 503`. */
  text(): string {
    const sorted = [...this.counts].sort(([one], [other]) => one.localeCompare(other));
    return sorted.map(([status, count]) => `${count} × ${status}`).join(', ');
  }

  /** All answers of 5xx, also the proxy's. */
  serverErrors(): number {
    return [...this.counts].reduce((sum, [status, count]) => sum + (/\b5\d\d$/.test(status) ? count : 0), 0);
  }
}

function nameOf(answer: Pick<Answer, 'status' | 'headers'> | undefined): string {
  if (!answer) return 'broken';
  // Each answer of the service has an ID.
  return answer.headers.has('x-request-id') ? String(answer.status) : `proxy ${answer.status}`;
}

/** With the request's ID, to find the request in the log. */
function messageOf(text = ''): string {
  const parts = [/"message":"([^"]*)"/, /"request_id":"([^"]*)"/].map((pattern) => pattern.exec(text)?.[1]);
  return parts.filter(Boolean).join(', request ') || text.slice(0, MOST_SHOWN);
}
