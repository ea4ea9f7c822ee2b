// The IDs of a resource's records, in the rising order in which a backup has them: four bytes each, so that
// millions of them are kept in memory while references are looked up.

const FIRST_CAPACITY = 1_024;

export class Ids {
  private ids = new Int32Array(FIRST_CAPACITY);
  length = 0;

  /** Higher than all before it. */
  add(id: number): void {
    if (this.length === this.ids.length) {
      const larger = new Int32Array(2 * this.length);
      larger.set(this.ids);
      this.ids = larger;
    }
    this.ids[this.length++] = id;
  }

  /** Which one it is, counted from 0; -1 where it is none of them. */
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
