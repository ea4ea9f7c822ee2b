// Reads the imports of the source, and fails if a room imports a room that the table of docs/architecture.md does not
// allow.
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { PAST_GARAGE } from '../src/core/model/statements/past-garage.ts';
import { KINDS } from '../src/work/jobs/kind-table.ts';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/**
 * What each wing, room and program may import besides itself, by the tables of docs/architecture.md. The cell of a room
 * names rooms of its own wing. `everything`: no limit.
 */
async function readArrows(): Promise<Map<string, readonly string[]>> {
  const text = await readFile(join(ROOT, 'docs/architecture.md'), 'utf8');
  const rows = text.matchAll(/^\| (`.*?) +\| .*? +\| ([^|]*?) +\|$/gm);
  const arrows = new Map<string, readonly string[]>();
  for (const [, names = '', targets = ''] of rows) {
    const allowed = targets === 'nothing' ? [] : targets.split(', ');
    for (const [, name = ''] of names.matchAll(/`([\w/-]+?)(?:\/|\.ts)`/g)) {
      const [wing, ...room] = name.split('/');
      arrows.set(name, room.length > 0 ? allowed.map((other) => `${wing}/${other}`) : allowed);
    }
  }
  return arrows;
}
const WINGS = ['core', 'platform', 'business', 'work'];
const EVERYTHING = 'everything';

async function sources(folder: string): Promise<string[]> {
  const entries = await readdir(join(ROOT, folder), { recursive: true });
  return entries.filter((file) => file.endsWith('.ts')).map((file) => join(folder, file));
}

/** Biome does not wrap comments. */
const MOST_COMMENT = 120;
/** A reader has to guess the noun: `Of a longer one each chunk waits`, `One that failed counts as slow`. */
const NO_NOUN =
  /(?:^\s*(?:\/\/|\/?\*+)|[.!?]) (?:Of (?:an?|one|two|the) |One (?:that|who) |That of |Those (?:of|to|who) |Whoever )/;

const MOST_LINES_OF_A_FILE = 280;
const MOST_LINES_OF_A_TEST_FILE = 300;
const MOST_LINES_OF_A_TEST = 30;

/** The tests of a file that are too long: `test/x.test.ts:12 has 31 lines`. Biome aligns the end of a block. */
function longTests(file: string, lines: readonly string[]): string[] {
  return lines.flatMap((line, start) => {
    const [, indent] = /^( *)it\(/.exec(line) ?? [];
    if (indent === undefined || line.endsWith(');')) return [];
    const closing = new RegExp(`^${indent}[})].*;$`);
    const count = lines.slice(start).findIndex((each) => closing.test(each)) + 1;
    return count > MOST_LINES_OF_A_TEST ? [`${file}:${start + 1} has ${count} lines`] : [];
  });
}

/** The lines that are comments. Migrations of a release never change, comments included. */
async function readComments(): Promise<{ place: string; line: string }[]> {
  const names = (await Promise.all(['src', 'workers', 'test', 'drills', 'bench'].map(sources))).flat();
  const found = names.map(async (file) => {
    const lines = (await readFile(join(ROOT, file), 'utf8')).split('\n');
    return lines
      .map((line, index) => ({ place: `${file}:${index + 1}`, line }))
      .filter(({ line }) => /^\s*(\/\/|\/?\*+)\s/.test(line));
  });
  return (await Promise.all(found)).flat();
}

const SHARED_BY_WORKERS = 'workers/job.ts';

/** Why the engine can't run a worker for the kind that its file is named after. */
function faultOfWorker(file: string, text: string, kinds: readonly string[]): string | undefined {
  const kind = basename(file, '.ts');
  if (!kinds.includes(kind))
    return `${file} has no kind of job: give it a row in KINDS of src/work/jobs/kind-table.ts`;
  if (!/^export default /m.test(text)) return `${file} exports no worker: add \`export default defineJob\``;
  return text.includes(`<'${kind}'>`)
    ? undefined
    : `${file} is no worker of ${kind}: write defineJob<'${kind}'>`;
}

