// The formats of the journal: each file, read back by a reader of its own, has the postings of the CSV.
import { readFile } from 'node:fs/promises';
import { seed } from '../../../src/business/seed/seed.ts';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { JOURNAL_FORMATS, type JournalFormat } from '../../../src/work/journal/form.ts';
import { type Journal, journalOf, sumsBy } from '../../support/books/journal.ts';
import {
  AUDITFILE_SCHEMA,
  cellsOf,
  dutchCents,
  type FileLine,
  fromDutch,
  readExact,
  readSnelstart,
  readTwinfield,
  readXaf,
} from '../../support/books/journal-file.ts';
import { build, buildBuyer, buildInvoice } from '../../support/build/build.ts';
import { type Client, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { exported } from '../../support/client/export.ts';
import { execute } from '../../support/database/sql.ts';
import { database } from '../../support/service/service.ts';

const [FROM, TO] = ['2020-01-01', '2099-12-31'];
/** A number of a seller that XML and a spreadsheet would take for something else. */
const NUMBER = '=1+1 <&>';

/** Without its reader, a new format does not compile. */
const READERS: Readonly<
  Record<Exclude<JournalFormat, 'csv'>, (text: string) => Promise<readonly FileLine[]>>
> = {
  snelstart: async (text) => readSnelstart(text),
  exact: async (text) => readExact(text),
  twinfield: async (text) => readTwinfield(text),
  xaf: async (text) => readXaf(text, await readFile(AUDITFILE_SCHEMA, 'utf8')).lines,
};

describe('the formats of the journal', () => {
  let client: Client;
  let csv: Journal;
  before(async function () {
    this.timeout(120_000);
    client = await newClient();
    await seed(database(), { owner: client.garage.owner, orders: 300 });
    const group = await build(client, 'turnovergroup', {
      ...{ ledger_account: '8000', cost_ledger_account: '7000', stock_ledger_account: '3000' },
    });
    const of = { turnover_group_id: group.id };
    const seller = await buildBuyer(client, { creditor_number: 'C&1' });
    const purchase = await buildInvoice(
      client,
      {
        contact_id: seller.id,
        order_type: LISTS.ordertypes.VEHICLE_PURCHASE,
        purchase_proof: LISTS.purchaseproofs.SUPPLIER_INVOICE,
        supplier_invoice_number: NUMBER,
      },
      { ...of, vat_code: LISTS.vatcodes.REVERSE_CHARGE },
    );
    await execute(database(), 'UPDATE orders SET invoice_number = NULL WHERE id = ?', [purchase.id]);
    await buildInvoice(client, {}, { ...of, price: 0 });
    await buildInvoice(client, {}, { ...of, line_kind: LISTS.linekinds.TRADE_IN, quantity: -1 });
    csv = await journalOf(client, FROM, TO);
  });

  const file = async (format: string, days = { from: FROM, to: TO }, more = {}) =>
    exported(client, { resource: 'journal', ...days, format, ...more });
  const sums = (lines: readonly FileLine[], key: (line: FileLine) => string) => {
    const found: Record<string, number> = {};
    for (const line of lines) found[key(line)] = (found[key(line)] ?? 0) + line.amount;
    return found;
  };
  const isSame = (lines: readonly FileLine[]) => {
    expect(new Set(Object.values(sums(lines, ({ entry }) => entry)))).to.deep.equal(new Set([0]));
    expect(sums(lines, ({ account }) => account)).to.deep.equal(sumsBy(csv.lines, ({ account }) => account));
    expect(sums(lines, ({ account, date }) => `${account} ${date}`)).to.deep.equal(
      sumsBy(csv.lines, ({ account, date }) => `${account} ${date}`),
    );
  };

  for (const [format, read] of Object.entries(READERS))
    it(`have the postings of the CSV: ${format}`, async () => {
      const { text } = await file(format);

      isSame(await read(text));
    });

  it('have the same values in a CSV for Dutch spreadsheets', async () => {
    const { text } = await file('csv', undefined, { decimal: ',' });

    const [head, ...rows] = cellsOf(text);
    expect(head?.join()).to.equal(csv.text.split('\r\n')[0]);
    expect(rows).to.have.length(csv.lines.length);
    rows.forEach(([date = '', , entry, account, , debit = '', credit = ''], index) => {
      const line = csv.lines[index];
      expect([fromDutch(date), entry, account]).to.deep.equal([line?.date, line?.entry, line?.account]);
      expect(dutchCents(debit) - dutchCents(credit)).to.equal(
        Math.round(100 * (Number(line?.debit) - Number(line?.credit))),
      );
    });
  });

  it('have bookings for SnelStart, without BOM, and without cells that a spreadsheet would run', async () => {
    const { text, summary } = await file('snelstart');

    const lines = readSnelstart(text);
    expect(summary).to.include({ format: 'snelstart', file: 'journal.csv', rows: lines.length });
    expect(text.charCodeAt(0)).to.equal('f'.charCodeAt(0));
    const bought = lines.filter(({ description }) => description.includes(NUMBER));
    expect(
      new Set(bought.map(({ journal, number, relation }) => [journal, number, relation].join())),
    ).to.deep.equal(new Set([`1600,'${NUMBER},C&1`]));
    for (const line of lines) expect(line.journal).to.match(/^\d{4}$/);
  });

  it('have GLTransactions for Exact', async () => {
    const { text, summary } = await file('exact');

    const lines = readExact(text);
    expect(summary).to.include({ format: 'exact', file: 'journal.xml', rows: lines.length });
    const [bought] = lines.filter(({ number }) => number === NUMBER);
    expect(bought).to.include({ account: '1600', description: `Purchase ${NUMBER}`, relation: 'C&1' });
  });

  it('have journal transactions for Twinfield, with the relation on debtors and creditors', async () => {
    const { text, summary } = await file('twinfield');

    const lines = readTwinfield(text);
    expect(summary).to.include({ format: 'twinfield', file: 'journal.xml' });
    for (const { account, relation } of lines)
      expect(relation !== '', account).to.equal(account === '1300' || account === '1600');
    expect(lines.filter(({ number }) => number === NUMBER)).to.have.length(1);
  });

  it('have an Auditfile that is valid by the schema of the tax office', async () => {
    const { text, summary } = await file('xaf');

    const { lines, ...audit } = readXaf(text, await readFile(AUDITFILE_SCHEMA, 'utf8'));
    expect(summary).to.include({ format: 'xaf', file: 'journal.xaf', rows: lines.length });
    const debit = Math.round(100 * csv.summary.debit);
    expect(audit).to.include({ linesCount: lines.length, totalDebit: debit, totalCredit: debit });
    expect(audit.accounts).to.include.members([...new Set(lines.map(({ account }) => account))]);
    expect(audit.relations).to.have.members([...new Set(lines.map(({ relation }) => relation))]);
    expect(audit.journals).to.deep.equal(Object.keys(csv.summary.journals));
    expect(new Set(text.match(/<vatPerc>[^<]*/g))).to.deep.equal(
      new Set(['<vatPerc>21', '<vatPerc>9', '<vatPerc>0']),
    );
    for (const list of [audit.accounts, audit.relations]) expect(list).to.deep.equal([...new Set(list)]);
  });

  it('have an Auditfile with the months of a calendar year, and an empty one', async () => {
    const [last = ''] = csv.lines.map(({ date }) => date).slice(-1);
    const year = last.slice(0, 4);
    const schema = await readFile(AUDITFILE_SCHEMA, 'utf8');
    const made = await file('xaf', { from: `${year}-01-01`, to: `${year}-12-31` });
    const none = await file('xaf', { from: '1990-01-01', to: '1990-12-31' });

    const months = new Set(
      csv.lines.filter(({ date }) => date.startsWith(year)).map(({ date }) => Number(date.slice(5, 7))),
    );
    expect(readXaf(made.text, schema).periods.map(Number)).to.deep.equal([...months]);
    expect(made.text).to.include(`<fiscalYear>${year}</fiscalYear>`);
    expect(readXaf(none.text, schema)).to.deep.include({ lines: [], linesCount: 0, journals: [] });
  });

  it('never name a buyer', async () => {
    const { data } = await client.get('/contact?filter=is_customer:1&page_size=50');
    const [garage] = (await client.get('/owner')).data;
    // The Auditfile names the garage itself.
    const own = JSON.stringify(garage);
    const names: string[] = data
      .map(({ last_name, company_name }: Record<string, string>) => last_name ?? company_name)
      .filter((name: string) => name.length > 4 && !own.includes(name));
    expect(names).not.to.deep.equal([]);

    for (const format of JOURNAL_FORMATS) {
      const { text } = await file(format);
      for (const name of names) expect(text, format).not.to.include(name);
    }
  });

  it('have nothing of another garage', async () => {
    const other = await newClient();

    for (const format of JOURNAL_FORMATS) {
      const { summary } = await exported(other, { resource: 'journal', from: FROM, to: TO, format });
      expect(summary).to.include({ rows: 0, entries: 0 });
    }
  });
});
