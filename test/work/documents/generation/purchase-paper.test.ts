// The papers of purchases, requested over HTTP: which ones the garage makes, and who is seller and buyer on them.
import { LISTS } from '../../../../src/core/trade/lists.ts';
import { build, buildBuyer, buildInvoice } from '../../../support/build/build.ts';
import { addLine, invoiceIt } from '../../../support/build/order.ts';
import { type Client, type Json, newClient } from '../../../support/client/client.ts';
import { expect } from '../../../support/client/expect.ts';
import { messages } from '../../../support/client/resources.ts';
import { select } from '../../../support/database/sql.ts';
import { askForEInvoices, eInvoices, generated } from '../../../support/files/e-invoice.ts';
import { readPdf } from '../../../support/files/pdf.ts';
import { pdfOf, readUbl } from '../../../support/files/ubl.ts';
import { database } from '../../../support/service/service.ts';

const { documenttypes, documentkinds, ordertypes, linekinds, vatcodes, contactkinds, orderstatuses } = LISTS;
const { SUPPLIER_INVOICE, SELF_BILLED, STATEMENT } = LISTS.purchaseproofs;
const { INVOICE, CREDIT_NOTE, UBL, PURCHASE_STATEMENT } = documenttypes;
const PARTY = {
  type: '/*/*[self::cbc:InvoiceTypeCode or self::cbc:CreditNoteTypeCode]',
  seller: '//cac:AccountingSupplierParty//cbc:RegistrationName',
  sellerVat: '//cac:AccountingSupplierParty//cac:PartyTaxScheme/cbc:CompanyID',
  buyer: '//cac:AccountingCustomerParty//cbc:RegistrationName',
  account: '//cac:PayeeFinancialAccount/cbc:ID',
} as const;
const SELLER = {
  contact_kind: contactkinds.COMPANY,
  company_name: 'Autohandel Peters B.V.',
  kvk_number: '87654321',
  vat_number: 'NL123456782B90',
  iban: 'NL20INGB0001234567',
  self_billing_agreed_at: '2026-01-05',
};

