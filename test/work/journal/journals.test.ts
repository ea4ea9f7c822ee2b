// `journals` of POST /export: only the journals that were asked for, and only the accounts that they need.
import { readFile } from 'node:fs/promises';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { JOURNAL_FORMATS } from '../../../src/work/journal/form.ts';
import { setGarage } from '../../support/books/books.ts';
import { AUDITFILE_SCHEMA, readXaf } from '../../support/books/journal-file.ts';
import { build, buildBuyer, buildInvoice } from '../../support/build/build.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { exported } from '../../support/client/export.ts';

const { ordertypes, purchaseproofs, paymentmethods } = LISTS;
const DAYS = { from: '2020-01-01', to: '2099-12-31' };

describe('the journals of a journal', () => {
  let client: Client;
  beforeEach(async () => {
    client = await newClient();
    const group = await build(client, 'turnovergroup', {
      ledger_account: '8000',
      cost_ledger_account: '7000',
    });
    const of = { turnover_group_id: group.id };
    const sale = await buildInvoice(client, {}, of);
    const bought = {
      ...{ order_type: ordertypes.VEHICLE_PURCHASE, purchase_proof: purchaseproofs.SUPPLIER_INVOICE },
      ...{ contact_id: (await buildBuyer(client)).id, supplier_invoice_number: 'S-1' },
    };
    const purchase = await buildInvoice(client, bought, of);
    for (const [order_id, method] of [
      [sale.id, paymentmethods.BANK],
      [sale.id, paymentmethods.PIN],
      [purchase.id, paymentmethods.BANK],
    ])
      await build(client, 'payment', { order_id, method, amount: 1, paid_at: new Date().toISOString() });
    await client.post('/order/credit', { order_id: sale.id, is_invoiced: 1 });
  });

  const journal = (journals: string[], more: Json = {}) =>
    exported(client, { resource: 'journal', ...DAYS, journals, ...more });
  const namesIn = ({ summary }: { summary: Json }) => Object.keys(summary.journals as object);

  it('are those that were asked for, in each format', async () => {
    const chosen = ['sales', 'pin', 'offset'];
    for (const format of JOURNAL_FORMATS)
      expect(namesIn(await journal(chosen, { format })), format).to.have.members(chosen);

    const { text } = await journal(chosen, { format: 'xaf' });
    const { journals } = readXaf(text, await readFile(AUDITFILE_SCHEMA, 'utf8'));
    expect(journals).to.have.members(chosen);
    for (const one of ['sales', 'purchases', 'bank', 'pin', 'offset'])
      expect(namesIn(await journal([one, one])), one).to.deep.equal([one]);
    expect(namesIn(await journal(['cash', 'other', 'margin']))).to.deep.equal([]);
  });

  it('need no account of another journal', async () => {
    await setGarage(client, { bank_account: null, creditor_account: null, input_vat_account: null });

    expect(namesIn(await journal(['sales', 'pin', 'offset']))).to.have.members(['sales', 'pin', 'offset']);
    const answer = await client.post('/export', { resource: 'journal', ...DAYS, journals: ['bank'] });
    expect(answer.body.errors.map(({ field }: Json) => field)).to.deep.equal([
      'creditor_account',
      'bank_account',
    ]);
  });

  it('have names', async () => {
    const ask = (journals: unknown) => client.post('/export', { resource: 'journal', ...DAYS, journals });

    const invalid = (value: string) =>
      `Field: [journals] has an invalid value: [${value}] for validation: [journals]`;
    expect(await ask(['sales', 'Bank'])).to.be.refused(403, invalid('Bank'));
    expect(await ask([])).to.be.refused(403, 'Field: [journals] minimum 1 element is required in array');
    expect(await ask('sales')).to.be.refused(
      403,
      'Field: [journals] has an invalid value: [sales] for datatype: varchar[]',
    );
    expect((await ask(null)).status).to.equal(202);
  });
});