/** The room or program that a file belongs to: `core/model/fields` for `src/core/model/fields/field.ts`. */
function roomOf(file: string, arrows: ReadonlyMap<string, unknown>): string {
  const parts = file
    .replace(/^src\//, '')
    .replace(/\.ts$/, '')
    .split('/');
  const names = parts.map((_, index) => parts.slice(0, parts.length - index).join('/'));
  return names.find((name) => arrows.has(name)) ?? file;
}
const isWithin = (target: string, name: string) => target === name || target.startsWith(`${name}/`);
const wingOf = (room: string) => room.split('/')[0] ?? '';

describe('the architecture', () => {
  let files: { file: string; text: string; imports: string[] }[] = [];
  let arrows: ReadonlyMap<string, readonly string[]>;
  before(async () => {
    arrows = await readArrows();
    const names = [...(await sources('src')), ...(await sources('workers'))];
    files = await Promise.all(
      names.map(async (file) => {
        const text = await readFile(join(ROOT, file), 'utf8');
        const imports = [...text.matchAll(/(?:from|import)\s*\(?'([^']+)'/g)].map(([, name]) => name ?? '');
        return { file, text, imports };
      }),
    );
  });

  it('has only arrows that point down', () => {
    const wrong = files.flatMap(({ file, imports }) => {
      const room = roomOf(file, arrows);
      const allowed = [room, ...(arrows.get(room) ?? []), ...(arrows.get(wingOf(room)) ?? [])];
      if (allowed.includes(EVERYTHING)) return [];
      return imports
        .filter((name) => name.startsWith('.') && name.endsWith('.ts'))
        .map((name) => roomOf(relative(ROOT, resolve(ROOT, dirname(file), name)), arrows))
        .filter((target) => !allowed.some((name) => isWithin(target, name)))
        .map((target) => `${file} imports ${target}`);
    });

    expect(wrong).to.deep.equal([]);
  });

  it('has no room that takes long to look through', async () => {
    // One file for each thing of a kind, named after the thing.
    const rows = ['src/cli', 'src/http/endpoints', 'src/core/resources'];
    const rooms = new Map<string, number>();
    for (const { file } of files) rooms.set(dirname(file), (rooms.get(dirname(file)) ?? 0) + 1);

    const crowded = [...rooms].filter(([room, count]) => count > 25 && !rows.includes(room));

    expect(crowded).to.deep.equal([]);
  });

  it('has no file that takes long to read', () => {
    const long = files.filter(({ text }) => text.trimEnd().split('\n').length > MOST_LINES_OF_A_FILE);

    // A table that grows by a row for each refusal.
    expect(long.map(({ file }) => file)).to.deep.equal(['src/core/errors.ts']);
  });

  it('has its tests in folders with the names of wings and rooms', async () => {
    const others = ['api', 'bench', 'client', 'process', 'releases', 'spec', 'support', 'year'];
    const foldersOf = async (folder: string) => {
      const entries = await readdir(join(ROOT, folder), { withFileTypes: true });
      return entries.filter((entry) => entry.isDirectory()).map(({ name }) => `${folder}/${name}`);
    };
    const ofWings = await Promise.all(WINGS.map((wing) => foldersOf(`test/${wing}`)));

    const folders = [...(await foldersOf('test')), ...ofWings.flat()].map((folder) =>
      folder.slice('test/'.length),
    );

    const known = folders.filter((folder) => files.some(({ file }) => file.startsWith(`src/${folder}/`)));
    expect(folders.filter((folder) => !known.includes(folder) && !others.includes(folder))).to.deep.equal([]);
  });

  it('has short tests in short files', async () => {
    const read = (await sources('test')).map(async (file) => {
      const lines = (await readFile(join(ROOT, file), 'utf8')).trimEnd().split('\n');
      const long = lines.length > MOST_LINES_OF_A_TEST_FILE ? [`${file} has ${lines.length} lines`] : [];
      return [...long, ...longTests(file, lines)];
    });

    expect((await Promise.all(read)).flat()).to.deep.equal([]);
  });

  it('has a room for every file', () => {
    const rooms = new Set(files.map(({ file }) => roomOf(file, arrows)));
    const named = [...arrows.keys()].filter((name) => !WINGS.includes(name));

    expect([...rooms]).to.have.members(named);
    expect(WINGS.filter((wing) => !arrows.has(wing))).to.deep.equal([]);
  });

  const ONLY: [string, RegExp, string][] = [
    ['reads the environment', /process\.env/, 'src/platform/config.ts'],
    ['knows Piscina', /from 'piscina'/, 'src/work/jobs/pool.ts'],
    ['writes an error body', /errorCode: \w/, 'src/http/server/error-body.ts'],
  ];
  for (const [what, pattern, place] of ONLY) {
    it(`has one place that ${what}`, () => {
      const places = files.filter(({ text }) => pattern.test(text)).map(({ file }) => file);

      expect(places).to.deep.equal([place]);
    });
  }

  it('has a worker for each kind of job, and a kind for each worker', () => {
    const workers = files.filter(({ file }) => file.startsWith('workers/') && file !== SHARED_BY_WORKERS);
    const kinds = Object.keys(KINDS);
    const wrong = [
      ...kinds
        .filter((kind) => !workers.some(({ file }) => file === `workers/${kind}.ts`))
        .map((kind) => `The kind of job ${kind} has no worker: write workers/${kind}.ts`),
      ...workers.flatMap(({ file, text }) => faultOfWorker(file, text, kinds) ?? []),
    ];

    expect(wrong).to.deep.equal([]);
  });

  it('builds all SQL with Objection and knex, and names what they lack in fragment.ts', () => {
    const statement =
      /['"`]\s*(SELECT |INSERT (IGNORE )?INTO |UPDATE \S+ (\w+ )?(SET|JOIN) |DELETE FROM |REPLACE INTO |WITH \w+ AS )/;
    const fragment = /\b(raw|whereRaw|orderByRaw|joinRaw|fromRaw|selectRaw|havingRaw)\(/;
    const code = files.filter(({ file }) => !file.startsWith('src/platform/database/'));
    const places = (pattern: RegExp) => code.filter(({ text }) => pattern.test(text)).map(({ file }) => file);

    expect(places(statement), 'SQL in a string').to.deep.equal([]);
    expect(places(fragment), 'a fragment of SQL').to.have.members([
      'src/business/books/fragment.ts',
      'src/platform/changes/fragment.ts',
      'src/business/invoicing/fragment.ts',
      'src/work/jobs/fragment.ts',
      'src/core/model/statements/fragment.ts',
      'src/core/model/statements/insert-many.ts',
      'src/core/model/lists/word-search.ts',
      'src/core/model/writes/unfolded.ts',
    ]);
  });

  it("calls no library's private parts", () => {
    // By custom a private name begins with `_`. knex's client is not documented.
    const hidden = /[\w)\]]\??\._\w|\.client\.(?:pool|acquire|release)/;
    const places = files.filter(({ text }) => hidden.test(text)).map(({ file }) => file);

    expect(places).to.deep.equal([]);
  });

  /** The files that query a table by its name, without a model, and why. */
  const BY_NAME = {
    'src/core/model/statements/base-model.ts': 'gives the models what builds their statements',
    'src/core/model/statements/insert-many.ts': 'Objection inserts many rows on PostgreSQL only',
    'src/platform/database/migrate.ts': 'the tables of the migrations have no model',
    'src/work/jobs/upload.ts': 'the room may not import the models of work/import/',
  };

  it('goes past garages for the named reasons only, and uses each of them', () => {
    const used = files.flatMap(({ text }) =>
      [...text.matchAll(/\.ofAllOwners\(\s*'(\w+)'/g)].map(([, reason]) => reason),
    );
    const bare = files.filter(({ text }) => /\bonTable\(/.test(text)).map(({ file }) => file);
    const byName = files.filter(({ text }) => /\bknex\(\s*[^)\s]/.test(text)).map(({ file }) => file);

    expect([...new Set(used)].sort()).to.deep.equal(Object.keys(PAST_GARAGE).sort());
    expect(bare, 'a bare query of a table').to.deep.equal(['src/core/model/writes/write.ts']);
    expect(byName, 'a query by the name of a table').to.have.members(Object.keys(BY_NAME));
  });

  it('builds no query in http', () => {
    const query =
      /\bknex\b|from 'objection'|\.(query|of|ofAllOwners|where\w*|findById|findOne|select|patch|insert|modify)\(/;
    const places = files.filter(({ file, text }) => file.startsWith('src/http/') && query.test(text));

    expect(places.map(({ file }) => file)).to.deep.equal([]);
  });

  it('logs changes in one file', () => {
    const places = files
      .filter(({ text }) => /\b(noteChange|logCreated)\(/.test(text))
      .map(({ file }) => file);

    expect(places).to.deep.equal(['src/core/model/writes/change-log.ts', 'src/core/model/writes/write.ts']);
  });

  it('imports Koa in http/ and app.ts only', () => {
    const users = files.filter(({ imports }) => imports.some((name) => /^@?koa([/-]|$)/.test(name)));

    const places = users.map(({ file }) => file);
    expect(places.filter((file) => !/^src\/(http\/|app\.ts$)/.test(file))).to.deep.equal([]);
  });

  describe('its comments', () => {
    let comments: { place: string; line: string }[] = [];
    before(async () => {
      comments = await readComments();
    });

    it('are wrapped at 120 characters', () => {
      const long = comments.filter(({ line }) => line.length > MOST_COMMENT);

      expect(long.map(({ place }) => place)).to.deep.equal([]);
    });

    it('begin no sentence without its noun', () => {
      const hard = comments.filter(({ line }) => NO_NOUN.test(line));

      expect(hard.map(({ place }) => place)).to.deep.equal([]);
    });
  });
});
