// The people, the cars and the moves of a dealer, for the day that dealers-day.test.ts plays.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build, buildBuyer } from '../../support/build/build.ts';
import { invoiceIt } from '../../support/build/order.ts';
import type { Client, Json } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { generated } from '../../support/files/e-invoice.ts';
import { readPdf } from '../../support/files/pdf.ts';

const { CUSTOMER } = LISTS.stockstatuses;
const { OWNER } = LISTS.vehicleroles;

let vins = 0;
const sampleVin = () => {
  vins += 1;
  return `WVWZZZ1KZ6W00000${vins}`;
};

export const line = (line_kind: number, vat_code: number, price: number, more: Json = {}) => ({
  ...{ line_kind, vat_code, price, quantity: 1, description: `Regel van ${price}` },
  ...more,
});

/** What a dealer asks and does; `client` may be known later. */
export function dealing(client: () => Client) {
  const order = async (body: Json): Promise<Json & { id: number }> => {
    const answer = await client().post('/order', { order_date: new Date().toISOString(), ...body });
    expect(answer.status, answer.text).to.equal(201);
    return answer.data;
  };
  const invoice = async ({ id }: { id: number }) => {
    const answer = await invoiceIt(client(), id);
    expect(answer.status, answer.text).to.equal(200);
    return answer.data;
  };
  const pay = async (order_id: number, amount: number, method: number) => {
    const paid_at = new Date().toISOString();
    const answer = await client().post('/payment', { order_id, amount, method, paid_at });
    expect(answer.status, answer.text).to.equal(201);
    return (await client().get(`/order/${order_id}`)).data;
  };
  const get = async (path: string) => (await client().get(path)).data;
  const vehicle = async ({ id }: Json) => get(`/vehicle/${id}`);
  /** Who owns the car now. */
  const ownerOf = async ({ id }: Json) => {
    const lines: Json[] = await get(
      `/vehicleroleline?filter=vehicle_id:${id},role_kind:${OWNER},end_date[null]:1`,
    );
    return lines.map(({ contact_id }) => contact_id);
  };
  const documentOf = async (document_type: number, { id }: Json) => {
    const files = await generated(client(), { document_type, order_ids: [id] });
    const [name = '', bytes] = [...files].find(([file]) => file !== 'index.csv') ?? [];
    return { name, bytes: bytes ?? Buffer.alloc(0) };
  };
  const pdfOf = async (document_type: number, made: Json, name: string) =>
    (await readPdf((await documentOf(document_type, made)).bytes, name)).text;
  return { order, invoice, pay, get, vehicle, ownerOf, documentOf, pdfOf };
}

export async function buildPeople(
  client: Client,
): Promise<Record<'private_' | 'dealer' | 'buyer' | 'belgian', Json>> {
  const private_ = await buildBuyer(client, { last_name: 'Jansen' });
  const dealer = await buildBuyer(client, {
    ...{ contact_kind: LISTS.contactkinds.COMPANY, company_name: 'Autobedrijf Smit' },
    ...{ vat_number: 'NL004495445B01', self_billing_agreed_at: '2026-01-01' },
    ...{ kvk_number: '69599084', iban: 'NL91ABNA0417164300' },
  });
  const buyer = await buildBuyer(client, { last_name: 'Bakker' });
  const [{ id: country_id }] = (await client.get('/country?filter=code:BE')).data;
  const belgian = await buildBuyer(client, {
    ...{ contact_kind: LISTS.contactkinds.COMPANY, company_name: 'Garage Peeters', country_id },
    ...{ postcode: '2000', city: 'Antwerpen', vat_number: 'BE0403170701' },
  });
  return { private_, dealer, buyer, belgian };
}

/** A car that the dealer does not own yet. */
export const buildCar = (client: Client, make: string, owner?: Json) =>
  build(client, 'vehicle', {
    ...{
      make,
      model: 'X',
      vin: sampleVin(),
      stock_status: CUSTOMER,
      tax_kind: null,
      purchase_price: null,
      bpm_paid: null,
    },
    ...(owner
      ? { vehicleroleline: [{ contact_id: owner.id, role_kind: OWNER, start_date: '2020-01-01' }] }
      : {}),
  });
