// The documents for readers: README.md leads to each of them, every link of theirs leads to a file and a heading, and
// every file that they name is there.
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { loadResources } from '../src/core/model/records/registry.ts';
import { operationsOf } from '../src/http/endpoint.ts';
import { endpoints } from '../src/http/endpoints/table.ts';
import { JOURNAL_FORMATS } from '../src/work/journal/form.ts';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

const read = (file: string) => readFile(join(ROOT, file), 'utf8');

async function documents(): Promise<string[]> {
  const inDocs = await readdir(join(ROOT, 'docs'));
  return inDocs.filter((file) => file.endsWith('.md')).map((file) => `docs/${file}`);
}

/** The documents about the code as it is: CHANGELOG.md also names what has gone. */
const named = async (): Promise<string[]> => [
  ...['README.md', 'STYLE.md', 'SECURITY.md', 'bench/README.md'],
  ...(await documents()),
];

/** The anchors of a document's headings, as GitHub makes them. */
function anchors(text: string): string[] {
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading.toLowerCase());
  return headings.map((heading) => heading.replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-'));
}

/** The links of a document that lead nowhere. */
async function brokenLinks(file: string): Promise<string[]> {
  const text = await read(file);
  const links = [...text.matchAll(/\]\(([^)\s]+)\)|<img src="([^"]+)"/g)].map(
    ([, link, image]) => link ?? image ?? '',
  );
  const broken: string[] = [];
  for (const link of links.filter((target) => !/^https?:/.test(target))) {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? file : relative(ROOT, resolve(ROOT, dirname(file), path));
    const isFound = existsSync(join(ROOT, target));
    if (!isFound || (anchor && !anchors(await read(target)).includes(anchor)))
      broken.push(`${file}: ${link}`);
  }
  return broken;
}

const FOLDERS = 'api|bench|bin|deploy|docs|drills|migrations|scripts|src|test|workers';
const WINGS = 'core|platform|business|work|http|cli|cluster';
/** From its folder on. `dist/`: named by what the compiler made of it. */
const PATH = new RegExp(`(?<![\\w./@-])(?:dist/)?(?:${FOLDERS})/[\\w./*<>-]*[\\w*>]`, 'g');
/** In backticks: `core/errors.ts`, which lies in src/, or `find.ts`, whose folder the text has said before. */
const SHORT = new RegExp(`\`((?:(?:${WINGS})/[\\w./-]*|[\\w-]+\\.(?:ts|sh|mjs)))\``, 'g');
/** Patterns, and what the next release will have. */
const NO_PATH = /[*<>]|KIND|\d\.\d\.\d/;
/** A file that the reader of a recipe makes. */
const OWN_FILE = /[Ww]rite\s+`([\w./-]+\.ts)`/g;

const namesIn = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([whole, name]) => name ?? whole);

const allPaths = async (): Promise<string[]> => {
  const inFolders = FOLDERS.split('|').map(async (folder) =>
    (await readdir(join(ROOT, folder), { recursive: true })).map((path) => `${folder}/${path}`),
  );
  return (await Promise.all(inFolders)).flat();
};

/** The files and folders that a document names and that are not there. */
function missingPaths(text: string, paths: readonly string[]): string[] {
  const known = [...paths, ...namesIn(text, OWN_FILE)];
  const places = new Set(known.flatMap((path) => [path, basename(path)]));
  const isThere = (name: string) => {
    const source = name.replace(/^dist\/(.*)\.js$/, '$1.ts');
    return [source, `src/${source}`].some((path) => places.has(path) || existsSync(join(ROOT, path)));
  };
  const named = [...namesIn(text, PATH), ...namesIn(text, SHORT)];
  return named.filter((name) => !NO_PATH.test(name) && !isThere(name));
}

/** The names that a document looks for in a file (`LISTS` in `src/core/trade/lists.ts`) and that the file lacks. */
async function missingNames(text: string): Promise<string[]> {
  const pairs = text.matchAll(/`(\w+)` (?:in|of|to)\s+`((?:src|test|workers)\/[\w./-]+\.ts)`/g);
  const lacks = [...pairs].map(async ([, name = '', file = '']) =>
    existsSync(join(ROOT, file)) && !new RegExp(`\\b${name}\\b`).test(await read(file))
      ? [`${file} has no ${name}`]
      : [],
  );
  return (await Promise.all(lacks)).flat();
}

