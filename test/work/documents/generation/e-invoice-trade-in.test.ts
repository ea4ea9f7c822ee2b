// Trade-ins and settled credit notes in e-invoices, from end to end: the file has the totals of the sale, and what was
// traded in is paid already.
import { LISTS } from '../../../../src/core/trade/lists.ts';
import { build, buildBuyer } from '../../../support/build/build.ts';
import { addLine, invoiceIt, saleOf, stockCar } from '../../../support/build/order.ts';
import { type Client, type Json, newClient } from '../../../support/client/client.ts';
import { expect } from '../../../support/client/expect.ts';
import { eInvoices } from '../../../support/files/e-invoice.ts';
import { readPdf } from '../../../support/files/pdf.ts';
import { GROUPS, LINES, pdfOf, readUbl, TOTALS } from '../../../support/files/ubl.ts';

const { HIGH, MARGIN, REVERSE_CHARGE } = LISTS.vatcodes;
const { TRADE_IN } = LISTS.linekinds;
const { BANK } = LISTS.paymentmethods;
const ALL = {
  ...TOTALS,
  ...GROUPS,
  lines: LINES.amount,
  prepaid: '//cac:LegalMonetaryTotal/cbc:PrepaidAmount',
  note: '/*/cbc:Note',
  due: '/*/cbc:DueDate',
  means: '//cac:PaymentMeans/cbc:PaymentMeansCode',
} as const;

describe('an e-invoice of a sale with a trade-in', () => {
  let client: Client;
  let contact_id: number;
  beforeEach(async () => {
    client = await newClient();
    contact_id = (await buildBuyer(client, { peppol_id: '0106:87654321', vat_number: 'NL004495445B01' })).id;
  });

  const invoiced = async (id: number) => {
    const answer = await invoiceIt(client, id);
    expect(answer.status, answer.text).to.equal(200);
    return answer.data;
  };
  /** An order of a sale of 20,000 with 4,200 VAT, and a trade-in. */
  const ordered = async (tradeIn: Json, order: Json = {}, price = 20_000): Promise<number> => {
    const car = await stockCar(client, { tax_kind: LISTS.taxkinds.VAT });
    const body = { contact_id, buyer_reference: 'KP-7', ...order };
    const { id } = await saleOf(client, car.id, body, { vat_code: HIGH, price });
    const traded = await build(client, 'vehicle', {
      make: 'Opel',
      model: 'Corsa',
    });
    const line = { line_kind: TRADE_IN, quantity: -1, vehicle_id: traded.id, description: 'Inruilauto' };
    await addLine(client, id, { ...line, ...tradeIn });
    return id;
  };
  const sold = async (...sale: Parameters<typeof ordered>) => invoiced(await ordered(...sale));
  const credit = async (order_id: number) => {
    const answer = await client.post('/order/credit', { order_id, is_invoiced: 1 });
    expect(answer.status, answer.text).to.equal(201);
    return answer.data;
  };
  const read = async (id: number, format = 'nlcius') => {
    const [xml = Buffer.alloc(0)] = (await eInvoices(client, { order_ids: [id], format })).values();
    return { ...readUbl(xml, ALL), pdf: (await readPdf(pdfOf(xml), `trade-in-${id}`)).text };
  };

  it('has the totals of the sale, and the trade-in under the margin scheme as paid', async () => {
    const { id } = await sold({ price: 3500, vat_code: MARGIN });

    const { pdf, note, ...found } = await read(id, 'peppol');

    expect(found).to.deep.include({ lines: ['20000.00'], net: ['20000.00'], vat: ['4200.00'] });
    expect(found).to.deep.include({ gross: ['24200.00'], prepaid: ['3500.00'], payable: ['20700.00'] });
    expect(found).to.deep.include({ category: ['S'], taxable: ['20000.00'], tax: ['4200.00'], reason: [] });
    expect(note).to.have.length(1);
    expect(note[0]).to.match(/Ingeruild: Inruilauto · Opel Corsa · [A-Z0-9-]{8}/);
    expect(pdf).to.match(
      /Totaal inclusief btw € 24\.200,00 .*Af: inruil € -3\.500,00 .*Te betalen € 20\.700,00/,
    );
  });

  for (const is_vat_included of [0, 1])
    it(`has the VAT of the sale alone if the trade-in bears VAT, prices with VAT: ${is_vat_included}`, async () => {
      const price = is_vat_included === 1 ? [6050, 24_200] : [5000, 20_000];
      const { id } = await sold({ price: price[0], vat_code: HIGH }, { is_vat_included }, price[1]);

      const found = await read(id);

      expect(found).to.deep.include({ net: ['20000.00'], vat: ['4200.00'], gross: ['24200.00'] });
      expect(found).to.deep.include({ prepaid: ['6050.00'], payable: ['18150.00'], tax: ['4200.00'] });
      expect(found.pdf).to.match(/Af: inruil \(.*1\.050,00 btw\) € -6\.050,00 Te betalen € 18\.150,00/);
    });

  it('adds payments to the trade-in', async () => {
    const { id } = await sold({ price: 3500, vat_code: MARGIN });
    await build(client, 'payment', { order_id: id, amount: 700, method: BANK });

    const found = await read(id);

    expect(found).to.deep.include({ gross: ['24200.00'], prepaid: ['4200.00'], payable: ['20000.00'] });
    expect(found.pdf).to.match(/Nog te betalen € 20\.000,00/);
  });

  it('asks for nothing, or pays back, if the trade-in is worth as much or more', async () => {
    const [even, more] = [
      await sold({ price: 24_200, vat_code: MARGIN }),
      await sold({ price: 25_000, vat_code: MARGIN }),
    ];

    expect(await read(even.id)).to.deep.include({ prepaid: ['24200.00'], payable: ['0.00'], means: [] });
    expect(await read(more.id)).to.deep.include({ prepaid: ['25000.00'], payable: ['-800.00'], means: [] });
  });

  it('may take the trade-in of a business under reverse charge', async () => {
    const { id } = await sold({ price: 3500, vat_code: REVERSE_CHARGE });

    expect(await read(id)).to.deep.include({ category: ['S'], prepaid: ['3500.00'], payable: ['20700.00'] });
  });

  it('takes deposits off with their own VAT beside a trade-in with VAT, and its credit note adds them', async () => {
    const order = await ordered({ price: 1000, vat_code: HIGH }, {}, 10_000);
    for (const amount of [100, 100, 100, 100, 100]) {
      const deposit = (await client.post('/order/deposit', { order_id: order, amount })).data;
      expect(await invoiced(deposit.id)).to.include({ total_net: 82.64, total_vat: 17.36 });
    }
    const sale = await invoiced(order);
    const first = await read(order, 'peppol');
    const note = await credit(order);

    // 2,100.00 less 5 × 17.36. 21 % of the net would be 2,013.23.
    expect(sale).to.include({ total_net: 8586.8, total_vat: 1803.2, total_gross: 10_390 });
    for (const found of [first, await read(note.id, 'peppol')]) {
      expect(found).to.deep.include({ net: ['9586.80'], vat: ['2013.20'], gross: ['11600.00'] });
      expect(found).to.deep.include({ tax: ['2013.20'], prepaid: ['1210.00'], payable: ['10390.00'] });
    }
    expect(first.pdf).to.match(/Btw € 2\.013,20 Totaal inclusief btw € 11\.600,00/);
    expect(first.pdf).to.match(/Af: inruil \(.*210,00 btw\) € -1\.210,00 Te betalen € 10\.390,00/);
  });

  it('gives the trade-in back on its credit note, whose whole amount is payable', async () => {
    const sale = await sold({ price: 3500, vat_code: MARGIN });
    const note = await credit(sale.id);

    const [own, found] = [await read(sale.id), await read(note.id, 'peppol')];

    expect(found).to.deep.include({ net: ['20000.00'], vat: ['4200.00'], gross: ['24200.00'] });
    expect(found).to.deep.include({ prepaid: ['3500.00'], payable: ['20700.00'], category: ['S'] });
    expect(found.note[0]).to.match(/Ingeruild: Inruilauto/);
    // The credit note has settled the invoice, which the buyer books with its own amount.
    expect(own).to.deep.include({ prepaid: ['3500.00'], payable: ['20700.00'] });
  });
});

