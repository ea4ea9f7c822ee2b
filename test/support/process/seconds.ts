// How long the test files take: test/seconds.json has the slow ones, so that the parts of a run end together. `make
// seconds` writes it from a run of all tests. A file that is not in it takes about as long as most others.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import seconds from '../../seconds.json' with { type: 'json' };

const COMPILED = fileURLToPath(new URL('../../', import.meta.url));
const KEPT = fileURLToPath(new URL('../../../../test/seconds.json', import.meta.url));
const KNOWN: Readonly<Record<string, number>> = seconds;
const USUAL = 2;
/** From so many seconds on a file is in the list. */
const SLOW = 10;
/** The list has multiples of 5, so that it changes little from run to run. */
const STEP = 5;

/** Compiled test files in parts that take about as long as each other: the slowest first, into the shortest part. */
export function partsOf(files: readonly string[], count: number): string[][] {
  const parts = Array.from({ length: count }, () => ({ seconds: 0, files: [] as string[] }));
  const secondsOf = (file: string) => KNOWN[nameOf(file)] ?? USUAL;
  for (const file of files.toSorted((one, other) => secondsOf(other) - secondsOf(one))) {
    const [shortest] = parts.toSorted((one, other) => one.seconds - other.seconds);
    shortest?.files.push(file);
    if (shortest) shortest.seconds += secondsOf(file);
  }
  return parts.map((part) => part.files);
}

/** The seconds of one process, which seconds-reporter.ts measured. */
export const noteSeconds = (folder: string, taken: Readonly<Record<string, number>>): void =>
  writeFileSync(join(folder, `seconds-${process.pid}.json`), JSON.stringify(taken));

/** Writes test/seconds.json from what the processes of a run noted in its folder. */
export function keepSeconds(folder: string): void {
  const notes = readdirSync(folder).filter((name) => /^seconds-\d+\.json$/.test(name));
  const slow = notes
    .flatMap((name) => Object.entries<number>(JSON.parse(readFileSync(join(folder, name), 'utf8'))))
    .filter(([, taken]) => taken >= SLOW)
    .map(([file, taken]) => [nameOf(file), Math.round(taken / STEP) * STEP] as const)
    .sort(([one, more], [other, less]) => less - more || one.localeCompare(other));
  writeFileSync(KEPT, `${JSON.stringify(Object.fromEntries(slow), null, 2)}\n`);
}

/** `client/generators`. */
const nameOf = (file: string) => relative(COMPILED, file).replace('.test.js', '');
