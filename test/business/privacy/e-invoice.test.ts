// An e-invoice is an invoice: it stays if its contact is anonymised, and goes with the invoice.
import { build, buildBuyer, buildInvoice } from '../../support/build/build.ts';
import { type Client, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { execute } from '../../support/database/sql.ts';
import { askForEInvoices, eInvoices } from '../../support/files/e-invoice.ts';
import { filesWith, tablesWith } from '../../support/files/leak.ts';
import { readUbl } from '../../support/files/ubl.ts';
import { database } from '../../support/service/service.ts';
import { tidyAll } from '../../support/service/tidy.ts';
import { anonymise } from './scene.ts';

const NAME = 'Zeldzaamheid';
const KVK = '76543298';
const REFERENCE = 'Kostenplaats-Zeldzaam';
const TEXTS = [NAME, KVK, REFERENCE];

describe('an e-invoice of somebody who is anonymised', function () {
  this.timeout(60_000);
  let client: Client;
  let contact: number;
  let invoice: number;
  let xml: string;
  before(async () => {
    client = await newClient();
    const buyer = await buildBuyer(client, { last_name: NAME, kvk_number: KVK, peppol_id: `0106:${KVK}` });
    contact = buyer.id;
    const order = { contact_id: contact, buyer_reference: REFERENCE };
    invoice = (await buildInvoice(client, order)).id;
    await build(client, 'order', order);
    xml = await newest();
    await anonymise(client, contact);
  });

  it('stays as a document, and is the same again', async () => {
    const { data } = await client.get(`/document?filter=order_id:${invoice}`);
    expect(data.map(({ mime_type }: { mime_type: string }) => mime_type)).to.deep.equal(['application/xml']);
    expect((await client.get(`/contact/${contact}`)).data).to.include({ peppol_id: null, kvk_number: null });
    expect(await tablesWith(TEXTS)).to.deep.equal({ invoiceparties: 1, orders: 1 });

    expect(await newest()).to.equal(xml);
    const { endpoint } = readUbl(xml, { endpoint: '//cac:AccountingCustomerParty//cbc:EndpointID' });
    expect(endpoint).to.deep.equal([KVK]);
  });

  it('goes when the law no longer keeps the invoice', async () => {
    await execute(
      database(),
      'UPDATE orders SET invoice_date = invoice_date - INTERVAL 8 YEAR WHERE id = ?',
      [invoice],
    );

    await tidyAll();

    expect(await tablesWith(TEXTS)).to.deep.equal({});
    // The archive of the last request expires like all archives.
    expect((await filesWith(TEXTS)).filter((name) => !name.endsWith('.zip'))).to.deep.equal([]);
    const { body } = await askForEInvoices(client, { order_ids: [invoice] });
    expect(body.errors[0]).to.include({ field: 'street', resource: 'contact', id: contact });
  });

  const newest = async () =>
    String([...(await eInvoices(client, { order_ids: [invoice], format: 'peppol' })).values()][0]);
});
