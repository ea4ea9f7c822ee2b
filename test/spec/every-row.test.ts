// Each row of the specification has a test, and the rows match the specification if the file lies beside the checkout.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { account } from './row.ts';
import { ROWS } from './rows.ts';

const SPECIFICATION = new URL('../../../../shared/spec.md', import.meta.url);

// All cases are known before the account is drawn up, whichever file is loaded first.
const here = new URL('.', import.meta.url);
for (const file of readdirSync(here).sort()) if (file.endsWith('.test.js')) await loadUnlessThis(file);

async function loadUnlessThis(file: string): Promise<void> {
  const url = new URL(file, here).href;
  if (url !== import.meta.url) await import(url);
}

describe('the specification', () => {
  const { rows, cases, missing } = account();

  it(`has a case for each of its ${rows} rows, ${cases} cases in all`, () => {
    expect(missing, 'rows without a case').to.deep.equal([]);
  });

  if (existsSync(SPECIFICATION)) {
    it('reads as its rows are written down here', () => {
      const [written, specified] = [linesOf(ROWS), linesOf(tablesOf(readFileSync(SPECIFICATION, 'utf8')))];

      expect(specified.filter((line) => !written.includes(line))).to.deep.equal([]);
      expect(written.filter((line) => !specified.includes(line))).to.deep.equal([]);
    });
  }
});

const linesOf = (tables: Readonly<Record<string, Readonly<Record<string, string>>>>): string[] =>
  Object.entries(tables).flatMap(([table, rows]) =>
    Object.entries(rows).map(([reason, text]) => [table, reason, text].join(' | ')),
  );

/** Tables and numbered rules by their section; the last two cells of a row by the cells before them. */
function tablesOf(markdown: string): Record<string, Record<string, string>> {
  const tables: Record<string, Record<string, string>> = {};
  let section = '';
  let inBody = false;
  for (const line of markdown.split('\n')) {
    section = /^#+ (.*)/.exec(line)?.[1] ?? section;
    const [, number, rule] = /^(\d+)\. (.*)/.exec(line) ?? [];
    const cells = /^\| (.*) \|$/.exec(line)?.[1]?.split(' | ');
    // The line under a table's head opens its body; the first line that is no row closes it.
    inBody = line.startsWith('|---') || (inBody && cells !== undefined);
    if (number !== undefined) add(number, rule);
    else if (inBody && cells)
      add(cells.splice(0, Math.max(1, cells.length - 2)).join(' | '), cells.join(' '));
  }
  return tables;

  function add(reason: string, text = ''): void {
    tables[section] = { ...tables[section], [reason]: text };
  }
}
