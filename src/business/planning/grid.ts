// The points of time at which slots may begin: full quarters of an hour.
import { MINUTE_MS } from '../../core/trade/time/duration.ts';
import type { Interval } from '../../core/trade/time/interval.ts';

export const GRID_MINUTES = 15;
const GRID = GRID_MINUTES * MINUTE_MS;

/** The rank of no candidate. */
export const NOBODY = 2 ** 31 - 1;

/** The starts within an interval, numbered from 0. */
export class Starts {
  readonly count: number;
  readonly within: Interval;
  /** How long a slot lasts, in milliseconds. */
  readonly length: number;
  private readonly first: number;

  constructor(within: Interval, minutes: number) {
    this.within = within;
    this.length = minutes * MINUTE_MS;
    this.first = Math.ceil(within.start / GRID);
    this.count = Math.max(0, this.notAfter(within.end - this.length) + 1);
  }

  /** The instant of a start. */
  at(index: number): number {
    return (this.first + index) * GRID;
  }

  /** The first start at an instant or later. */
  notBefore(instant: number): number {
    return Math.max(0, Math.ceil(instant / GRID) - this.first);
  }

  /** The last start at an instant or earlier. */
  notAfter(instant: number): number {
    return Math.floor(instant / GRID) - this.first;
  }

  /** For each start, the rank of the first candidate that is free from then on. So far nobody is. */
  nobody(): Int32Array {
    return new Int32Array(this.count).fill(NOBODY);
  }
}
