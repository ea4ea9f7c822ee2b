// Reads the imports of the source, and fails if a room imports a room that docs/architecture.md does not allow.
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** What each room may import besides itself; a file in src/ itself is a room by its name. */
const ARROWS: Record<string, readonly string[]> = {
  errors: [],
  config: [],
  trade: ['errors'],
  model: ['errors', 'trade'],
  'process-name': [],
  storage: ['config', 'model', 'process-name'],
  log: ['config', 'trade'],
  mail: ['config', 'storage'],
  invoicing: ['errors', 'model', 'trade'],
  privacy: ['errors', 'invoicing', 'model', 'trade'],
  resources: ['auth', 'errors', 'invoicing', 'model', 'trade'],
  auth: ['errors', 'model', 'trade'],
  archive: ['errors', 'model', 'trade', 'database', 'privacy', 'storage'],
  documents: ['errors', 'model', 'trade'],
  einvoice: ['documents', 'errors', 'model', 'trade'],
  generation: [
    'errors',
    'model',
    'trade',
    'archive',
    'documents',
    'einvoice',
    'invoicing',
    'jobs',
    'privacy',
    'storage',
  ],
  database: ['config', 'model', 'process-name'],
  import: ['archive', 'errors', 'model', 'trade'],
  seed: ['errors', 'invoicing', 'model', 'resources', 'trade'],
  jobs: ['errors', 'config', 'model', 'trade', 'auth', 'storage', 'database', 'privacy'],
  events: ['auth', 'errors', 'jobs', 'mail', 'model', 'resources', 'trade'],
  export: ['archive', 'database', 'errors', 'model', 'trade'],
  journal: ['archive', 'errors', 'export', 'invoicing', 'model', 'trade'],
  workers: [
    'archive',
    'documents',
    'einvoice',
    'events',
    'export',
    'import',
    'generation',
    'journal',
    'resources',
    'database',
    'model',
    'jobs',
    'storage',
    'trade',
  ],
  metrics: ['jobs', 'model', 'trade'],
  parts: ['auth', 'config', 'jobs', 'mail', 'metrics', 'model', 'storage'],
  http: [
    'archive',
    'auth',
    'config',
    'database',
    'documents',
    'einvoice',
    'errors',
    'events',
    'export',
    'import',
    'invoicing',
    'jobs',
    'journal',
    'metrics',
    'model',
    'parts',
    'privacy',
    'resources',
    'storage',
    'trade',
  ],
  app: ['http', 'errors', 'parts'],
};
const ON_TOP = ['service', 'main', 'cli', 'cluster'];

async function sources(folder: string): Promise<string[]> {
  const entries = await readdir(join(ROOT, folder), { recursive: true });
  return entries.filter((file) => file.endsWith('.ts')).map((file) => join(folder, file));
}

const roomOf = (file: string) => {
  const [top, second = ''] = file.split('/');
  return top === 'src' ? second.replace(/\.ts$/, '') : (top ?? '');
};

describe('the architecture', () => {
  let files: { file: string; text: string; imports: string[] }[] = [];
  before(async () => {
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
      const room = roomOf(file);
      if (ON_TOP.includes(room)) return [];
      const allowed = [...(ARROWS[room] ?? []), room];
      return imports
        .filter((name) => name.startsWith('.') && name.endsWith('.ts'))
        .map((name) => roomOf(relative(ROOT, resolve(ROOT, dirname(file), name))))
        .filter((target) => !allowed.includes(target))
        .map((target) => `${file} imports ${target}`);
    });

    expect(wrong).to.deep.equal([]);
  });

  it('has a room for every file', () => {
    const rooms = new Set(files.map(({ file }) => roomOf(file)));

    expect([...rooms].filter((room) => !(room in ARROWS) && !ON_TOP.includes(room))).to.deep.equal([]);
  });

  const ONLY: [string, RegExp, string][] = [
    ['reads the environment', /process\.env/, 'src/config.ts'],
    ['knows Piscina', /from 'piscina'/, 'src/jobs/pool.ts'],
    ['writes an error body', /errorCode: \w/, 'src/http/error-body.ts'],
  ];
  for (const [what, pattern, place] of ONLY) {
    it(`has one place that ${what}`, () => {
      const places = files.filter(({ text }) => pattern.test(text)).map(({ file }) => file);

      expect(places).to.deep.equal([place]);
    });
  }

  it('builds all SQL with Objection and knex, and names what they lack in one file', () => {
    const statement =
      /['"`]\s*(SELECT |INSERT (IGNORE )?INTO |UPDATE \S+ (\w+ )?(SET|JOIN) |DELETE FROM |REPLACE INTO |WITH \w+ AS )/;
    const fragment = /\b(raw|whereRaw|orderByRaw|joinRaw|fromRaw|selectRaw|havingRaw)\(/;
    const code = files.filter(({ file }) => !file.startsWith('src/database/'));
    const places = (pattern: RegExp) => code.filter(({ text }) => pattern.test(text)).map(({ file }) => file);

    expect(places(statement), 'SQL in a string').to.deep.equal([]);
    expect(places(fragment), 'a fragment of SQL').to.deep.equal([
      'src/model/fragment.ts',
      'src/model/insert-many.ts',
      'src/model/search.ts',
    ]);
  });

  it('imports Koa in http only', () => {
    const places = files.filter(({ imports }) => imports.includes('koa')).map(({ file }) => file);

    expect(places.filter((file) => !/^src\/(http\/|app\.ts|service\.ts)/.test(file))).to.deep.equal([]);
  });
});