describe('the papers of a purchase', () => {
  let client: Client;
  let seller: Json;
  let person: Json;
  before(async () => {
    client = await newClient();
    seller = await buildBuyer(client, SELLER);
    person = await buildBuyer(client, { first_name: 'Anna' });
  });

  it('are those that the garage makes out, and no invoice of another one', async () => {
    const bought = await purchase(SUPPLIER_INVOICE, { supplier_invoice_number: 'P-1' });
    const stated = await purchase(STATEMENT, { contact_id: person.id });
    const sold = await build(client, 'order', { contact_id: seller.id });
    const refusal = (id: number, validation: string) =>
      `Field: [order_ids] has an invalid value: [${id}] for validation: [${validation}]`;

    for (const document_type of [INVOICE, CREDIT_NOTE, UBL])
      expect(messages(await ask(document_type, bought, stated))).to.deep.equal([
        refusal(bought, 'own invoice'),
        refusal(stated, 'own invoice'),
      ]);
    // A proof says nothing about a sale.
    const sale = await buildInvoice(client, { purchase_proof: STATEMENT });
    expect(messages(await ask(PURCHASE_STATEMENT, bought, Number(sold.id), stated, sale.id))).to.deep.equal([
      refusal(bought, 'purchase statement'),
      refusal(Number(sold.id), 'invoiced order'),
      refusal(sale.id, 'purchase statement'),
    ]);
  });

  it('are a statement for a private seller, kept with the purchase', async () => {
    const anna = await buildBuyer(client, { first_name: 'Anna' });
    const id = await purchase(STATEMENT, {
      contact_id: anna.id,
      mileage: 61_234,
      supply_date: '2026-03-02',
    });
    await client.put(`/contact/${anna.id}`, { last_name: 'Later' });

    const [[name, bytes] = []] = await generated(client, {
      document_type: PURCHASE_STATEMENT,
      order_ids: [id],
    });

    const { text } = await readPdf(bytes ?? Buffer.alloc(0), 'purchase-statement-generated');
    expect(name).to.match(/^inkoopverklaring-.*\.pdf$/);
    expect(text).to.include('Leverdatum 2 maart 2026');
    expect(text).to.match(/Verkoper .*Anna de Boer .*Koper .*61\.234 km.*€ 8\.500,00.*Handtekening verkoper/);
    const [record] = (await client.get(`/document?filter=order_id:${id}`)).data;
    expect(record).to.include({ document_kind: documentkinds.PURCHASE_STATEMENT, contact_id: anna.id });
  });

  it('are a credit note for a private seller whose car goes back', async () => {
    const anna = await buildBuyer(client, { first_name: 'Anna' });
    const id = await purchase(STATEMENT, { contact_id: anna.id });
    const { invoice_number } = (await client.get(`/order/${id}`)).data;
    const credit = (await client.post('/order/credit', { order_id: id, is_invoiced: 1 })).data;

    const [[name, bytes] = []] = await generated(client, {
      document_type: CREDIT_NOTE,
      order_ids: [credit.id],
    });

    const { text } = await readPdf(bytes ?? Buffer.alloc(0), 'purchase-credit-generated');
    expect(name).to.equal(`creditnota-${credit.invoice_number}.pdf`);
    expect(text)
      .to.match(
        /Creditnota.*Verkoper .*Anna de Boer .*Koper .*Aankoopbedrag.*€ -?8\.500,00.*heeft het voertuig terug/,
      )
      .and.include(`Creditering van ${invoice_number}`);
    const [record] = (await client.get(`/document?filter=order_id:${credit.id}`)).data;
    expect(record).to.include({ document_kind: documentkinds.CREDIT_NOTE, contact_id: anna.id });
    for (const document_type of [INVOICE, UBL])
      expect(messages(await ask(document_type, credit.id))).to.deep.equal([
        `Field: [order_ids] has an invalid value: [${credit.id}] for validation: [own invoice]`,
      ]);
  });

  it('are an invoice with the seller as the seller, as seller and garage were on that day', async () => {
    const peters = await buildBuyer(client, SELLER);
    const id = await purchase(SELF_BILLED, { contact_id: peters.id });
    await client.put(`/contact/${peters.id}`, { iban: 'NL91ABNA0417164300' });

    const [[, xml] = []] = await eInvoices(client, { order_ids: [id] });

    expect(readUbl(xml ?? '', PARTY)).to.deep.equal({
      type: ['389'],
      seller: [SELLER.company_name],
      sellerVat: [SELLER.vat_number],
      buyer: ['Garage De Vries B.V.'],
      account: [SELLER.iban],
    });
    const { text } = await readPdf(pdfOf(xml ?? ''), 'self-billed-generated');
    expect(text).to.match(/^ ?Autohandel Peters B\.V\..*Factuur uitgereikt door afnemer/);
    const [record] = (await client.get(`/document?filter=order_id:${id}`)).data;
    expect(record).to.include({ document_kind: documentkinds.E_INVOICE, contact_id: peters.id });
  });

  it('keep the account of the seller with an invoice that the garage makes out, and with no other', async () => {
    const ids = [await purchase(SELF_BILLED), await purchase(STATEMENT, { contact_id: person.id })];

    const rows = await select(
      database(),
      'SELECT buyer FROM invoiceparties WHERE order_id IN (?, ?) ORDER BY order_id',
      ids,
    );

    const accounts = rows.map(({ buyer }) => JSON.parse(String(buyer)).iban);
    expect(accounts).to.deep.equal([SELLER.iban, undefined]);
  });

  it('are not for the Peppol network, and name what seller and garage lack', async () => {
    const bare = await buildBuyer(client, { ...SELLER, kvk_number: null, iban: null, external_id: 'bare' });
    const id = await purchase(SELF_BILLED, { contact_id: bare.id, reference: null });

    const peppol = await askForEInvoices(client, { order_ids: [id], format: 'peppol' });
    const nlcius = await askForEInvoices(client, { order_ids: [id] });

    expect(peppol).to.be.refused(
      403,
      'Field: [format] has an invalid value: [peppol] for validation: [self billed]',
    );
    expect(
      nlcius.body.errors.map(({ field, resource, id: of }: Json) => [field, resource, of]),
    ).to.deep.equal([
      ['kvk_number', 'contact', bare.id],
      ['iban', 'contact', bare.id],
      ['buyer_reference', 'order', id],
    ]);
  });

  it('are a credit note with the same seller and buyer', async () => {
    const id = await purchase(SELF_BILLED);
    const credit = await client.post('/order/credit', { order_id: id, is_invoiced: 1 });
    expect(credit.status, credit.text).to.equal(201);

    const [[, xml] = []] = await eInvoices(client, { order_ids: [credit.data.id] });

    expect(readUbl(xml ?? '', PARTY)).to.deep.include({
      type: ['381'],
      seller: [SELLER.company_name],
      account: [],
    });
  });

  const ask = (document_type: number, ...order_ids: number[]) =>
    client.post('/document/generate', { document_type, order_ids });

  /** An invoiced purchase of a car for € 8,500. */
  async function purchase(purchase_proof: number, changes: Json = {}): Promise<number> {
    const vehicle = await build(client, 'vehicle', { stock_status: LISTS.stockstatuses.CUSTOMER });
    const { id } = await build(client, 'order', {
      order_type: ordertypes.VEHICLE_PURCHASE,
      contact_id: seller.id,
      vehicle_id: vehicle.id,
      reference: 'R-1',
      purchase_proof,
      ...changes,
    });
    const vat_code = purchase_proof === STATEMENT ? vatcodes.MARGIN : vatcodes.HIGH;
    await addLine(client, id, {
      line_kind: linekinds.VEHICLE,
      vehicle_id: vehicle.id,
      price: 8500,
      vat_code,
    });
    const answer = await invoiceIt(client, id);
    expect(answer.data?.order_status, answer.text).to.equal(orderstatuses.INVOICE);
    return id;
  }
});
