// The IDs of a resource's records, in the ascending order of a backup. Each takes four bytes, so that millions fit
// in memory while references are checked.

const FIRST_CAPACITY = 1_024;

export class Ids {
  private ids = new Int32Array(FIRST_CAPACITY);
  length = 0;

  /** `id` must be higher than all before it. */
  add(id: number): void {
    if (this.length === this.ids.length) {
      const larger = new Int32Array(2 * this.length);
      larger.set(this.ids);
      this.ids = larger;
    }
    this.ids[this.length++] = id;
  }

  /** The index of an ID, from 0; -1 where it is missing. */
  placeOf(id: number): number {
    let low = 0;
    let high = this.length - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const found = this.ids[middle] as number;
      if (found === id) return middle;
      if (found < id) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }
}
