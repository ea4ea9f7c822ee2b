// An export as CSV: Python, sqlite3 and Miller read back exactly what the list shows, and no cell is a formula.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { seed } from '../../../src/business/seed/seed.ts';
import { build, buildBuyer } from '../../support/build/build.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { exported, listed } from '../../support/client/export.ts';
import { database } from '../../support/service/service.ts';

const program = promisify(execFile);
const MOST = { maxBuffer: 2 ** 26 };

const TEXTS = [
  'plain',
  'a "quoted" word, and a comma; a semicolon',
  'é ü ñ 😀 漢字',
  'two\nlines',
  'two\r\nlines',
  'a lone \r in the middle',
  '\nfirst',
  'last\n',
  '  spaces around  ',
  '"',
  '',
  'NULL',
  '\\N \\',
  "it's",
];
const FORMULAS = ['=1+1', '+31 30 123', '-5', '@SUM(A1)', '\t=1', '\r=1'];

/** Reads a CSV file with another program: the lines with their cells. */
const READERS: Record<string, (file: string) => Promise<string[][]>> = {
  python3: async (file) => {
    const script =
      'import csv, json, sys; print(json.dumps(list(csv.reader(open(sys.argv[1], newline="", encoding="utf-8")))))';
    return JSON.parse((await program('python3', ['-c', script, file], MOST)).stdout);
  },
  sqlite3: async (file) => {
    const words = ['-json', ':memory:', `.import --csv '${file}' t`, 'SELECT * FROM t'];
    return linesOf(JSON.parse((await program('sqlite3', words, MOST)).stdout));
  },
  mlr: async (file) =>
    linesOf(JSON.parse((await program('mlr', ['--icsv', '--ojson', '-S', 'cat', file], MOST)).stdout)),
};

describe('an export as CSV', () => {
  let client: Client;
  let folder: string;
  before(async function () {
    this.timeout(60_000);
    client = await newClient();
    folder = await mkdtemp(join(tmpdir(), 'forecourt-csv-'));
    await seed(database(), { owner: client.garage.owner, orders: 10 });
    for (const notes of [...TEXTS, ...FORMULAS]) await buildBuyer(client, { notes });
    await build(client, 'webhooksubscription', { resources: ['order', 'contact'] });
  });
  after(() => rm(folder, { recursive: true }));

  for (const [name, read] of Object.entries(READERS))
    it(`is read back by ${name} as the list shows it`, async () => {
      for (const resource of ['contact', 'order', 'orderline', 'webhooksubscription']) {
        const { text, summary } = await exported(client, { resource, format: 'csv', raw: 1 });
        const file = join(folder, summary.file);
        await writeFile(file, text);

        const lines = await read(file);

        const list = linesOf(await listed(client, `/${resource}?sort=id`));
        // Miller always joins the lines of a cell with a line feed.
        const shown = name === 'mlr' ? list.map((line) => line.map(withoutReturns)) : list;
        expect(summary.file).to.equal(`${resource}.csv`);
        expect(summary.rows).to.equal(list.length - 1);
        expect(lines).to.deep.equal(shown);
      }
    }).timeout(60_000);

  it('puts an apostrophe before texts that a spreadsheet takes for a formula, and not before numbers', async () => {
    await build(client, 'orderline', { quantity: -5, description: '-5 bouten' });
    const filter = 'description:-5 bouten';
    const guarded = await exported(client, { resource: 'contact', format: 'csv', fields: 'notes' });
    const raw = await exported(client, { resource: 'contact', format: 'csv', fields: 'notes', raw: 1 });
    const lines = await exported(client, {
      resource: 'orderline',
      format: 'csv',
      fields: 'quantity,description',
      filter,
    });

    const cells = (await rowsOf(guarded.text)).map(([, notes]) => notes);
    expect(cells)
      .to.include.members(FORMULAS.map((text) => `'${text}`))
      .and.include.members(TEXTS);
    expect((await rowsOf(raw.text)).map(([, notes]) => notes)).to.include.members([...FORMULAS, ...TEXTS]);
    expect(lines.text).to.match(/^id,quantity,description\r\n\d+,-5,'-5 bouten\r\n$/);
    expect(guarded.summary).to.include({ format: 'csv', raw: 0 });
  });

  it('has its header line alone where the list is empty, and no mark in front', async () => {
    const asked = { resource: 'contact', format: 'csv', fields: 'last_name,city', filter: 'city:Nergens' };

    const { text, summary } = await exported(client, asked);

    expect(text).to.equal('id,last_name,city\r\n');
    expect(summary).to.include({ rows: 0 });
  });

  const rowsOf = async (text: string): Promise<string[][]> => {
    const file = join(folder, 'rows.csv');
    await writeFile(file, text);
    return (await READERS.python3?.(file)) ?? [];
  };
});

const withoutReturns = (cell: string) => cell.replaceAll('\r\n', '\n');

/** Records as a header and the cells that a CSV has for them. */
function linesOf(records: readonly Json[]): string[][] {
  const names = Object.keys(records[0] ?? {});
  const cell = (value: unknown) =>
    value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  return [names, ...records.map((record) => names.map((name) => cell(record[name])))];
}
