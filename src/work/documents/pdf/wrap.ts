// Splits text into lines that fit a width. It measures with the function that it is given, so the measured text is
// exactly the drawn text.

type Measure = (text: string) => number;

/** The lines of a text of at most `width`. Line ends in the text stay. Wider words are cut. */
export const wrapped = (text: string, width: number, measure: Measure): string[] =>
  text.split('\n').flatMap((line) => wrapLine(line, width, measure));

function wrapLine(line: string, width: number, measure: Measure): string[] {
  if (measure(line) <= width) return [line];
  const lines: string[] = [];
  let current = '';
  // The width of `current` and a space. Words are laid out one by one, each with the space behind it.
  let taken = 0;
  for (const word of line.split(' ')) {
    const wide = measure(`${word} `);
    // Without the space the word is narrower. Measuring is slow, so this is asked at the end of a line only.
    if (current !== '' && (taken + wide <= width || taken + measure(word) <= width)) {
      current += ` ${word}`;
      taken += wide;
      continue;
    }
    if (current !== '') lines.push(current);
    const pieces = wide <= width || measure(word) <= width ? [word] : cut(word, width, measure);
    lines.push(...pieces.slice(0, -1));
    current = pieces.at(-1) ?? '';
    taken = measure(`${current} `);
  }
  return [...lines, current];
}

/** Cuts a word into pieces that fit. Measures single characters, so the time is linear in the length. */
function cut(word: string, width: number, measure: Measure): string[] {
  const pieces: string[] = [];
  let piece = '';
  let taken = 0;
  for (const character of word) {
    const wide = measure(character);
    if (piece !== '' && taken + wide > width) {
      pieces.push(piece);
      piece = '';
      taken = 0;
    }
    piece += character;
    taken += wide;
  }
  return [...pieces, piece];
}
