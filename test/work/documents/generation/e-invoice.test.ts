// E-invoices from end to end: requested, made in a real thread, stored, and read from the zip.
import { createHash } from 'node:crypto';
import { LISTS } from '../../../../src/core/trade/lists.ts';
import { renderFile } from '../../../../src/work/documents/generation/file.ts';
import { readSource } from '../../../../src/work/documents/generation/order-source.ts';
import { build, buildBuyer, buildInvoice } from '../../../support/build/build.ts';
import { invoiceIt } from '../../../support/build/order.ts';
import { buildLeased } from '../../../support/build/work.ts';
import { type Client, type Json, newClient } from '../../../support/client/client.ts';
import { expect } from '../../../support/client/expect.ts';
import { eInvoices } from '../../../support/files/e-invoice.ts';
import { readPdf } from '../../../support/files/pdf.ts';
import { LINES, pdfOf, readUbl, TOTALS } from '../../../support/files/ubl.ts';
import { database } from '../../../support/service/service.ts';

const { APPROVED } = LISTS.approvalstatuses;
const { vatcodes, documentkinds, documenttypes, linekinds, ordertypes } = LISTS;
const PARTIES = {
  seller: '//cac:AccountingSupplierParty//cbc:RegistrationName',
  buyer: '//cac:AccountingCustomerParty//cbc:RegistrationName',
  endpoint: '//cac:AccountingCustomerParty//cbc:EndpointID',
  reference: '/*/cbc:BuyerReference',
} as const;
const DRAFT = { buyer_reference: 'KP-7' };

