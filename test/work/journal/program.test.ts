// What each format gives a bookkeeping program beside the amounts: the due date, the VAT code in the words of the
// program, and the reference of a payment.
import { readFile } from 'node:fs/promises';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { setGarage } from '../../support/books/books.ts';
import { journalOf } from '../../support/books/journal.ts';
import { AUDITFILE_SCHEMA, readXaf, textsIn } from '../../support/books/journal-file.ts';
import { build, buildInvoice } from '../../support/build/build.ts';
import { dayOf } from '../../support/build/day.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { exported } from '../../support/client/export.ts';

const { vatcodes, paymentmethods } = LISTS;
const DAYS = { from: '2020-01-01', to: '2099-12-31' };
const LINE = '//GLTransaction[1]/GLTransactionLine';

describe('a bookkeeping program', () => {
  let client: Client;
  let sale: Json;
  let due: string;
  beforeEach(async () => {
    client = await newClient();
    await setGarage(client, { vat_codes: '{"1": "VH", "3": "V0", "9": "V0"}' });
    const group = await build(client, 'turnovergroup', { ledger_account: '8000' });
    sale = await buildInvoice(
      client,
      {},
      { turnover_group_id: group.id, vat_code: vatcodes.HIGH, price: 100 },
    );
    due = dayOf(String(sale.due_date));
    const paid = { order_id: sale.id, amount: 21, method: paymentmethods.BANK };
    await build(client, 'payment', { ...paid, reference: 'NL-7 <&>', paid_at: new Date().toISOString() });
    await build(client, 'payment', { ...paid, paid_at: new Date().toISOString() });
    for (const vat_code of [vatcodes.ZERO, vatcodes.EXEMPT])
      await buildInvoice(client, {}, { turnover_group_id: group.id, vat_code, price: 10 });
  });

  const file = async (format: string) =>
    (await exported(client, { resource: 'journal', ...DAYS, format })).text;

  it('gets them in Exact', async () => {
    const text = await file('exact');

    expect(textsIn(text, `${LINE}/DueDate`)).to.deep.equal([due, due, due]);
    expect(textsIn(text, `${LINE}/VATCode`)).to.deep.equal(['VH', 'VH']);
    expect(textsIn(text, `${LINE}[2]/*`, 'names')).to.deep.equal([
      ...['Date', 'FinYear', 'FinPeriod', 'GLAccount', 'Description', 'DueDate', 'VATCode', 'Account'],
      ...['Amount', 'References'],
    ]);
    const payments = `//GLTransaction[starts-with(Description, "Payment")]/GLTransactionLine`;
    expect(textsIn(text, `${payments}/DueDate`)).to.deep.equal([]);
    expect(new Set(textsIn(text, `${payments}/Description`))).to.deep.equal(
      new Set([`Payment of ${sale.invoice_number}: NL-7 <&>`, `Payment of ${sale.invoice_number}`]),
    );
    // A code that the program has no word for keeps its name.
    expect(textsIn(text, '//GLTransactionLine/VATCode').slice(2)).to.deep.equal(['V0', 'EXEMPT']);
  });

  it('gets them in Twinfield', async () => {
    const text = await file('twinfield');

    expect(textsIn(text, '//transaction[1]/header/duedate')).to.deep.equal([due.replaceAll('-', '')]);
    expect(textsIn(text, '//transaction[1]/lines/line/vatcode')).to.deep.equal(['VH', 'VH']);
    const payment = '//transaction[starts-with(lines/line/description, "Payment")]';
    expect(textsIn(text, `${payment}/header/duedate`)).to.deep.equal([]);
    expect(textsIn(text, `${payment}[1]/lines/line/description`)[0]).to.equal(
      `Payment of ${sale.invoice_number}: NL-7 <&>`.slice(0, 40),
    );
  });

  it('gets the VAT code on each line of an Auditfile, and the amount of VAT once', async () => {
    const text = await file('xaf');

    readXaf(text, await readFile(AUDITFILE_SCHEMA, 'utf8'));
    const of = (name: string) => textsIn(text, `//*[local-name()="${name}"]`);
    expect(of('vatID')).to.deep.equal(['VH', 'V0', 'EXEMPT', 'VH', 'VH', 'V0', 'EXEMPT']);
    expect(of('vatPerc')).to.deep.equal(['21', '21', '0', '0']);
    expect(of('vatAmnt')).to.deep.equal(['0.00', '21.00', '0.00', '0.00']);
  });

  it('gets the reference of a payment in SnelStart and in a CSV, whose VAT codes are our numbers', async () => {
    const { lines } = await journalOf(client, DAYS.from, DAYS.to);

    const description = `Payment of ${sale.invoice_number}: NL-7 <&>`;
    expect(await file('snelstart')).to.include(`;${description};`);
    expect(lines.filter((line) => line.description === description)).to.have.length(2);
    expect(lines.slice(0, 3).map(({ vat_code }) => vat_code)).to.deep.equal(['', '1', '1']);
  });

  it('gets no codes from a text that is no object of them', async () => {
    const refusal = (value: string) =>
      `Field: [vat_codes] has an invalid value: [${value}] for validation: [vat codes]`;

    for (const bad of ['VH', '{"10": "X"}'])
      expect(await client.put(`/owner/${client.garage.owner}`, { vat_codes: bad })).to.be.refused(
        403,
        refusal(bad),
      );
  });
});
