// The refusals of POST /document/generate, and their order.
import { LISTS } from '../../../../src/core/trade/lists.ts';
import { build, buildBuyer, buildInvoice } from '../../../support/build/build.ts';
import { addLine, invoiceIt } from '../../../support/build/order.ts';
import { type Client, type Json, newClient } from '../../../support/client/client.ts';
import { expect } from '../../../support/client/expect.ts';
import { messages } from '../../../support/client/resources.ts';

const { INVOICE, CREDIT_NOTE, QUOTATION } = LISTS.documenttypes;
const webhook_url = 'https://localhost/hook';

describe('POST /document/generate', () => {
  let client: Client;
  let contact_id: number;
  let order: { id: number };
  before(async () => {
    client = await newClient();
    contact_id = (await buildBuyer(client)).id;
    order = await build(client, 'order', { contact_id });
  });

  const ask = (body: Json) => client.post('/document/generate', { webhook_url, ...body });
  const invalid = (value: unknown, validation: string) =>
    `Field: [order_ids] has an invalid value: [${value}] for validation: [${validation}]`;

  it('requires all its fields, and at least one order', async () => {
    expect(messages(await client.post('/document/generate', { webhook_url }))).to.deep.equal([
      'Field: [document_type] is required and not supplied in request',
      'Field: [order_ids] is required and not supplied in request',
    ]);
    expect(await ask({ document_type: QUOTATION, order_ids: [] })).to.be.refused(
      403,
      'Field: [order_ids] minimum 1 element is required in array',
    );
  });

  it('takes an array of int4 with at most 1,000 elements', async () => {
    for (const [order_ids, value, datatype] of [
      [5, '5', 'int4[]'],
      ['5', '5', 'int4[]'],
      [{ id: 5 }, '{"id":5}', 'int4[]'],
      [[5, 'x'], 'x', 'int4'],
      [[5, null], 'null', 'int4'],
      [[1.5], '1.5', 'int4'],
      [[2 ** 31], '2147483648', 'int4'],
      [[[5]], '[5]', 'int4'],
    ] as const)
      expect(await ask({ document_type: QUOTATION, order_ids })).to.be.refused(
        403,
        `Field: [order_ids] has an invalid value: [${value}] for datatype: ${datatype}`,
      );
    const several = await ask({ document_type: QUOTATION, order_ids: ['x', order.id, null, 1.5] });
    expect(messages(several)).to.deep.equal(
      ['x', 'null', '1.5'].map(
        (value) => `Field: [order_ids] has an invalid value: [${value}] for datatype: int4`,
      ),
    );
    const order_ids = Array.from({ length: 1001 }, () => order.id);
    expect(await ask({ document_type: QUOTATION, order_ids })).to.be.refused(403, invalid(1001, '1..1000'));
    expect((await ask({ document_type: QUOTATION, order_ids: order_ids.slice(1) })).status).to.equal(202);
  });

  it('names all violations, in the order of the fields', async () => {
    const answer = await ask({ order_ids: [], document_type: 9, colour: 1, webhook_url: 'http://x.example' });

    expect(messages(answer)).to.deep.equal([
      'Field: [webhook_url] has an invalid value: [http://x.example] for validation: [https, publicly accessible]',
      'Field: [order_ids] minimum 1 element is required in array',
      'Field: [document_type] has an invalid value: [9] for validation: [documenttypes]',
      'Field: [colour] not found in model',
    ]);
  });

  it('refuses orders of another garage, and names each', async () => {
    const theirs = await build(await newClient(), 'order');

    const answer = await ask({ document_type: INVOICE, order_ids: [theirs.id, order.id, 0] });

    expect(answer.status).to.equal(404);
    expect(messages(answer)).to.deep.equal([
      `Field: [order_ids] value: [${theirs.id}] ID not found`,
      'Field: [order_ids] value: [0] ID not found',
    ]);
  });

  it('makes invoices and credit notes of invoiced orders only', async () => {
    for (const document_type of [INVOICE, CREDIT_NOTE])
      expect(await ask({ document_type, order_ids: [order.id] })).to.be.refused(
        403,
        invalid(order.id, 'invoiced order'),
      );
  });

  it('takes invoices and credit orders for both types', async () => {
    const invoiced = await buildInvoice(client, { contact_id });
    const order_type = LISTS.ordertypes.INTERNAL_REVERSAL;
    const credit = await build(client, 'order', { order_type, contact_id, credited_order_id: invoiced.id });
    await addLine(client, credit.id, { quantity: -1 });
    await invoiceIt(client, credit.id);

    for (const document_type of [CREDIT_NOTE, INVOICE])
      expect((await ask({ document_type, order_ids: [credit.id, invoiced.id] })).status).to.equal(202);
  });

  it('checks the webhook before the orders', async () => {
    const asked = { document_type: QUOTATION, order_ids: [0], webhook_url: 'https://10.0.0.1/' };

    expect(await ask(asked)).to.be.refused(
      403,
      'Field: [webhook_url] has an invalid value: [https://10.0.0.1/] for validation: [https, publicly accessible]',
    );
  });

  it('tells where the webhook must not lead together with all that is wrong with its fields', async () => {
    const refused = (url: string) =>
      `Field: [webhook_url] has an invalid value: [${url}] for validation: [https, publicly accessible]`;

    const answer = await ask({ document_type: 9, webhook_url: 'https://10.0.0.1/', colour: 1 });
    const missing = await ask({ document_type: QUOTATION, webhook_url: 'https://10.0.0.1/' });

    expect(messages(answer)).to.deep.equal([
      refused('https://10.0.0.1/'),
      'Field: [document_type] has an invalid value: [9] for validation: [documenttypes]',
      'Field: [colour] not found in model',
    ]);
    expect(messages(missing), 'required fields are a later stage').to.deep.equal([
      refused('https://10.0.0.1/'),
    ]);
  });

  it('needs no webhook_url, where a backup does', async () => {
    const body = { document_type: QUOTATION, order_ids: [order.id] };

    expect((await client.post('/document/generate', body)).status).to.equal(202);
    expect((await client.post('/document/generate', { ...body, webhook_url: null })).status).to.equal(202);
    expect(await client.post('/backup/owner', { webhook_url: null })).to.be.refused(
      403,
      'Field: [webhook_url] is required and not supplied in request',
    );
  });

  it('refuses a READONLY user', async () => {
    const reader = await newClient({ role: 'READONLY' });

    expect(await reader.post('/document/generate', {})).to.be.refused(
      403,
      'Endpoint: [POST /document/generate] is not allowed for this user',
    );
  });
});