describe('generating e-invoices', () => {
  let client: Client;
  let contact_id: number;
  before(async () => {
    client = await newClient();
    contact_id = (await buildBuyer(client, { last_name: 'Çelik', peppol_id: '0106:87654321' })).id;
  });

  it('puts the XML in a zip with an index, and records it as a document of its order', async () => {
    const { id, invoice_number } = await buildInvoice(client, { ...DRAFT, contact_id });

    const files = await eInvoices(client, { order_ids: [id], format: 'peppol' });

    const name = `factuur-${invoice_number}-peppol.xml`;
    expect([...files.keys()]).to.deep.equal([name, 'index.csv']);
    const { data: records } = await client.get(`/document?filter=order_id:${id}`);
    const xml = files.get(name) ?? Buffer.alloc(0);
    const sha256 = createHash('sha256').update(xml).digest('hex');
    expect(records).to.have.length(1);
    expect(records[0]).to.include({
      document_kind: documentkinds.E_INVOICE,
      name: `Factuur ${invoice_number} (UBL, peppol)`,
      file_name: name,
      mime_type: 'application/xml',
      contact_id,
      sha256,
    });
    expect(String(files.get('index.csv'))).to.match(new RegExp(`,${name},${xml.length},${sha256},`));
  });

  it('has any text of the records as it is, without control characters', async () => {
    const texts = ['Peters&Zn; Utrecht', 'R&D; x &#7;', 'a&amp;b', 'a]]>b', ' <b> "c"\td '];
    const buyer = await buildBuyer(client, { last_name: `Peters&Zn; Utrecht\u0007\ufffe` });
    const order = await invoiced(
      { contact_id: buyer.id },
      texts.map((text) => ({ description: `${text}\u0001`, price: 10 })),
    );

    const [xml = ''] = (await eInvoices(client, { order_ids: [order.id] })).values();

    expect(readUbl(xml, LINES).name).to.deep.equal(texts);
    expect(readUbl(xml, PARTIES).buyer[0]).to.match(/Peters&Zn; Utrecht$/);
  });

  it('has the totals of the order and of the PDF that it holds', async () => {
    const { INTRA_COMMUNITY: _, EXPORT: __, ...domestic } = vatcodes;
    const lines = Object.values(domestic).map((vat_code) => ({ vat_code, quantity: 1.2345, price: 33.3333 }));
    const buyer = await buildBuyer(client, { vat_number: 'NL004495445B01' });
    const order = await invoiced({ contact_id: buyer.id }, [
      ...lines,
      { line_kind: linekinds.TRADE_IN, price: -12.34, vat_code: vatcodes.OUTSIDE },
      { discount_percentage: 33.3333, price: 9.99 },
    ]);

    const xml = await eInvoice(order.id);

    const { net, vat, gross, payable } = readUbl(xml, TOTALS);
    // The trade-in is paid already.
    expect([net, vat, gross, payable].map(Number)).to.deep.equal([
      order.total_net + 12.34,
      order.total_vat,
      order.total_gross + 12.34,
      order.total_gross,
    ]);
    const { text } = await readPdf(pdfOf(xml), 'of-e-invoice');
    expect(text).to.include(`Te betalen € ${order.total_gross.toFixed(2).replace('.', ',')}`);
    expect(text).to.include(order.invoice_number);
  });

  it('shows no purchase price and no margin', async () => {
    const secrets = {
      description: 'Occasion',
      purchase_price: 7777.77,
      price: 12_950,
      vat_code: vatcodes.MARGIN,
    };
    const { id } = await buildInvoice(client, { ...DRAFT, contact_id }, secrets);

    const xml = String(await eInvoice(id));

    const [line] = (await client.get(`/order/${id}?expand=orderline`)).data.orderline;
    expect(line.margin_vat).to.equal(897.66);
    expect(xml.replace(/>[A-Za-z0-9+/=]{200,}</, '><')).not.to.match(/7777|897\.66/);
    expect(xml).to.include('Bijzondere regeling – gebruikte goederen');
  });

  it('is a credit note for a credit order, also beside invoices', async () => {
    const sale = await invoiced({ contact_id }, [{ price: 250 }]);
    const credit = await invoiced(
      { contact_id, order_type: ordertypes.INTERNAL_REVERSAL, credited_order_id: sale.id },
      [{ quantity: -1, price: 250 }],
    );

    const files = await eInvoices(client, { order_ids: [sale.id, credit.id] });

    const name = `creditnota-${credit.invoice_number}-nlcius.xml`;
    expect([...files.keys()]).to.include(name);
    const read = readUbl(files.get(name) ?? '', {
      ...LINES,
      credited: '/*/cac:BillingReference/cac:InvoiceDocumentReference/cbc:ID',
      payable: TOTALS.payable,
    });
    expect(read).to.deep.include({ credited: [sale.invoice_number], quantity: ['1'], payable: ['302.50'] });
    const { data } = await client.get(`/document?filter=order_id:${credit.id}`);
    expect(data[0].document_kind).to.equal(documentkinds.E_INVOICE);
  });

  it('names the parties of the day of the invoice, and today an address that came later', async () => {
    const early = await buildBuyer(client, { last_name: 'Vroeger', peppol_id: '0106:11111111' });
    const late = await buildBuyer(client, { last_name: 'Zonder' });
    const orders = [early, late].map(({ id }) => buildInvoice(client, { ...DRAFT, contact_id: id }));
    const order_ids = (await Promise.all(orders)).map(({ id }) => id);
    for (const { id } of [early, late])
      await client.put(`/contact/${id}`, { last_name: 'Later', peppol_id: '0106:22222222' });

    const files = await eInvoices(client, { order_ids });

    const [first, second] = [...files.values()].map((xml) => () => readUbl(xml, PARTIES));
    expect(first?.()).to.deep.include({ buyer: ['Vroeger'], endpoint: ['11111111'], reference: ['KP-7'] });
    expect(second?.()).to.deep.include({ buyer: ['Zonder'], endpoint: ['22222222'] });
    expect(first?.().seller).to.deep.equal(['Garage De Vries B.V.']);
  });

  it('takes a thousand lines', async () => {
    const lines = Array.from({ length: 1000 }, (_, index) => ({ price: index / 7, quantity: 0.3333 }));
    const order = await invoiced({ contact_id }, lines);

    const { amount, gross } = readUbl(await eInvoice(order.id), { ...LINES, ...TOTALS });

    expect(amount).to.have.length(1000);
    expect(Number(gross)).to.equal(order.total_gross);
  });

  it('says what was paid of an invoice and of a credit note', async () => {
    const [partly, settled] = [
      await buildInvoice(client, { ...DRAFT, contact_id }),
      await buildInvoice(client, { ...DRAFT, contact_id }),
    ];
    for (const { id } of [partly, settled]) await build(client, 'payment', { order_id: id, amount: 21 });
    // The credit note takes the open 100 off the invoice.
    const credit = await credited(settled.id);

    // What the credit note settled is no payment in the file: the buyer books both.
    for (const [id, paid, open, said] of [
      [partly.id, [21], 100, 'Nog te betalen € 100,00'],
      [settled.id, [21], 100, 'Nog te betalen € 0,00'],
      [credit.id, [], 121, 'Nog terug te betalen € -21,00'],
    ] as const) {
      const xml = await eInvoice(id);
      const { prepaid, payable } = readUbl(xml, {
        ...TOTALS,
        prepaid: '//cac:LegalMonetaryTotal/cbc:PrepaidAmount',
      });
      expect([prepaid.map(Number), payable.map(Number)]).to.deep.equal([paid, [open]]);
      expect((await readPdf(pdfOf(xml), `paid-${id}`)).text).to.include(said);
    }
  });

  it('names the approval of the lease company that pays, as the PDF in it does', async () => {
    const order = await buildLeased(client);
    await client.put(`/order/${order.id}`, { ...DRAFT, reference: 'PO-1' });
    const approval = { order_id: order.id, contact_id: order.payer.id, approved_net: 100 };
    await build(client, 'leaseapproval', {
      ...approval,
      approval_status: APPROVED,
      approval_number: 'AK-77',
    });
    await invoiceIt(client, order.id);

    const xml = await eInvoice(order.id);

    expect(readUbl(xml, { order: '/*/cac:OrderReference/cbc:ID' }).order).to.deep.equal(['AK-77']);
    expect((await readPdf(pdfOf(xml), 'approved')).text).to.match(/Akkoordnummer\s+AK-77/);
  });

  it('fails where something that it needs was emptied after the request', async () => {
    const buyer = await buildBuyer(client);
    const { id } = await buildInvoice(client, { ...DRAFT, contact_id: buyer.id });
    const { owner } = client.garage;
    const style = { accent_color: null };
    const wanted = { owner, type: documenttypes.INVOICE, format: 'peppol', style } as const;
    const source = await readSource(database(), wanted, id);

    const made = source && renderFile(wanted, source.data);

    expect(await made?.catch(({ message }) => message)).to.equal(
      `Order: [${id}] has no e-invoice, because this is missing: [peppol_id]`,
    );
  });

  async function credited(credited_order_id: number): Promise<Json & { id: number }> {
    const draft = { ...DRAFT, contact_id, credited_order_id, order_type: ordertypes.INTERNAL_REVERSAL };
    return buildInvoice(client, draft, { quantity: -1 });
  }

  const eInvoice = async (id: number): Promise<Buffer> =>
    [...(await eInvoices(client, { order_ids: [id] })).values()][0] ?? Buffer.alloc(0);

  /** An invoice with these lines. */
  async function invoiced(overrides: Json, lines: readonly Json[]) {
    const orderline = lines.map((line) => ({
      line_kind: linekinds.ARTICLE,
      description: 'Onderdeel',
      quantity: 1,
      vat_code: vatcodes.HIGH,
      ...line,
    }));
    const { id } = await build(client, 'order', {
      order_type: ordertypes.WORKSHOP,
      ...DRAFT,
      ...overrides,
      orderline,
    });
    return (await invoiceIt(client, id)).data;
  }
});