describe('an e-invoice that a credit note settled', () => {
  it('counts payments, but not what was settled; the credit note neither', async () => {
    const client = await newClient();
    const { id: contact_id } = await buildBuyer(client);
    const order = await build(client, 'order', { contact_id, reference: 'PO-1' });
    await addLine(client, order.id, { price: 500 });
    await invoiceIt(client, order.id);
    await build(client, 'payment', { order_id: order.id, amount: 200, method: BANK });
    const { data: note } = await client.post('/order/credit', { order_id: order.id, is_invoiced: 1 });
    await build(client, 'payment', { order_id: note.id, amount: -50, method: BANK });

    const amounts: string[][] = [];
    const pages: string[] = [];
    for (const id of [order.id, note.id]) {
      const [xml = ''] = (await eInvoices(client, { order_ids: [id] })).values();
      pages.push((await readPdf(pdfOf(xml), `settled-${pages.length}`)).text);
      const { gross, prepaid, payable } = readUbl(xml, ALL);
      amounts.push([...gross, ...prepaid, ...payable]);
    }

    expect(amounts).to.deep.equal([
      ['605.00', '200.00', '405.00'],
      ['605.00', '50.00', '555.00'],
    ]);
    expect(pages[0]).to.match(/Betaald € -200,00 Verrekend met creditnota € -405,00 Nog te betalen € 0,00/);
    expect(pages[1]).to.match(/Verrekend of terugbetaald € 455,00 Nog terug te betalen € -150,00/);
  });
});
