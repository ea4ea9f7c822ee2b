// Measures JSON before it is parsed: a few megabytes of `[[],[],…]` keep JSON.parse and all later checks busy for
// seconds. One pass over the bytes counts; JSON.parse judges the syntax.

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

export const JSON_LIMITS = {
  /** Objects and arrays inside each other. */
  levels: 32,
  /** Commas and opening brackets, which are at least as many as the values. */
  nodes: 100_000,
  /** Names in one object. */
  keys: 1_000,
};

/** Whether the bytes of a JSON text are within the limits. */
export function isWithinLimits(bytes: Uint8Array): boolean {
  const keysOfLevel = new Uint32Array(JSON_LIMITS.levels + 1);
  const { length } = bytes;
  let level = 0;
  let nodes = 0;
  for (let at = 0; at < length; at += 1) {
    switch (bytes[at]) {
      case QUOTE:
        at = endOfString(bytes, at + 1);
        break;
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        level += 1;
        nodes += 1;
        if (level > JSON_LIMITS.levels || nodes > JSON_LIMITS.nodes) return false;
        keysOfLevel[level] = 0;
        break;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        level = Math.max(0, level - 1);
        break;
      case COMMA:
        nodes += 1;
        if (nodes > JSON_LIMITS.nodes) return false;
        break;
      case COLON: {
        const keys = (keysOfLevel[level] ?? 0) + 1;
        if (keys > JSON_LIMITS.keys) return false;
        keysOfLevel[level] = keys;
        break;
      }
    }
  }
  return true;
}

/** The place of the quote that ends a string, or the end of the bytes. */
function endOfString(bytes: Uint8Array, start: number): number {
  const { length } = bytes;
  let at = start;
  while (at < length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}
