// Credit notes in the journal: what settles an invoice and its credit note goes from one number to the other, so that
// the ledger has the open amount of each.

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { setGarage } from '../../support/books/books.ts';
import { journalOf, type Line, sumsBy } from '../../support/books/journal.ts';
import { readExact, readSnelstart, readTwinfield, readXaf } from '../../support/books/journal-file.ts';
import { build, buildBuyer } from '../../support/build/build.ts';
import { addLine, invoiceIt } from '../../support/build/order.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { exported } from '../../support/client/export.ts';

const { ordertypes, paymentmethods, purchaseproofs } = LISTS;
const [FROM, TO] = ['2020-01-01', '2099-12-31'];
const SCHEMA = fileURLToPath(
  new URL('../../../../test/work/journal/xaf/XmlAuditfileFinancieel4.0.xsd', import.meta.url),
);

describe('a settled credit note in the journal', () => {
  let client: Client;
  let group: { id: number };
  beforeEach(async () => {
    client = await newClient();
    group = await build(client, 'turnovergroup', { ledger_account: '8000', cost_ledger_account: '7000' });
  });

  const invoiced = async (order: Json, price: number) => {
    const contact_id = (await buildBuyer(client)).id;
    const { id } = await build(client, 'order', { order_type: ordertypes.WORKSHOP, contact_id, ...order });
    await addLine(client, id, { price, turnover_group_id: group.id });
    const answer = await invoiceIt(client, id);
    expect(answer.status, answer.text).to.equal(200);
    return answer.data;
  };
  const credited = async (order_id: number) => {
    const answer = await client.post('/order/credit', { order_id, is_invoiced: 1 });
    expect(answer.status, answer.text).to.equal(201);
    return answer.data;
  };
  const read = async (id: number) => (await client.get(`/order/${id}`)).data;
  const pay = (order_id: number, amount: number) =>
    build(client, 'payment', { order_id, amount, method: paymentmethods.BANK, paid_at: '2026-03-01' });
  const offsets = (lines: readonly Line[]) =>
    lines
      .filter(({ journal }) => journal === 'offset')
      .map(({ account, debit, credit, order_id, invoice_number }) => [
        ...[account, debit, credit, order_id, invoice_number],
      ]);
  /** Debit less credit in cents, by invoice. */
  const balances = (lines: readonly Line[], account: string) =>
    sumsBy(
      lines.filter((line) => line.account === account),
      ({ order_id }) => order_id,
    );

  it('leaves what was paid before with the credit note, as the open amounts say', async () => {
    const sale = await invoiced({}, 500);
    await pay(sale.id, 200);
    const note = await credited(sale.id);

    const { lines } = await journalOf(client, FROM, TO);

    expect(offsets(lines)).to.deep.equal([
      ['1300', '0.00', '405.00', String(sale.id), sale.invoice_number],
      ['1300', '405.00', '0.00', String(note.id), note.invoice_number],
    ]);
    expect(balances(lines, '1300')).to.deep.equal({ [sale.id]: 0, [note.id]: -20_000 });
    expect([(await read(sale.id)).amount_open, (await read(note.id)).amount_open]).to.deep.equal([0, -200]);
  });

  it('of an invoice below 0 goes the other way round', async () => {
    const refund = await invoiced({}, -100);
    const note = await credited(refund.id);

    const { lines } = await journalOf(client, FROM, TO);

    expect(offsets(lines)).to.deep.equal([
      ['1300', '121.00', '0.00', String(refund.id), refund.invoice_number],
      ['1300', '0.00', '121.00', String(note.id), note.invoice_number],
    ]);
    expect(balances(lines, '1300')).to.deep.equal({ [refund.id]: 0, [note.id]: 0 });
  });

  it('of a purchase debits creditors with the purchase and credits them with the credit note', async () => {
    const { id: contact_id } = await buildBuyer(client, {
      ...{ vat_number: 'NL123456782B12', self_billing_agreed_at: '2026-01-01' },
    });
    const self = { order_type: ordertypes.VEHICLE_PURCHASE, purchase_proof: purchaseproofs.SELF_BILLED };
    const purchase = await invoiced({ ...self, contact_id }, 1000);
    const note = await credited(purchase.id);

    const { lines, summary } = await journalOf(client, FROM, TO);

    expect(offsets(lines)).to.deep.equal([
      ['1600', '1210.00', '0.00', String(purchase.id), purchase.invoice_number],
      ['1600', '0.00', '1210.00', String(note.id), note.invoice_number],
    ]);
    expect(balances(lines, '1600')).to.deep.equal({ [purchase.id]: 0, [note.id]: 0 });
    expect(summary.journals.offset).to.deep.equal({ entries: 1, debtors: 0, creditors: 0 });
  });

  it('of a purchase by the invoice of the seller has the number of the seller on both lines', async () => {
    const supplier = { purchase_proof: purchaseproofs.SUPPLIER_INVOICE, supplier_invoice_number: 'S-1' };
    const purchase = await invoiced({ order_type: ordertypes.VEHICLE_PURCHASE, ...supplier }, 1000);
    const note = await credited(purchase.id);

    const { lines } = await journalOf(client, FROM, TO);
    const { text } = await exported(client, { resource: 'journal', from: FROM, to: TO, format: 'snelstart' });

    expect(balances(lines, '1600')).to.deep.equal({ [purchase.id]: 0, [note.id]: 0 });
    expect(new Set(readSnelstart(text).map(({ number }) => number))).to.deep.equal(new Set(['S-1']));
  });

  it('has the number of each invoice in every format, also of an invoice of 0', async () => {
    await setGarage(client, { margin_method: LISTS.marginmethods.INDIVIDUAL });
    const sale = await invoiced({}, 500);
    const note = await credited(sale.id);
    const nothing = await invoiced({}, 0);
    const file = async (format: string) =>
      (await exported(client, { resource: 'journal', from: FROM, to: TO, format })).text;

    const schema = await readFile(SCHEMA, 'utf8');
    const files = [
      readSnelstart(await file('snelstart')),
      readExact(await file('exact')),
      readTwinfield(await file('twinfield')),
      readXaf(await file('xaf'), schema).lines,
    ];

    for (const lines of files) {
      const sums: Record<string, number> = {};
      for (const { account, number, amount } of lines)
        if (account === '1300') sums[number] = (sums[number] ?? 0) + amount;
      expect(sums).to.deep.equal({
        [sale.invoice_number]: 0,
        [note.invoice_number]: 0,
        [nothing.invoice_number]: 0,
      });
    }
  });
});
