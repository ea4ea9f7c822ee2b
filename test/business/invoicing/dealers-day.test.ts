// A day of a dealer over HTTP, in the order in which it happens: each amount, number, state and document is computed by
// hand.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { THIS_YEAR } from '../../support/build/day.ts';
import { invoiceIt } from '../../support/build/order.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { buildCar, buildPeople, dealing, line } from './dealer.ts';

const { WORKSHOP, VEHICLE_SALES, VEHICLE_PURCHASE } = LISTS.ordertypes;
const { SUPPLIER_INVOICE, SELF_BILLED, STATEMENT } = LISTS.purchaseproofs;
const { HIGH, MARGIN, OUTSIDE, INTRA_COMMUNITY } = LISTS.vatcodes;
const { ARTICLE, LABOUR, VEHICLE, TRADE_IN, FEE } = LISTS.linekinds;
const { CUSTOMER, STOCK, SOLD } = LISTS.stockstatuses;
const { PIN, BANK, OFFSET } = LISTS.paymentmethods;
const { INVOICE, CREDIT_NOTE, UBL, PURCHASE_STATEMENT } = LISTS.documenttypes;

describe('a day of a dealer', function () {
  this.timeout(120_000);
  let client: Client;
  let private_: Json;
  let dealer: Json;
  let buyer: Json;
  let belgian: Json;
  let golf: Json;
  let polo: Json;
  let van: Json;
  let traded: Json;

  const { order, invoice, pay, get, vehicle, ownerOf, documentOf, pdfOf } = dealing(() => client);
  /** The bodies of the answers to all other requests are checked: this one must be refused. */
  const refused = async (path: string, body: Json, text: string, status = 403) =>
    expect(await client.post(path, body)).to.be.refused(status, text);

  before(async () => {
    client = await newClient();
    ({ private_, dealer, buyer, belgian } = await buildPeople(client));
    const car = (make: string, owner?: Json) => buildCar(client, make, owner);
    [golf, polo, van, traded] = [
      await car('Golf', private_),
      await car('Polo'),
      await car('Van'),
      await car('Fiesta', buyer),
    ];
  });

  let workshop: Json & { id: number };
  let sale: Json & { id: number };
  let deposit: Json & { id: number };

  it('begins with a car bought from a private person by a statement', async () => {
    const bought = await order({
      ...{ order_type: VEHICLE_PURCHASE, contact_id: private_.id, vehicle_id: golf.id },
      ...{ purchase_proof: STATEMENT, orderline: [line(VEHICLE, MARGIN, 8500)] },
    });

    const made = await invoice(bought);

    expect(made).to.include({ invoice_number: `IV-${THIS_YEAR}00001`, total_gross: 8500, amount_open: 8500 });
    expect(await vehicle(golf)).to.include({ stock_status: STOCK, tax_kind: 2, purchase_price: 8500 });
    expect(await ownerOf(golf)).to.deep.equal([]);
    expect(await pay(made.id, 8500, BANK)).to.include({ amount_open: 0 });
    await refused(
      '/document/generate',
      { document_type: INVOICE, order_ids: [made.id] },
      `Field: [order_ids] has an invalid value: [${made.id}] for validation: [own invoice]`,
    );
    const text = await pdfOf(PURCHASE_STATEMENT, made, 'day-statement');
    for (const part of ['IV-', 'Jansen', String(golf.license_plate), String(golf.vin), '8.500,00'])
      expect(text).to.include(part);
  });

  it('buys one car by a self-billed invoice, and one by the seller’s own invoice', async () => {
    const from = { order_type: VEHICLE_PURCHASE, contact_id: dealer.id };
    const theirNumber = { purchase_proof: SUPPLIER_INVOICE, supplier_invoice_number: 'S-77' };
    const own = await order({
      ...{ ...from, vehicle_id: polo.id, purchase_proof: SELF_BILLED, buyer_reference: 'Voorraad' },
      orderline: [line(VEHICLE, HIGH, 10_000)],
    });
    const theirs = await order({
      ...{ ...from, ...theirNumber, vehicle_id: van.id, orderline: [line(VEHICLE, HIGH, 5000)] },
    });

    const [billed, supplied] = [await invoice(own), await invoice(theirs)];

    const number = `F${dealer.contact_number}-${THIS_YEAR}00001`;
    expect(billed).to.include({ invoice_number: number, total_vat: 2100, amount_open: 12_100 });
    expect(supplied).to.include({ invoice_number: null, total_vat: 1050, amount_open: 6050 });
    expect(await vehicle(polo)).to.include({ stock_status: STOCK, tax_kind: 1, purchase_price: 10_000 });
    const text = await pdfOf(INVOICE, billed, 'day-self-billed');
    expect(text).to.include('Factuur uitgereikt door afnemer').and.to.include(number);
    const { bytes } = await documentOf(UBL, billed);
    expect(bytes.toString()).to.match(/InvoiceTypeCode>389</);
    const again = await client.post('/order', { ...from, ...theirNumber, order_date: '2026-01-01' });
    expect(again).to.be.refused(
      409,
      'Field: [supplier_invoice_number] value: [S-77] has a duplicate illegal value',
    );
  });

  it('charges the price told at the counter: € 356.91, VAT included', async () => {
    // 249.00 + 2 × 59.95 − 10 % = 356.91. VAT: 356.91 × 21 / 121 = 61.943.
    const counter = await order({
      ...{ order_type: WORKSHOP, contact_id: buyer.id, is_vat_included: 1 },
      orderline: [
        line(LABOUR, HIGH, 249, { description: 'Grote beurt' }),
        line(ARTICLE, HIGH, 59.95, { quantity: 2, discount_percentage: 10, description: 'Remschijf' }),
      ],
    });

    workshop = await invoice(counter);

    const totals = { total_net: 294.97, total_vat: 61.94, total_gross: 356.91 };
    expect(workshop).to.include({ ...totals, invoice_number: `F${THIS_YEAR}00001`, amount_open: 356.91 });
    expect(await pay(workshop.id, 356.91, PIN)).to.include({ amount_open: 0 });
    expect(await pdfOf(INVOICE, workshop, 'day-workshop'))
      .to.include('249,00')
      .and.to.include('356,91');
  });

  it('takes a deposit for the car', async () => {
    // 10,950 − 500 + 45.90 − 1,500 = 8,995.90.
    sale = await order({
      ...{ order_type: VEHICLE_SALES, contact_id: buyer.id, vehicle_id: golf.id, is_vat_included: 1 },
      orderline: [
        line(VEHICLE, MARGIN, 10_950),
        line(FEE, MARGIN, -500, { description: 'Korting' }),
        line(FEE, OUTSIDE, 45.9, { description: 'Leges' }),
        line(TRADE_IN, MARGIN, -1500, { vehicle_id: traded.id }),
      ],
    });
    const asked = await client.post('/order/deposit', { order_id: sale.id, amount: 500 });
    expect(asked.status, asked.text).to.equal(201);
    expect(asked.data).to.include({ total_gross: 500, deposit_of_order_id: sale.id, contact_id: buyer.id });
    await refused(
      '/order/deposit',
      { order_id: sale.id, amount: 9000 },
      'Field: [amount] has an invalid value: [9000] for validation: [deposit exceeds the order]',
    );

    deposit = await invoice(asked.data);
    await pay(deposit.id, 500, PIN);

    expect(deposit.invoice_number).to.equal(`F${THIS_YEAR}00002`);
  });

  it('takes the rest with a trade-in', async () => {
    sale = await invoice(sale);

    expect(sale).to.include({ invoice_number: `F${THIS_YEAR}00003`, total_gross: 8495.9, total_vat: 0 });
    // (10,950 − 500 − 8,500) × 21 / 121.
    const lines: Json[] = await get(`/orderline?filter=order_id:${sale.id}&sort=id`);
    expect(lines.map(({ margin_vat }) => Number(margin_vat)).reduce((sum, vat) => sum + vat)).to.equal(
      338.43,
    );
    expect(
      lines.filter(({ quantity }) => quantity === -1).reduce((sum, one) => sum + Number(one.line_gross), 0),
    ).to.equal(-500);
    expect(await vehicle(golf)).to.include({ stock_status: SOLD });
    expect(await ownerOf(golf)).to.deep.equal([buyer.id]);
    expect(await vehicle(traded)).to.include({ stock_status: STOCK, purchase_price: 1500, tax_kind: 2 });
    expect(await ownerOf(traded)).to.deep.equal([]);
    const text = await pdfOf(INVOICE, sale, 'day-sale');
    expect(text)
      .to.include('Bijzondere regeling')
      .and.to.include('Af: inruil')
      .and.to.include(`F${THIS_YEAR}00002`);
  });

  it('does not sell the car again', async () => {
    const second = await order({
      ...{ order_type: VEHICLE_SALES, contact_id: private_.id, vehicle_id: golf.id },
      orderline: [line(VEHICLE, MARGIN, 9000)],
    });

    const answer = await invoiceIt(client, second.id);

    expect(answer).to.be.refused(
      403,
      `Field: [stock_status] has an invalid value: [${SOLD}] for validation: [in stock]`,
    );
    expect(answer.body.errors[0]).to.include({ resource: 'vehicle', id: golf.id });
  });

  it('sells a car to a dealer in Belgium without VAT', async () => {
    const exported = await order({
      ...{ order_type: VEHICLE_SALES, contact_id: belgian.id, vehicle_id: polo.id },
      orderline: [line(VEHICLE, INTRA_COMMUNITY, 11_000)],
    });

    const made = await invoice(exported);

    expect(made).to.include({ invoice_number: `F${THIS_YEAR}00004`, total_vat: 0, total_gross: 11_000 });
    const text = await pdfOf(INVOICE, made, 'day-belgium');
    expect(text).to.include('Intracommunautaire levering').and.to.include('BE0403170701');
  });

  it('takes one part back, and refunds its price', async () => {
    // A credit of one of the two pieces: 53.955 is 53.96, VAT 53.96 × 21 / 121 = 9.365; what is left is 53.95.
    const [, part] = (await get(`/orderline?filter=order_id:${workshop.id}&sort=id`)) as Json[];
    const answer = await client.post('/order/credit', {
      ...{ order_id: workshop.id, is_invoiced: 1 },
      orderline: [{ id: part?.id, quantity: 1 }],
    });
    expect(answer.status, answer.text).to.equal(201);
    expect(answer.data).to.include({
      ...{ invoice_number: `F${THIS_YEAR}00005`, total_gross: -53.96, total_vat: -9.36 },
      ...{ amount_open: -53.96, contact_id: buyer.id },
    });
    expect(await pay(answer.data.id, -53.96, PIN)).to.include({ amount_open: 0 });
    expect(await pdfOf(CREDIT_NOTE, answer.data, 'day-credit')).to.include(`F${THIS_YEAR}00001`);
  });

  it('takes the whole sale back: both cars return, and both invoices are settled', async () => {
    await refused(
      '/order/credit',
      { order_id: deposit.id, is_invoiced: 1 },
      `Field: [order_id] has an invalid value: [${deposit.id}] for validation: [credit exceeds the invoice]`,
    );
    const answer = await client.post('/order/credit', { order_id: sale.id, is_invoiced: 1 });

    expect(answer.status, answer.text).to.equal(201);
    expect(answer.data).to.include({ total_gross: -8495.9, amount_open: 0 });
    expect(await get(`/order/${sale.id}`)).to.include({ amount_open: 0 });
    expect((await get(`/payment?filter=order_id:${sale.id}`))[0]).to.include({
      method: OFFSET,
      amount: 8495.9,
    });
    expect(await vehicle(golf)).to.include({ stock_status: STOCK, purchase_price: 8500 });
    expect(await vehicle(traded)).to.include({ stock_status: CUSTOMER });
    expect(await ownerOf(golf)).to.deep.equal([]);
    expect(await ownerOf(traded)).to.deep.equal([buyer.id]);
  });

  it('ends with a list of open amounts, and one record for each document', async () => {
    const open: Json[] = await get(
      '/order?filter=amount_open[ne]:0,is_invoiced:1&sort=id&fields=id,order_type,contact_id,amount_open',
    );
    expect(
      open.map(({ order_type, contact_id, amount_open }) => [order_type, contact_id, amount_open]),
    ).to.deep.equal([
      [VEHICLE_PURCHASE, dealer.id, 12_100],
      [VEHICLE_PURCHASE, dealer.id, 6050],
      [VEHICLE_SALES, belgian.id, 11_000],
    ]);

    const documents = async () => (await get(`/document?filter=order_id:${workshop.id}`)) as Json[];
    const [before] = await documents();
    await documentOf(INVOICE, workshop);
    expect(await documents()).to.deep.equal([before]);
  });
});