/** The imports in the code of a recipe that no file exports. */
async function missingImports(text: string): Promise<string[]> {
  const own = namesIn(text, OWN_FILE);
  const blocks = text.matchAll(/[Ww]rite\s+`([\w./-]+\.ts)`(?:(?!```).)*```ts\n(.*?)```/gs);
  const imports = [...blocks].flatMap(([, file = '', code = '']) =>
    [...code.matchAll(/(?:import (?:type )?\{(.*?)\} from|declare module) '(\..*?)'/gs)].map(
      ([, names = '', path = '']) => ({
        names: names.match(/\b(?!type\b)\w+/g) ?? [],
        target: join(dirname(file), path),
      }),
    ),
  );
  const missing = imports.map(async ({ names, target }) => {
    if (own.includes(target)) return [];
    if (!existsSync(join(ROOT, target))) return [target];
    const code = await read(target);
    return names
      .filter((name) => !new RegExp(`^export .*\\b${name}\\b`, 'm').test(code))
      .map((name) => `${target} exports no ${name}`);
  });
  return (await Promise.all(missing)).flat();
}

describe('the documents', () => {
  it('are all in the table of README.md', async () => {
    const readme = await read('README.md');

    const missing = (await documents()).filter((file) => !readme.includes(`\n| [${file}](${file})`));

    expect(missing).to.deep.equal([]);
  });

  it('have links that lead to files and headings', async () => {
    const files = ['CHANGELOG.md', ...(await named())];

    const broken = (await Promise.all(files.map(brokenLinks))).flat();

    expect(broken).to.deep.equal([]);
  });

  it('name only files that there are', async () => {
    const paths = await allPaths();

    const missing = (await named()).map(async (file) =>
      missingPaths(await read(file), paths).map((path) => `${file} names ${path}`),
    );

    expect((await Promise.all(missing)).flat()).to.deep.equal([]);
  });

  it('name only what their files have', async () => {
    const missing = (await named()).map(async (file) => {
      const text = await read(file);
      return [...(await missingNames(text)), ...(await missingImports(text))].map(
        (lack) => `${file}: ${lack}`,
      );
    });

    expect((await Promise.all(missing)).flat()).to.deep.equal([]);
  });

  it('have an example of each operation', async () => {
    await loadResources();
    const operations = endpoints().flatMap((endpoint) =>
      operationsOf(endpoint).map(([method]) => `${method} ${endpoint.path}`),
    );

    // An example of one record has the path of the record: `GET /contact/{id}`.
    const shown = namesIn(await read('docs/endpoints.md'), /^## (.*?)(?:\/\{\w+\})?$/gm);
    const missing = operations.filter((name) => !shown.includes(name.replace(/\/\{\w+\}$/, '')));

    expect(missing, 'docs/endpoints.md is older than the endpoints: run `make docs`').to.deep.equal([]);
  });

  it('have each format of the journal', async () => {
    const text = await read('docs/bookkeeping.md');

    const missing = JOURNAL_FORMATS.filter((name) => name !== 'csv' && !text.includes(`\n| \`${name}\` `));

    expect(missing, 'rows of the table of formats in docs/bookkeeping.md').to.deep.equal([]);
  });

  it('have no comment behind a setting, which systemd would read as a part of the value', async () => {
    const behind = [...(await named()), 'deploy/forecourt.env.example'].map(async (file) =>
      namesIn(await read(file), /^[A-Z][A-Z0-9_]*=\S*[ \t]+#.*$/gm).map((line) => `${file}: ${line}`),
    );

    expect((await Promise.all(behind)).flat()).to.deep.equal([]);
  });

  it('have each variable of the configuration in the table of README.md, and no other', async () => {
    const readme = await read('README.md');
    const table = readme.slice(readme.indexOf('| PORT'), readme.indexOf('\n\n', readme.indexOf('| PORT')));

    const told = table.split('\n').flatMap((row) => row.split('|')[1]?.match(/[A-Z][A-Z0-9_]+/g) ?? []);
    const known = [...(await read('src/platform/config.ts')).matchAll(/\bread\('([A-Z0-9_]+)'/g)].map(
      ([, name]) => name,
    );

    const lacks = known.filter((name = '') => !told.includes(name));
    const gone = told.filter((name) => !known.includes(name));
    expect({ lacks, gone }, 'the table of variables in README.md').to.deep.equal({ lacks: [], gone: [] });
  });
});
