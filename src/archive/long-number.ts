// Amounts stand in a backup to the last digit, of which JSON.parse keeps about 16: what it would round is read
// from the text itself.

const LONG = /[\d.]{17}/;
/** A text, and the number behind it where it is the name of one. Texts are passed whole, so that none is a name. */
const NAMED = /("(?:[^"\\]|\\.)*")(?:\s*:\s*(-?\d+(?:\.\d+)?)(?=\s*[,}]))?/g;

/** The long numbers of a record, as they are written, by the names of their fields. */
export function longNumbers(json: string): ReadonlyMap<string, string> {
  if (!LONG.test(json)) return NONE;
  const found = new Map<string, string>();
  for (const [, name = '""', number] of json.matchAll(NAMED))
    if (number !== undefined && LONG.test(number)) found.set(JSON.parse(name), number);
  return found;
}

const NONE: ReadonlyMap<string, string> = new Map();
