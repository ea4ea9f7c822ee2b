// The journal `margin`: the VAT of margins that count over periods, one entry on the last day of each period.
import { readFile } from 'node:fs/promises';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { invoiceOn, setFirstRegime, setGarage } from '../../support/books/books.ts';
import { close } from '../../support/books/closed.ts';
import { type Journal, journalOf } from '../../support/books/journal.ts';
import { AUDITFILE_SCHEMA, readXaf, textsIn } from '../../support/books/journal-file.ts';
import { build } from '../../support/build/build.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { exported } from '../../support/client/export.ts';

const { linekinds, vatcodes, marginmethods, vatperiods, purchaseproofs, ordertypes } = LISTS;
const [FROM, TO] = ['2025-01-01', '2025-12-31'];

describe('the journal of margins', () => {
  let client: Client;
  let line: Json;
  beforeEach(async () => {
    client = await newClient();
    await setGarage(client, {
      ...{
        margin_method: marginmethods.GLOBAL,
        vat_period: vatperiods.QUARTER,
        margin_turnover_account: '8190',
      },
    });
    const group = await build(client, 'turnovergroup', {
      ledger_account: '8110',
      cost_ledger_account: '7110',
    });
    line = { line_kind: linekinds.VEHICLE, vat_code: vatcodes.MARGIN, turnover_group_id: group.id };
  });

  const sold = (at: string, price: number) => invoiceOn(client, at, [{ ...line, purchase_price: 0, price }]);
  const bought = (at: string, price: number) =>
    invoiceOn(client, at, [{ ...line, price }], {
      order_type: ordertypes.VEHICLE_PURCHASE,
      purchase_proof: purchaseproofs.STATEMENT,
    });
  /** A year of gains and a loss: declared 26,033.06, the year's VAT 20,826.45. */
  const trade = async () => {
    await sold('2025-02-01', 50_000);
    await sold('2025-05-01', 100_000);
    await bought('2025-08-01', 100_000);
    await sold('2025-11-01', 70_000);
  };
  const shown = ({ lines }: Journal) =>
    lines
      .filter(({ journal }) => journal === 'margin')
      .map(({ date, entry, account, debit, credit }) => [date, entry, account, debit, credit].join(' '));

  it('has an entry on the last day of each period, and takes back what the year does not bear', async () => {
    await trade();

    const journal = await journalOf(client, FROM, TO);

    expect(shown(journal)).to.deep.equal([
      '2025-03-31 margin/2025-03-31 8190 8677.69 0.00',
      '2025-03-31 margin/2025-03-31 1530 0.00 8677.69',
      '2025-06-30 margin/2025-06-30 8190 17355.37 0.00',
      '2025-06-30 margin/2025-06-30 1530 0.00 17355.37',
      '2025-12-31 margin/2025-12-31 8190 0.00 5206.61',
      '2025-12-31 margin/2025-12-31 1530 5206.61 0.00',
    ]);
    expect(journal.lines.map(({ date }) => date)).to.deep.equal(journal.lines.map(({ date }) => date).sort());
    const [first] = journal.lines.filter(({ journal: name }) => name === 'margin');
    expect(first).to.include({
      description: 'Margin VAT of 2025-01-01 to 2025-03-31',
      ...{ order_id: '', invoice_number: '', relation: '', due_date: '', vat_code: String(vatcodes.MARGIN) },
    });
    expect(shown(await journalOf(client, '2025-02-01', '2025-03-30'))).to.deep.equal([]);
    expect(shown(await journalOf(client, '2025-03-31', '2025-03-31'))).to.have.length(2);
    expect(shown(await journalOf(client, '2025-12-31', '2026-01-31'))).to.have.length(2);
  });

  it('is in each format, and valid by the schema of the tax office', async () => {
    await trade();
    const file = async (format: string) => {
      const asked = { resource: 'journal', from: FROM, to: TO, journals: ['margin'], format };
      return (await exported(client, asked)).text;
    };

    const { lines, relations } = readXaf(await file('xaf'), await readFile(AUDITFILE_SCHEMA, 'utf8'));
    expect(lines.map(({ account, amount }) => `${account} ${amount}`)).to.deep.equal([
      ...['8190 867769', '1530 -867769', '8190 1735537', '1530 -1735537', '8190 -520661', '1530 520661'],
    ]);
    expect(relations).to.deep.equal([]);
    expect(textsIn(await file('exact'), '//Journal/@code')).to.deep.equal(['90', '90', '90']);
    expect(textsIn(await file('exact'), '//Account')).to.deep.equal([]);
    expect(textsIn(await file('twinfield'), '//transaction[1]/lines/line/value')).to.deep.equal([
      '8677.69',
      '8677.69',
    ]);
    expect(await file('snelstart')).to.include('1530;1;31-03-2025;8190;8677,69;0,00;');
  });

  it('stands once in an audit file that has other journals too', async () => {
    await trade();
    const { text } = await exported(client, { resource: 'journal', from: FROM, to: TO, format: 'xaf' });

    const { lines } = readXaf(text, await readFile(AUDITFILE_SCHEMA, 'utf8'));

    const ofMargin = lines.filter(({ account }) => account === '1530');
    expect(ofMargin.map(({ amount }) => String(amount))).to.deep.equal(['-867769', '-1735537', '520661']);
    expect(textsIn(text, '//*[local-name()="linesCount"]')).to.deep.equal([String(lines.length)]);
  });

  it('is empty without an account of its own, and the summary says so', async () => {
    await trade();
    await setGarage(client, { margin_turnover_account: null, margin_vat_account: null });

    const journal = await journalOf(client, FROM, TO);

    expect(shown(journal)).to.deep.equal([]);
    expect(journal.summary.warnings.map(({ code }: Json) => code)).to.deep.equal(['margin_not_posted']);
    expect((await journalOf(client, '2025-01-01', '2025-02-28')).summary.warnings).to.deep.equal([]);
  });

  it('needs the account of the VAT, and the length of the periods', async () => {
    await setGarage(client, { margin_vat_account: null, vat_period: null });
    const ask = () => client.post('/export', { resource: 'journal', from: FROM, to: TO });
    expect((await ask()).status).to.equal(202);

    await trade();

    expect((await ask()).body.errors.map(({ field }: Json) => field)).to.deep.equal([
      'margin_vat_account',
      'vat_period',
    ]);
    const without = { resource: 'journal', from: FROM, to: TO, journals: ['sales', 'purchases'] };
    expect((await client.post('/export', without)).status).to.equal(202);
  });

  it('says in the summary that a period or a year is not over', async () => {
    await sold('2025-02-01', 12_100);
    await sold('2099-02-01', 12_100);
    await bought('2099-05-01', 12_100);
    const asked = async (from: string, to: string) => {
      const journal = await journalOf(client, from, to);
      return [shown(journal), journal.summary.warnings.map(({ code }: Json) => code)];
    };

    // 21/121 of 12,100. The year 2099 has a margin of 0, so it takes back what its first quarter declared.
    expect(await asked('2025-01-01', '2098-12-31')).to.deep.equal([
      ['2025-03-31 margin/2025-03-31 8190 2100.00 0.00', '2025-03-31 margin/2025-03-31 1530 0.00 2100.00'],
      ['margin_period_not_closed'],
    ]);
    expect(await asked('2099-01-01', '2099-03-31')).to.deep.equal([
      ['2099-03-31 margin/2099-03-31 8190 2100.00 0.00', '2099-03-31 margin/2099-03-31 1530 0.00 2100.00'],
      ['margin_period_not_over'],
    ]);
    expect(await asked('2099-10-01', '2099-12-31')).to.deep.equal([
      ['2099-12-31 margin/2099-12-31 8190 0.00 2100.00', '2099-12-31 margin/2099-12-31 1530 2100.00 0.00'],
      ['margin_period_not_over'],
    ]);
    expect(await asked('2099-02-01', '2099-03-30')).to.deep.equal([[], []]);
  });

  it('says in the summary that a period or a year is over and not closed', async () => {
    await trade();
    const warned = async (to: string) => {
      const { summary } = await journalOf(client, FROM, to);
      return summary.warnings.map(({ code }: Json) => code);
    };
    expect(await warned('2025-03-31')).to.deep.equal(['margin_period_not_closed']);
    expect(await warned('2025-03-30')).to.deep.equal([]);

    await close(client, '2025-03-31');

    expect(await warned('2025-03-31')).to.deep.equal([]);
    expect(await warned(TO)).to.deep.equal(['margin_period_not_closed']);
    await close(client, TO);
    expect(await warned(TO)).to.deep.equal([]);
  });

  it('says in the summary that nobody has said how the margin of a sale counts', async () => {
    await setGarage(client, { margin_method: null });
    await sold('2025-02-01', 12_100);
    await bought('2025-05-01', 12_100);
    const warned = async (from: string, to: string, more: Json = {}) => {
      const { summary } = await exported(client, { resource: 'journal', from, to, ...more });
      return summary.warnings.map(({ code }: Json) => code);
    };
    expect(await warned(FROM, TO)).to.deep.equal(['margin_method_empty']);
    expect(await warned('2025-02-02', TO)).to.deep.equal([]);
    expect(await warned(FROM, TO, { journals: ['purchases', 'bank'] })).to.deep.equal([]);
    await close(client, '2025-03-31');
    expect(await warned(FROM, '2025-03-31')).to.deep.equal([]);
    await setGarage(client, { books_closed_until: null });

    await client.post('/vatregime', { valid_from: '2025-04-01', margin_method: marginmethods.INDIVIDUAL });
    await sold('2025-06-01', 12_100);

    expect(await warned('2025-03-01', TO)).to.deep.equal([]);
    expect(await warned(FROM, TO)).to.deep.equal(['margin_method_empty']);
    await setFirstRegime(client, { margin_method: marginmethods.INDIVIDUAL });
    expect(await warned(FROM, TO)).to.deep.equal([]);
  });

  it('goes by the settings of each day', async () => {
    await client.post('/vatregime', { valid_from: '2025-07-01', margin_method: marginmethods.INDIVIDUAL });
    await trade();

    const journal = await journalOf(client, FROM, TO);

    expect(shown(journal).map((text) => text.slice(0, 10))).to.deep.equal([
      ...['2025-03-31', '2025-03-31', '2025-06-30', '2025-06-30'],
    ]);
    const ofSale = journal.lines.filter(
      ({ account, journal: name }) => account === '1530' && name === 'sales',
    );
    expect(ofSale.map(({ date, credit }) => `${date} ${credit}`)).to.deep.equal(['2025-11-01 12148.76']);
  });

  it('needs the account of the VAT for a year that is settled while margins count for each car', async () => {
    await client.post('/vatregime', { valid_from: '2025-10-01', margin_method: marginmethods.INDIVIDUAL });
    await sold('2025-02-01', 50_000);
    await sold('2025-05-01', 100_000);
    await bought('2025-08-01', 100_000);
    await setGarage(client, { margin_vat_account: null });
    const ask = (from: string, to: string) => client.post('/export', { resource: 'journal', from, to });

    const { status, body } = await ask('2025-10-01', TO);

    expect(status).to.equal(403);
    expect(body.errors.map(({ field }: Json) => field)).to.deep.equal(['margin_vat_account']);
    expect((await ask('2025-11-01', '2025-11-30')).status).to.equal(202);
    await setGarage(client, { margin_vat_account: '1530' });
    // Declared are 8,677.69 + 17,355.37, and the year bears 21/121 of 50,000: 8,677.69.
    expect(shown(await journalOf(client, '2025-10-01', TO))).to.deep.equal([
      '2025-12-31 margin/2025-12-31 8190 0.00 17355.37',
      '2025-12-31 margin/2025-12-31 1530 17355.37 0.00',
    ]);
  });
});
