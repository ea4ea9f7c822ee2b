// Groups and portions of a list, and a binary search.

/** The items with the same key together, in their order. Node 20 lacks Map.groupBy. */
export function grouped<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** The items in portions of this size; the last portion may be smaller. */
export function* portionsOf<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}

/**
 * The number of items at the front for which `holds` is true; it is false for all later ones. `length`: only so many
 * items count.
 */
export function countWhere<T>(
  items: ArrayLike<T>,
  holds: (item: T) => boolean,
  length = items.length,
): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(items[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low;
}
