// The documents for readers: README.md leads to each of them, and every link of theirs leads to a file and a heading.
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

const read = (file: string) => readFile(join(ROOT, file), 'utf8');

async function documents(): Promise<string[]> {
  const inDocs = await readdir(join(ROOT, 'docs'));
  return inDocs.filter((file) => file.endsWith('.md')).map((file) => `docs/${file}`);
}

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

describe('the documents', () => {
  it('are all in the table of README.md', async () => {
    const readme = await read('README.md');

    const missing = (await documents()).filter((file) => !readme.includes(`\n| [${file}](${file})`));

    expect(missing).to.deep.equal([]);
  });

  it('have links that lead to files and headings', async () => {
    const files = ['README.md', 'CHANGELOG.md', 'bench/README.md', ...(await documents())];

    const broken = (await Promise.all(files.map(brokenLinks))).flat();

    expect(broken).to.deep.equal([]);
  });

  it('have each variable of the configuration in the table of README.md, and no other', async () => {
    const readme = await read('README.md');
    const table = readme.slice(readme.indexOf('| PORT'), readme.indexOf('\n\n', readme.indexOf('| PORT')));

    const told = table.split('\n').flatMap((row) => row.split('|')[1]?.match(/[A-Z][A-Z0-9_]+/g) ?? []);
    const known = [...(await read('src/platform/config.ts')).matchAll(/\bread\('([A-Z0-9_]+)'/g)].map(
      ([, name]) => name,
    );

    expect(told).to.have.members(known);
  });
});
