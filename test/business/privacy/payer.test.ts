// A driver whose orders somebody else pays, such as a lease company: what each of them keeps when the other one is
// anonymised.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build, buildBuyer, buildInvoice } from '../../support/build/build.ts';
import { type Client, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { execute } from '../../support/database/sql.ts';
import { database } from '../../support/service/service.ts';
import { anonymise, base64 } from './scene.ts';

const { PHOTO, REGISTRATION, INVOICE } = LISTS.documentkinds;

describe('anonymising a driver or a payer', function () {
  this.timeout(60_000);
  let client: Client;
  let driver: number;
  let payer: number;
  let vehicle_id: number;
  let order_id: number;
  before(async () => {
    client = await newClient();
  });
  beforeEach(async () => {
    driver = (await buildBuyer(client)).id;
    payer = (await buildBuyer(client, { last_name: 'Betaler' })).id;
    vehicle_id = (await build(client, 'vehicle')).id;
    const whose = { contact_id: driver, invoice_contact_id: payer, vehicle_id };
    order_id = (await build(client, 'order', whose)).id;
  });
  const plate = async () => (await client.get(`/vehicle/${vehicle_id}`)).data.license_plate;
  const logged = async (resource: string, id: number) =>
    (await client.get(`/audit?filter=resource:${resource},record_id:${id}&sort=seq`)).data;

  it('leaves the car to the driver when the payer goes', async () => {
    const before = await plate();

    await anonymise(client, payer);
    const kept = await plate();
    await anonymise(client, driver);

    expect(kept).to.equal(before);
    expect(await plate()).to.match(/^ANON-/);
  });

  it('leaves letters to the payer about orders of the driver to the payer', async () => {
    const content = base64(`Openstaand ${order_id}`);
    const file = { document_kind: PHOTO, name: 'Brief', file_name: 'brief.txt', content };
    const { id } = await build(client, 'document', { ...file, order_id, contact_id: payer });

    await anonymise(client, driver);
    const kept = await client.get(`/document/${id}`);
    await anonymise(client, payer);

    expect(kept.status).to.equal(200);
    expect((await client.get(`/document/${id}`)).status).to.equal(404);
  });

  /** An invoice that the law no longer keeps. */
  async function oldInvoice(): Promise<number> {
    const { id } = await buildInvoice(client, { contact_id: driver, invoice_contact_id: payer });
    const older = 'UPDATE orders SET invoice_date = invoice_date - INTERVAL 9 YEAR WHERE id = ?';
    await execute(database(), older, [id]);
    return id;
  }

  /** The statuses of documents of an order, after somebody was anonymised. */
  async function documentsAfter(
    contact: number,
    order_id: number,
    documents: readonly (readonly [document_kind: number, contact_id: number | null])[],
  ): Promise<number[]> {
    const file = { order_id, name: 'Stuk', file_name: 'stuk.txt', content: base64('stuk') };
    const ids: number[] = [];
    for (const [document_kind, contact_id] of documents)
      ids.push((await build(client, 'document', { ...file, document_kind, contact_id })).id);
    await anonymise(client, contact);
    const answers = await Promise.all(ids.map((id) => client.get(`/document/${id}`)));
    return answers.map(({ status }) => status);
  }

  it('leaves the documents of the driver and of strangers when an old invoice of the payer is emptied', async () => {
    const stranger = (await buildBuyer(client)).id;

    const statuses = await documentsAfter(payer, await oldInvoice(), [
      [REGISTRATION, driver],
      [PHOTO, null],
      [INVOICE, stranger],
      [PHOTO, payer],
      [INVOICE, null],
      [INVOICE, driver],
    ]);

    expect(statuses).to.deep.equal([200, 200, 200, 404, 404, 404]);
  });

  it('leaves the documents of the payer when an old invoice of the driver is emptied', async () => {
    const statuses = await documentsAfter(driver, await oldInvoice(), [
      [PHOTO, payer],
      [PHOTO, driver],
      [PHOTO, null],
      [INVOICE, payer],
    ]);

    expect(statuses).to.deep.equal([200, 404, 404, 404]);
  });

  it('hides the log of an approval for the payer together with its texts', async () => {
    const approval = { order_id, contact_id: payer, reason: 'Jansen belt' };
    const { id } = (await client.post('/leaseapproval', approval)).data;
    await client.put(`/leaseapproval/${id}`, { reason: 'Jansen heeft schade' });

    await anonymise(client, driver);

    expect((await client.get(`/leaseapproval/${id}`)).data.reason).to.equal(null);
    const [, changed] = await logged('leaseapproval', id);
    expect(changed.changes.reason).to.deep.equal(['[...]', '[...]']);
  });

  it('hides the log of an appointment whose order somebody else has now', async () => {
    const { id } = await build(client, 'appointment', { order_id, description: 'Belt zelf' });
    await client.put(`/order/${order_id}`, { contact_id: payer });
    await client.put(`/appointment/${id}`, { description: 'Betaler belt' });

    await anonymise(client, payer);

    const [, changed] = await logged('appointment', id);
    expect(changed.changes.description).to.deep.equal(['[...]', '[...]']);
  });

  it('lets a car that has no plate any more change', async () => {
    await anonymise(client, driver);
    const license_plate = await plate();
    const change = (more: object) => client.put(`/vehicle/${vehicle_id}`, { license_plate, ...more });

    const [mileage, country] = [await change({ mileage: 120_000 }), await change({ plate_country_id: 1 })];

    expect([mileage.status, country.status], mileage.text + country.text).to.deep.equal([200, 200]);
    expect(country.data).to.include({ license_plate, mileage: 120_000, plate_country_id: 1 });
  });
});
