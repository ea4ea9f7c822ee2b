// `make chaos`, or `node dist/drills/chaos/main.js kill database disk large import`. Each script prints what it did and
// found; the exit code is 1 if anything is wrong. `attack logo uploads` plays two parts of the attack only.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareCertificates } from '../../test/support/process/certificates.ts';
import { ATTACK_PARTS, attack } from './attack.ts';
import { booking } from './booking.ts';
import { books } from './books.ts';
import { database } from './database.ts';
import { disk } from './disk.ts';
import { importing } from './import.ts';
import { kill } from './kill.ts';
import { large } from './large.ts';
import { type Machine, machines } from './machines.ts';
import { mirror } from './mirror.ts';
import { move } from './move.ts';
import { packaging } from './package.ts';
import { Report } from './report.ts';
import { scale } from './scale.ts';
import { soak } from './soak.ts';
import { soakYears } from './soak-years.ts';
import { workers } from './workers.ts';
import { year } from './year.ts';

/** `parts`: the words behind the name of the script. */
type Script = (report: Report, folder: string, parts: readonly string[]) => Promise<void>;

const SCRIPTS: Record<string, Script> = {
  kill: (report, folder) => kill(report, folder, { rounds: 10, orders: 15_000, documents: 200 }),
  workers: (report, folder, parts) => {
    const [kills = 0] = settingOf(parts, 'kills', [20]);
    return workers(report, folder, { workers: 4, kills, callers: 16, mostCutMs: 1_000 });
  },
  disk: (report, folder) => disk(report, folder, { orders: 5_000 }),
  large: (report, folder) => large(report, folder, { orders: [3_334, 333_334] }),
  database: (report, folder) => database(report, folder, { orders: 15_000 }),
  import: (report, folder) => importing(report, folder, { rows: 200_000, kills: 10, lifeMs: 4_000 }),
  attack: (report, folder, parts) => attack(report, folder, parts, { milliseconds: 20_000, sockets: 1_000 }),
  mirror: (report, folder) =>
    mirror(report, folder, { milliseconds: 120_000, writers: 8, kills: 20, held: 0.05 }),
  booking: (report, folder) => booking(report, folder, { milliseconds: 60_000 }),
  move: (report, folder) => move(report, folder, { orders: 20_000 }),
  package: (report, folder, parts) => packaging(report, folder, parts.length > 0 ? parts : SUITES),
  scale: (report, folder, parts) =>
    scale(report, folder, {
      garages: settingOf(parts, 'garages', [10, 100, 1_000]),
      orders: settingOf(parts, 'orders', [1_000])[0] ?? 0,
      idleMs: 30_000,
      requests: 2_000,
      samples: 100,
    }),
  machines: (report, folder, parts) =>
    machines(report, folder, {
      machines: parts.length > 0 ? parts.map(machineOf) : MACHINES,
      orders: 1_000,
      clients: 50,
      milliseconds: 30_000,
      documents: 100,
    }),
  books: (report, folder, parts) =>
    books(report, folder, { orders: settingOf(parts, 'orders', [300_000])[0] ?? 0, mostMs: 500 }),
  year: (report, folder, parts) => {
    const number = (name: string, otherwise: number) => settingOf(parts, name, [otherwise])[0] ?? 0;
    return year(report, folder, {
      seeds: number('seeds', 1_000),
      first: number('first', 1),
      steps: number('steps', 8),
    });
  },
  soak: (report, folder, parts) => {
    const minutes = settingOf(parts, 'minutes', [30])[0] ?? 0;
    const [garages] = settingOf(parts, 'garages', []);
    return garages
      ? soakYears(report, { minutes, garages })
      : soak(report, folder, { minutes, orders: 2_000 });
  },
};
/** Scripts that run only if they are named: some measure for an hour, one needs the network. */
const ONLY_NAMED = ['package', 'machines', 'scale', 'books', 'soak', 'year'];
/** Debian 12 and 13. */
const SUITES = ['bookworm', 'trixie'];
/** MiB and garages, as `384:10` says it. */
const MACHINES: readonly Machine[] = ['256:10', '384:50', '1024:300', '2048:300', '4096:1000'].map(machineOf);

function machineOf(word: string): Machine {
  const [memory = 0, garages = 0] = word.split(':').map(Number);
  return { memory, garages };
}

/** The numbers of a word such as `garages=10,100`. */
function settingOf(parts: readonly string[], name: string, otherwise: readonly number[]): readonly number[] {
  const word = parts.find((part) => part.startsWith(`${name}=`));
  return (
    word
      ?.slice(name.length + 1)
      .split(',')
      .map(Number) ?? otherwise
  );
}

/** The words that may stand behind the name of a script. */
const PARTS: Record<string, (word: string) => boolean> = {
  attack: (word) => ATTACK_PARTS.includes(word),
  workers: (word) => /^kills=\d+$/.test(word),
  scale: (word) => /^(garages|orders)=\d+(,\d+)*$/.test(word),
  package: (word) => SUITES.includes(word),
  machines: (word) => /^\d+:\d+$/.test(word),
  books: (word) => /^orders=\d+$/.test(word),
  year: (word) => /^(seeds|first|steps)=\d+$/.test(word),
  soak: (word) => /^(minutes|garages)=\d+$/.test(word),
};

interface Wanted {
  readonly name: string;
  readonly script: Script;
  readonly parts: string[];
}

/** The scripts that the words name, each with the parts behind it. */
function readWords(words: readonly string[]): Wanted[] {
  const wanted: Wanted[] = [];
  for (const word of words) {
    const script = SCRIPTS[word];
    const last = wanted.at(-1);
    if (script) wanted.push({ name: word, script, parts: [] });
    else if (last && PARTS[last.name]?.(word)) last.parts.push(word);
    else
      throw new Error(
        `There is no script ${word}; there are ${Object.keys(SCRIPTS).join(', ')}. ` +
          `The attack has the parts ${ATTACK_PARTS.join(', ')}`,
      );
  }
  return wanted;
}

const report = new Report();
const words =
  process.argv.length > 2
    ? process.argv.slice(2)
    : Object.keys(SCRIPTS).filter((name) => !ONLY_NAMED.includes(name));
for (const { name, script, parts } of readWords(words)) {
  const folder = await mkdtemp(join(tmpdir(), 'forecourt-chaos-'));
  Object.assign(process.env, await prepareCertificates(folder));
  report.say(`== ${name}`);
  try {
    await script(report, folder, parts);
  } catch (error) {
    report.demand(false, `${name} ended early: ${(error as Error).stack}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
report.say(report.wrong.length === 0 ? '== all as it should be' : `== ${report.wrong.length} WRONG`);
process.exitCode = report.wrong.length === 0 ? 0 : 1;
