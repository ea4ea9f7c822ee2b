// The range of the texts that begin alike. For LIKE 'p%' a server makes a range of its own, which ends at U+FFFF and
// begins at p with spaces. Emoji sort behind that end and tabs before that beginning, so the server would lose them.

const LAST = 0x10ffff;
/** Between these two stand the surrogates, which no text has. */
const [BEFORE_SURROGATES, BEHIND_SURROGATES] = [0xd7ff, 0xe000];

/** All texts that begin like a pattern sort between these two texts, and few others do. Empty: nobody knows the two. */
export type Enclosing = readonly [from: string, before: string] | readonly [];

/** Undefined: nothing stands before the first `*` of the pattern, or the pattern has no `*`. */
export function enclosing(pattern: string): Enclosing | undefined {
  const star = pattern.indexOf('*');
  if (star <= 0) return undefined;
  const fixed = Array.from(pattern.slice(0, star));
  for (let length = fixed.length; length > 0; length -= 1) {
    const rest = fixed.slice(0, length - 1).join('');
    const point = Number(fixed[length - 1]?.codePointAt(0));
    // No character sorts before the first one, and none behind the last one: then one character less is fixed.
    if (point > 0 && point < LAST)
      return [rest + String.fromCodePoint(before(point), LAST), rest + String.fromCodePoint(behind(point))];
  }
  return [];
}

const before = (point: number) => (point === BEHIND_SURROGATES ? BEFORE_SURROGATES : point - 1);
const behind = (point: number) => (point === BEFORE_SURROGATES ? BEHIND_SURROGATES : point + 1);
