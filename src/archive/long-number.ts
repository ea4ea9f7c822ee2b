// Reads long numbers from JSON text. A backup contains all digits of an amount, but JSON.parse keeps only about 16.

const LONG = /[\d.]{17}/;
/** A string and, if the string is a field name, its number. Matches whole strings, so no name starts inside a string. */
const NAMED = /("(?:[^"\\]|\\.)*")(?:\s*:\s*(-?\d+(?:\.\d+)?)(?=\s*[,}]))?/g;

/** The long numbers of a record as text, by field. */
export function longNumbers(json: string): ReadonlyMap<string, string> {
  if (!LONG.test(json)) return NONE;
  const found = new Map<string, string>();
  for (const [, name = '""', number] of json.matchAll(NAMED))
    if (number !== undefined && LONG.test(number)) found.set(JSON.parse(name), number);
  return found;
}

const NONE: ReadonlyMap<string, string> = new Map();
