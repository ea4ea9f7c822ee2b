// A backup has amounts in full, and JSON.parse keeps about 16 digits. Longer numbers are read from the text itself.

const LONG = /[\d.]{17}/;
/** A string, and the number after it where the string is a field's name. Strings match whole: no name starts inside one. */
const NAMED = /("(?:[^"\\]|\\.)*")(?:\s*:\s*(-?\d+(?:\.\d+)?)(?=\s*[,}]))?/g;

/** The long numbers of a record as they are written, by field. */
export function longNumbers(json: string): ReadonlyMap<string, string> {
  if (!LONG.test(json)) return NONE;
  const found = new Map<string, string>();
  for (const [, name = '""', number] of json.matchAll(NAMED))
    if (number !== undefined && LONG.test(number)) found.set(JSON.parse(name), number);
  return found;
}

const NONE: ReadonlyMap<string, string> = new Map();
