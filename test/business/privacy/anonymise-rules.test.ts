// Which invoices stay and until when, which vehicles are the person's, and whom anonymising does not touch.
import { listKept, purgeKept } from '../../../src/business/privacy/retention.ts';
import { INT4_MAX } from '../../../src/core/model/fields/int4.ts';
import { garageOf } from '../../../src/core/model/statements/garage.ts';
import { insertInPortions } from '../../../src/core/model/statements/insert-many.ts';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { newDelivery } from '../../../src/platform/changes/webhook-delivery.ts';
import { build, buildBuyer, buildInvoice } from '../../support/build/build.ts';
import { THIS_YEAR } from '../../support/build/day.ts';
import { logOf, place } from '../../support/client/changes.ts';
import { type Client, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { explain } from '../../support/database/explain.ts';
import { sentDuring } from '../../support/database/general-log.ts';
import { execute } from '../../support/database/sql.ts';
import { statementsOf } from '../../support/database/statements.ts';
import { filesWith, tablesWith } from '../../support/files/leak.ts';
import { heldJob, jobRow, runElsewhere } from '../../support/service/job.ts';
import { database } from '../../support/service/service.ts';
import { tidyAll } from '../../support/service/tidy.ts';
import { addPerson, anonymise, base64, LAST_DAY } from './scene.ts';

const { documentkinds, vehicleroles } = LISTS;

describe('the rules of anonymising', function () {
  this.timeout(60_000);
  let client: Client;
  before(async () => {
    client = await newClient();
  });

  it('keeps an invoice to the last day of its seventh year, and not a year longer', async () => {
    const { id, contact_id } = await buildInvoice(client);
    await anonymise(client, contact_id);
    const years = async (count: number) => {
      await execute(database(), 'UPDATE orders SET invoice_date = ? WHERE id = ?', [
        `${THIS_YEAR - count}-06-15 12:00:00.000`,
        id,
      ]);
      await tidyAll();
      return (await client.get(`/order/${id}?expand=invoiceparty`)).data.invoiceparty[0].buyer.last_name;
    };

    expect(await years(7)).to.equal('de Boer');
    expect(await years(8)).to.equal('Anoniem');
  });

  it("empties an invoice from the owner's New Year on, not from UTC's", async () => {
    const { id, contact_id } = await buildInvoice(client);
    await anonymise(client, contact_id);
    const nameAt = async (hour: number) => {
      await purgeKept(database(), new Date(Date.UTC(THIS_YEAR + 7, 11, 31, hour, 30)));
      return (await client.get(`/order/${id}?expand=invoiceparty`)).data.invoiceparty[0].buyer.last_name;
    };

    // In Amsterdam half an hour before midnight, and half an hour after.
    expect([await nameAt(22), await nameAt(23)]).to.deep.equal(['de Boer', 'Anoniem']);
  });

  it('empties an invoice at once that is older than the law keeps', async () => {
    const { id, contact_id } = await buildInvoice(client);
    await execute(
      database(),
      'UPDATE orders SET invoice_date = invoice_date - INTERVAL 9 YEAR WHERE id = ?',
      [id],
    );

    const { data } = await anonymise(client, contact_id);

    const { data: order } = await client.get(`/order/${id}?expand=invoiceparty`);
    expect(data.kept).to.deep.equal([]);
    expect(order.invoiceparty[0].buyer.last_name).to.equal('Anoniem');
  });

  it('keeps an invoice that is only a stored file, by its name', async () => {
    const { id } = await buildBuyer(client);
    const document = await build(client, 'document', {
      contact_id: id,
      document_kind: documentkinds.INVOICE,
      name: 'Inkoop 7',
      content: base64('inkoop 7'),
    });

    const { data } = await anonymise(client, id);

    expect(data.kept).to.deep.equal([{ invoice_number: 'Inkoop 7', until: LAST_DAY }]);
    expect((await client.get(`/document/${document.id}`)).status).to.equal(200);
  });

  it('lists the kept invoices without reading their texts', async () => {
    const { contact_id, invoice_number } = await buildInvoice(client);
    await anonymise(client, contact_id);
    const kept: string[] = [];

    const statements = await statementsOf(database(), async () => {
      const listed = await listKept(garageOf(database(), client.garage.owner), contact_id);
      kept.push(...listed.map((invoice) => invoice.invoice_number));
    });

    const rows = statements.filter(({ sql }) => /from `(orders|documents)`/.test(sql));
    expect(kept).to.deep.equal([invoice_number]);
    expect(rows).to.have.length(2);
    for (const { sql } of rows) expect(sql).to.not.include('*');
  });

  it('lists an invoice for the one who got it, and leaves its order to the other', async () => {
    const [driver, payer] = [await buildBuyer(client), await buildBuyer(client, { last_name: 'Betaler' })];
    const { id, invoice_number } = await buildInvoice(client, {
      contact_id: driver.id,
      invoice_contact_id: payer.id,
      remarks_internal: 'over de bestuurder',
    });

    const { data } = await anonymise(client, payer.id);

    expect(data.kept).to.deep.equal([{ invoice_number, until: LAST_DAY }]);
    expect((await client.get(`/order/${id}`)).data.remarks_internal).to.equal('over de bestuurder');
  });

  describe('of somebody with a vehicle', () => {
    const plateAfter = async (contact: number, vehicle: number) => {
      await anonymise(client, contact);
      return (await client.get(`/vehicle/${vehicle}`)).data.license_plate;
    };
    const role = (
      vehicle_id: number,
      contact_id: number,
      role_kind: number,
      end_date: string | null = null,
    ) =>
      build(client, 'vehicleroleline', {
        vehicle_id,
        contact_id,
        role_kind,
        start_date: '2020-01-01',
        end_date,
      });

    it('keeps the plate of a vehicle that somebody else has a role for', async () => {
      const [owner, driver] = [await buildBuyer(client), await buildBuyer(client)];
      const vehicle = await build(client, 'vehicle');
      await role(vehicle.id, owner.id, vehicleroles.OWNER);
      await role(vehicle.id, driver.id, vehicleroles.DRIVER);

      expect(await plateAfter(owner.id, vehicle.id)).to.equal(vehicle.license_plate);
    });

    it('keeps the plate of a vehicle that was sold to somebody else', async () => {
      const [seller, buyer] = [await buildBuyer(client), await buildBuyer(client)];
      const vehicle = await build(client, 'vehicle');
      await role(vehicle.id, seller.id, vehicleroles.OWNER, '2022-01-01');
      await role(vehicle.id, buyer.id, vehicleroles.OWNER);

      expect(await plateAfter(seller.id, vehicle.id)).to.equal(vehicle.license_plate);
    });

    it('keeps the plate of a vehicle of the stock that a quotation names', async () => {
      const contact = await buildBuyer(client);
      const vehicle = await build(client, 'vehicle', { stock_status: LISTS.stockstatuses.STOCK });
      await build(client, 'order', { contact_id: contact.id, vehicle_id: vehicle.id });

      expect(await plateAfter(contact.id, vehicle.id)).to.equal(vehicle.license_plate);
    });

    it('removes the plate of a vehicle that only an order links to the person', async () => {
      const contact = await buildBuyer(client);
      const vehicle = await build(client, 'vehicle');
      await build(client, 'order', { contact_id: contact.id, vehicle_id: vehicle.id });

      expect(await plateAfter(contact.id, vehicle.id)).to.match(/^ANON-/);
    });
  });

  it('hides what the log keeps of an order that somebody else has now, and nothing of the other', async () => {
    const [person, other] = [await buildBuyer(client), await buildBuyer(client)];
    const { id } = await build(client, 'order', { contact_id: person.id, description: 'Van de een' });
    await client.put(`/order/${id}`, { contact_id: other.id, description: 'Van de ander' });

    await anonymise(client, person.id);

    const [, moved] = (await client.get(`/audit?filter=resource:order,record_id:${id}&sort=seq`)).data;
    expect(moved.changes.description).to.deep.equal(['[...]', 'Van de ander']);
    expect((await client.get(`/order/${id}`)).data.description).to.equal('Van de ander');
  });

  it('takes the keys of records out of the events on an index, also of deleted subscriptions', async () => {
    const garage = await newClient();
    const { id } = await buildBuyer(garage, { external_id: 'klant-7' });
    const [created] = await logOf(garage.garage.owner, 'contact');
    await addEvents(garage.garage.owner, Number(created?.seq), 'klant-7');

    const sent = await sentDuring(database(), () => anonymise(garage, id));

    const looks = sent.filter(({ statement }) => /from `webhookdeliveries` where .*`seq` in/.test(statement));
    expect(looks).to.have.length(1);
    const [step] = await explain(database(), String(looks[0]?.statement), []);
    expect(step).to.include({ key: 'webhookdeliveries__change', type: 'range' });
    expect(await tablesWith(['klant-7'])).to.deep.equal({});
  });

  /** Old events of two subscriptions that are gone. The events of one place have a key. */
  async function addEvents(owner: number, place: number, key: string): Promise<void> {
    const eventsOf = (subscription: number) =>
      Array.from({ length: 500 }, (_, index) => {
        const external_id = index + 1 === place ? key : null;
        const event = {
          seq: index + 1,
          type: 'contact.created',
          body: JSON.stringify({ data: { external_id } }),
        };
        const sent = { status: 'delivered', next_at: null };
        return { ...newDelivery({ owner, id: subscription }, event), ...sent };
      });
    await insertInPortions(database(), 'webhookdeliveries', [INT4_MAX - 1, INT4_MAX].flatMap(eventsOf));
    await database().knex.raw('ANALYZE TABLE webhookdeliveries');
  }

  it('removes archives of the garage, and begins running jobs anew', async () => {
    const { id } = await buildBuyer(client);
    const running = await heldJob(client);
    await runElsewhere(running, { fence: 3, attempts: 2 });

    await anonymise(client, id);

    const { fence } = await jobRow(running);
    expect(Number(fence)).to.be.at.least(4);
    await client.del(`/job/${running}`);
  });

  it('touches no other contact, and no other garage', async () => {
    const other = await newClient();
    const [theirs, neighbour] = [await addPerson(other), await addPerson(client)];
    const person = await addPerson(client);
    for (const { garage } of [client, other]) await place(garage.owner);
    const before = await Promise.all([tablesWith(theirs.texts), tablesWith(neighbour.texts)]);

    await anonymise(client, person.contact);

    expect(await Promise.all([tablesWith(theirs.texts), tablesWith(neighbour.texts)])).to.deep.equal(before);
    expect(await filesWith(theirs.texts)).to.have.length.of.at.least(5);
  });
});
