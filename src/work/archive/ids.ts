// The IDs of a resource's records, ascending as in a backup. An ID takes four bytes, so millions of IDs fit in memory
// while references are checked.
import { countWhere } from '../../core/trade/grouped.ts';

const FIRST_CAPACITY = 1_024;

export class Ids {
  private ids = new Int32Array(FIRST_CAPACITY);
  length = 0;

  /** `id` must be higher than all earlier IDs. */
  add(id: number): void {
    if (this.length === this.ids.length) {
      const larger = new Int32Array(2 * this.length);
      larger.set(this.ids);
      this.ids = larger;
    }
    this.ids[this.length++] = id;
  }

  /** The index of an ID, from 0, or -1 if the ID is missing. */
  indexOf(id: number): number {
    const index = countWhere(this.ids, (other) => other < id, this.length);
    return index < this.length && this.ids[index] === id ? index : -1;
  }
}
