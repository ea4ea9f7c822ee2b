// Refusals of a journal before its job starts: wrong days, missing rights, and data that the period lacks.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { journalOf } from '../../support/books/journal.ts';
import { build, buildInvoice } from '../../support/build/build.ts';
import { addLine } from '../../support/build/order.ts';
import { type Client, clientOf, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { fetched } from '../../support/client/export.ts';
import { heldJob, letRun } from '../../support/service/job.ts';
import { makeGarage, theService } from '../../support/service/service.ts';

const { paymentmethods, vatcodes, ordertypes } = LISTS;
const DAYS = { from: '2020-01-01', to: '2099-12-31' };
const ACCOUNTS = [
  ...['debtor', 'creditor', 'vat_high', 'vat_low', 'input_vat', 'margin_vat', 'deposit', 'rounding'],
  ...['cash', 'pin', 'bank', 'ideal', 'other'],
];

describe('a journal', () => {
  let client: Client;
  beforeEach(async () => {
    client = await newClient();
  });

  const ask = (body: Json = DAYS) => client.post('/export', { resource: 'journal', ...body });
  const setOwner = (values: Json) => client.put(`/owner/${client.garage.owner}`, values);
  const withoutAccounts = () =>
    setOwner(Object.fromEntries(ACCOUNTS.map((name) => [`${name}_account`, null])));
  const invoiced = async (line: Json, overrides: Json = {}) => {
    const group = await build(client, 'turnovergroup', {
      ledger_account: '8000',
      cost_ledger_account: '7000',
    });
    return buildInvoice(client, overrides, { turnover_group_id: group.id, ...line });
  };
  /** `owner 1 debtor_account`, of each entry of the refusal. */
  const lacking = async () => {
    const { status, body } = await ask();
    expect(status).to.equal(403);
    for (const { message, field } of body.errors)
      expect(message).to.equal(`Field: [${field}] is required and cannot be empty`);
    return body.errors.map(({ resource, id, field }: Json) => `${resource} ${id} ${field}`);
  };

  for (const [body, status, message] of [
    [{ from: '2026-05-01' }, 403, 'Field: [to] is required and not supplied in request'],
    [
      { from: '2026-02-30', to: '2026-03-01' },
      403,
      'Field: [from] has an invalid value: [2026-02-30] for datatype: timestamp(ISO 8601)',
    ],
    [
      { from: '2026-02-01', to: '2026-03-01T00:00Z' },
      403,
      'Field: [to] has an invalid value: [2026-03-01T00:00Z] for datatype: timestamp(ISO 8601)',
    ],
    [
      { from: 20260201, to: '2026-03-01' },
      403,
      'Field: [from] has an invalid value: [20260201] for datatype: timestamp(ISO 8601)',
    ],
    [
      { from: '2026-05-02', to: '2026-05-01' },
      403,
      'Field: [to] value: [2026-05-01] date must be after Field: [from] value: [2026-05-02]',
    ],
    [{ ...DAYS, filter: 'id:1' }, 403, 'Field: [filter] not found in model'],
    [
      { ...DAYS, format: 'ndjson' },
      403,
      'Field: [format] has an invalid value: [ndjson] for validation: [csv,snelstart,exact,twinfield,xaf]',
    ],
    [{ ...DAYS, decimal: ';' }, 403, 'Field: [decimal] has an invalid value: [;] for validation: [. or ,]'],
  ] as [Json, number, string][])
    it(`refuses ${JSON.stringify(body)}`, async () => {
      expect(await ask(body)).to.be.refused(status, message);
    });

  it('names a line without a turnover group, unless the line posts nothing', async () => {
    const { id } = await invoiced({ turnover_group_id: null });
    const [line] = (await client.get(`/orderline?filter=order_id:${id}`)).data;
    await invoiced({ turnover_group_id: null, price: 0 });

    expect(await lacking()).to.deep.equal([`orderline ${line.id} turnover_group_id`]);
  });

  it('names all missing accounts that the period needs, and no others', async () => {
    await withoutAccounts();
    const group = await build(client, 'turnovergroup', { cost_ledger_account: '7000' });
    const high = await buildInvoice(client, {}, { turnover_group_id: group.id });
    await build(client, 'payment', { order_id: high.id, amount: 1, method: paymentmethods.IDEAL });
    const { owner } = client.garage;

    expect(await lacking()).to.deep.equal([
      `turnovergroup ${group.id} ledger_account`,
      `owner ${owner} debtor_account`,
      `owner ${owner} vat_high_account`,
      `owner ${owner} ideal_account`,
    ]);
  });

  it('needs the accounts of margin, low VAT and costs if it posts to them', async () => {
    await setOwner({ margin_vat_account: ' ', vat_low_account: null });
    await invoiced({ price: 121, purchase_price: 0, vat_code: vatcodes.MARGIN });
    await invoiced({ vat_code: vatcodes.LOW });
    const group = await build(client, 'turnovergroup', { ledger_account: '8000' });
    const { VEHICLE_PURCHASE: order_type } = ordertypes;
    const purchase = { order_type, purchase_proof: LISTS.purchaseproofs.STATEMENT };
    await buildInvoice(client, purchase, { turnover_group_id: group.id, vat_code: vatcodes.MARGIN });
    const { owner } = client.garage;

    expect(await lacking()).to.deep.equal([
      `turnovergroup ${group.id} cost_ledger_account`,
      `owner ${owner} vat_low_account`,
      `owner ${owner} margin_vat_account`,
    ]);
  });

  it('needs the accounts of purchases, trade-ins, deposits and stock if it posts to them', async () => {
    await withoutAccounts();
    const bare = await build(client, 'turnovergroup');
    const stock = await build(client, 'turnovergroup', { stock_ledger_account: '3000' });
    const { TRADE_IN, DEPOSIT } = LISTS.linekinds;
    const of = (group: Json, line: Json) => ({ quantity: 1, ...line, turnover_group_id: group.id });
    const { REVERSE_CHARGE, ZERO } = vatcodes;
    const proof = { purchase_proof: 1, supplier_invoice_number: 'S-1' };
    await buildInvoice(
      client,
      { order_type: ordertypes.VEHICLE_PURCHASE, ...proof },
      of(bare, { vat_code: REVERSE_CHARGE }),
    );
    await buildInvoice(
      client,
      {},
      of(stock, { line_kind: TRADE_IN, quantity: -1, price: 1, vat_code: vatcodes.MARGIN }),
    );
    await buildInvoice(client, {}, { line_kind: DEPOSIT, vat_code: ZERO });
    await buildInvoice(client, {}, of(stock, { price: 0, purchase_price: 5, vat_code: ZERO }));
    const { owner } = client.garage;

    expect(await lacking()).to.deep.equal([
      `turnovergroup ${bare.id} cost_ledger_account`,
      `turnovergroup ${stock.id} cost_ledger_account`,
      ...['debtor', 'creditor', 'vat_high', 'input_vat', 'deposit'].map(
        (name) => `owner ${owner} ${name}_account`,
      ),
    ]);
  });

  it('needs no account for the VAT of margins if margins count over periods', async () => {
    await setOwner({ margin_vat_account: null, margin_method: LISTS.marginmethods.GLOBAL });
    await invoiced({ price: 121, purchase_price: 0, vat_code: vatcodes.MARGIN });

    expect((await journalOf(client, DAYS.from, DAYS.to)).summary.entries).to.equal(1);
  });

  it('needs nothing for a period without invoices and payments', async () => {
    await withoutAccounts();
    const order = await build(client, 'order');
    await addLine(client, order.id);

    expect((await journalOf(client, DAYS.from, DAYS.to)).lines).to.deep.equal([]);
  });

  it('fails if an account is emptied after the request, and names the account', async () => {
    await invoiced({});
    const job = await heldJob(client, {
      kind: 'journal',
      params: { ...DAYS, raw: 0 },
      webhookUrl: undefined,
    });
    await setOwner({ debtor_account: null });
    await letRun(job);
    theService().service.services.jobs.poke();

    const { owner } = client.garage;
    const message = `Field: [debtor_account] is required and cannot be empty: owner [${owner}]`;
    await fetched(client, job).then(
      () => expect.fail('the journal was made'),
      (error: Error) => expect(error.message).to.equal(message),
    );
  });

  it('needs a key that may read orders, lines and payments', async () => {
    const { owner } = client.garage;
    const allow = ['POST /export', 'GET /order', 'GET /orderline'];
    const narrow = clientOf(await makeGarage({ owner, allow }));

    expect(await narrow.post('/export', { resource: 'journal', ...DAYS })).to.be.refused(
      403,
      'Endpoint: [GET /payment] is not allowed for this api_key',
    );
  });
});
