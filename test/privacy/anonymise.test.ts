// PUT /contact/anonymise: after it, nothing of the person is found anywhere but in the invoices that the law keeps.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { tidy } from '../../src/jobs/tidy.ts';
import { LISTS } from '../../src/trade/lists.ts';
import { build, buildBuyer, buildInvoice } from '../support/build.ts';
import { type Client, clientOf, newClient } from '../support/client.ts';
import { expect } from '../support/expect.ts';
import { heldJob, jobRow } from '../support/job.ts';
import { backupFilesWith, filesWith, tablesWith, textOf } from '../support/leak.ts';
import { database, inStorage, makeGarage, theService } from '../support/service.ts';
import { execute, select } from '../support/sql.ts';
import { addPerson, base64, finished, generate, type Person } from './scene.ts';

const { documentkinds, documenttypes, jobstatuses, vehicleroles } = LISTS;
const program = promisify(execFile);
const LAST_DAY = `${new Date().getFullYear() + 7}-12-31`;

const anonymise = (client: Client, id: number) => client.put(`/contact/anonymise?id=${id}`);

describe('PUT /contact/anonymise', function () {
  this.timeout(60_000);
  let client: Client;
  before(async () => {
    client = await newClient();
  });

  describe('of a person who is everywhere', () => {
    let person: Person;
    let invoicePdf: string;
    before(async () => {
      person = await addPerson(client);
      const { data } = await client.get(`/document?filter=order_id:${person.invoice.id}`);
      invoicePdf = data[0].sha256;
      const before = await tablesWith(person.texts);
      expect(Object.keys(before)).to.include.members(['contacts', 'changes', 'idempotency_keys', 'vehicles']);
    });

    it('answers the invoices that are kept, and until when', async () => {
      const answer = await anonymise(client, person.contact);

      expect(answer.status, answer.text).to.equal(200);
      const { invoice_number } = person.invoice;
      expect(answer.data).to.deep.equal({
        id: person.contact,
        kept: [{ invoice_number, until: LAST_DAY }],
      });
    });

    it('leaves the person in the invoice only: in tables, stored files and a fresh backup', async () => {
      const [tables, files, backup] = [
        await tablesWith(person.texts),
        await filesWith(person.texts),
        await backupFilesWith(client.garage.owner, person.texts),
      ];

      expect(tables).to.deep.equal({ invoiceparties: 1, orders: 1 });
      expect(files).to.deep.equal([invoicePdf]);
      expect(backup).to.deep.equal(['invoiceparty.ndjson', 'order.ndjson', invoicePdf].sort());
    });

    it('empties the fields that are personal, and names become Anoniem', async () => {
      const { data: contact } = await client.get(`/contact/${person.contact}`);
      const { data: order } = await client.get(`/order/${person.order}`);
      const { data: vehicle } = await client.get(`/vehicle/${person.vehicle}`);

      expect(contact).to.include({ first_name: 'Anoniem', last_name: 'Anoniem', company_name: null });
      expect(contact).to.include({ street: null, huisnummer: null, date_of_birth: null, external_id: null });
      expect(contact).to.include({ country_id: 1, contact_number: contact.contact_number });
      expect(order).to.include({ description: null, reference: null, remarks_internal: null });
      expect(vehicle.license_plate).to.match(/^ANON-[0-9A-Z]{7}$/);
    });

    it('logs the change with its fields, and hides old and new values', async () => {
      const rows = await select(
        database(),
        "SELECT action, employee_id, changes FROM changes WHERE resource = 'contact' AND record_id = ? ORDER BY id",
        [person.contact],
      );

      const [created, renamed, emptied] = rows;
      expect(rows).to.have.length(3);
      expect(created?.changes).to.equal(null);
      expect(JSON.parse(String(renamed?.changes))).to.deep.equal({ first_name: ['[...]', '[...]'] });
      expect(JSON.parse(String(emptied?.changes))).to.include.keys('last_name', 'street', 'external_id');
      expect(new Set(Object.values(JSON.parse(String(emptied?.changes))).flat())).to.deep.equal(
        new Set(['[...]']),
      );
      expect(emptied?.employee_id).to.be.a('number');
    });

    it('replays an Idempotency-Key with the ID only', async () => {
      const [row] = await select(
        database(),
        'SELECT body FROM idempotency_keys WHERE owner_id = ? AND headers LIKE ?',
        [client.garage.owner, `%/contact/${person.contact}"%`],
      );

      expect(JSON.parse(String(row?.body))).to.deep.equal({ successCode: 201, data: { id: person.contact } });
    });

    it('prints the invoice again as it was, with the plate of its day', async () => {
      const job = await generate(client, {
        document_type: documenttypes.INVOICE,
        order_ids: [person.invoice.id],
      });

      const [row] = await select(database(), 'SELECT file_name FROM jobs WHERE id = ?', [String(job.id)]);
      const text = await textOf(inStorage('archives', String(row?.file_name)));
      expect(text).to.include(person.name);
      expect(text).to.include(person.plate.replace('ZX', 'ZW'));
    });

    it('is 200 again, with the same answer, and changes nothing', async () => {
      const { data: before } = await client.get(`/contact/${person.contact}`);
      const again = await anonymise(client, person.contact);
      const { data: after } = await client.get(`/contact/${person.contact}`);

      expect(again.data.kept).to.have.length(1);
      expect(after).to.deep.equal(before);
    });

    it('empties the invoice too when eight years have passed', async () => {
      await execute(
        database(),
        'UPDATE orders SET invoice_date = invoice_date - INTERVAL 8 YEAR WHERE id = ?',
        [person.invoice.id],
      );
      const { storage, config } = theService().base;
      const removed = await tidy(database(), storage, config);

      expect(removed.kept_invoices).to.equal(1);
      expect(await tablesWith(person.texts)).to.deep.equal({});
      expect(await backupFilesWith(client.garage.owner, person.texts)).to.deep.equal([]);
      expect(existsSync(inStorage('documents', invoicePdf))).to.equal(false);
      const { data } = await client.get(`/order/${person.invoice.id}?expand=invoiceparty`);
      expect(data.invoiceparty[0].buyer).to.include({ last_name: 'Anoniem', street: null });
      expect(data).to.include({ invoice_number: person.invoice.invoice_number, total_gross: 121 });
      expect((await anonymise(client, person.contact)).data.kept).to.deep.equal([]);
    });
  });

  it('keeps an invoice to the last day of its seventh year, and not a year longer', async () => {
    const { id, contact_id } = await buildInvoice(client);
    await anonymise(client, contact_id);
    const years = async (count: number) => {
      await execute(database(), 'UPDATE orders SET invoice_date = ? WHERE id = ?', [
        `${new Date().getFullYear() - count}-06-15 12:00:00.000`,
        id,
      ]);
      const { storage, config } = theService().base;
      await tidy(database(), storage, config);
      return (await client.get(`/order/${id}?expand=invoiceparty`)).data.invoiceparty[0].buyer.last_name;
    };

    expect(await years(7)).to.equal('de Boer');
    expect(await years(8)).to.equal('Anoniem');
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

  it('removes archives of the garage, and begins running jobs anew', async () => {
    const { id } = await buildBuyer(client);
    const running = await heldJob(client);
    await execute(
      database(),
      'UPDATE jobs SET status = ?, fence = 3, attempts = 2, lease_until = UTC_TIMESTAMP(3) + INTERVAL 1 DAY WHERE id = ?',
      [jobstatuses.RUNNING, running],
    );

    await anonymise(client, id);

    const { fence } = await jobRow(running);
    expect(Number(fence)).to.be.at.least(4);
    await client.del(`/job/${running}`);
  });

  it('touches no other contact, and no other garage', async () => {
    const other = await newClient();
    const [theirs, neighbour] = [await addPerson(other), await addPerson(client)];
    const person = await addPerson(client);
    const before = await Promise.all([tablesWith(theirs.texts), tablesWith(neighbour.texts)]);

    await anonymise(client, person.contact);

    expect(await Promise.all([tablesWith(theirs.texts), tablesWith(neighbour.texts)])).to.deep.equal(before);
    expect(await filesWith(theirs.texts)).to.have.length.of.at.least(5);
  });

  it('finds the contact by the ID of the query or of the body', async () => {
    const [one, other] = [await buildBuyer(client), await buildBuyer(client)];

    expect((await client.put('/contact/anonymise', { id: one.id })).status).to.equal(200);
    expect(await client.put(`/contact/anonymise?id=${one.id}`, { id: other.id })).to.be.refused(
      400,
      'Primary ID is not an valid ID',
    );
    expect(await client.put('/contact/anonymise')).to.be.refused(403, 'No primary ID provided');
    expect(await client.put(`/contact/anonymise?id=${one.id}`, { notes: 'x' })).to.be.refused(
      403,
      'Field: [notes] not found in model',
    );
  });

  it('refuses a contact of another garage, and an unknown one', async () => {
    const theirs = await buildBuyer(await newClient());

    for (const id of [theirs.id, 999_999_999])
      expect(await anonymise(client, id)).to.be.refused(404, `Field: [id] value: [${id}] not found`);
  });

  it('refuses a blocked, an archived and a system contact', async () => {
    const { id } = await buildBuyer(client);
    const refusals: [flag: string, message: string][] = [
      ['is_blocked', 'This is a blocked record, fields cannot be changed, only update: is_blocked'],
      ['is_archived', 'This is an archived record, fields cannot be changed, only update: is_archived'],
      ['is_system', 'This is a system record, fields cannot be changed'],
    ];
    for (const [flag, message] of refusals) {
      await execute(
        database(),
        `UPDATE contacts SET is_blocked = 0, is_archived = 0, ${flag} = 1 WHERE id = ?`,
        [id],
      );
      expect(await anonymise(client, id)).to.be.refused(409, message);
    }
    expect((await client.get(`/contact/${id}`)).data.last_name).to.equal('de Boer');
  });

  it('heeds If-Match', async () => {
    const { id } = await buildBuyer(client);
    const path = `/contact/anonymise?id=${id}`;

    const stale = await client.put(path, undefined, { 'if-match': '"7"' });
    const fresh = await client.put(path, undefined, { 'if-match': '"1"' });

    expect(stale).to.be.refused(412, 'Record was changed by another request');
    expect(fresh.status).to.equal(200);
  });

  it('refuses users who are no ADMIN', async () => {
    const { owner } = client.garage;
    for (const role of ['USER', 'READONLY'] as const) {
      const user = clientOf(await makeGarage({ owner, role }));
      expect(await anonymise(user, 1)).to.be.refused(
        403,
        'Endpoint: [PUT /contact/anonymise] is not allowed for this user',
      );
      expect(await user.post('/contact/personaldata', { id: 1 })).to.be.refused(
        403,
        'Endpoint: [POST /contact/personaldata] is not allowed for this user',
      );
    }
  });
});

describe('POST /contact/personaldata', function () {
  this.timeout(60_000);
  let client: Client;
  before(async () => {
    client = await newClient();
  });

  /** Asks for the zip; its JSON, and all its text. */
  const collect = async (id: number) => {
    const answer = await client.post('/contact/personaldata', { id });
    expect(answer.status, answer.text).to.equal(202);
    const job = await finished(client, answer.data.job_id);
    const { url } = job as { url: string };
    const [, name = ''] = /\/files\/([^?]+)/.exec(url) ?? [];
    const path = inStorage('archives', name);
    expect((await readFile(path)).length).to.equal(job.size);
    const { stdout } = await program('unzip', ['-p', path, 'personal-data.json']);
    return { text: await textOf(path), json: JSON.parse(stdout) };
  };

  it('makes a zip with everything about the person, as JSON, as a PDF and with the stored files', async () => {
    const person = await addPerson(client);

    const { text, json } = await collect(person.contact);

    for (const one of person.texts) expect(text).to.include(one);
    expect(text).to.include(`Persoonsgegevens van Jan ${person.name}`);
    expect(text).to.include('Geboortedatum');
    expect(text).to.include(`Foto: Bellen met ${person.name}`);
    expect(Object.keys(json)).to.deep.equal([
      ...['taken_at', 'owner', 'contact', 'contactcommunication', 'vehicleroleline', 'vehicle'],
      ...['licenseplatehistory', 'order', 'orderline', 'invoiceparty', 'document', 'changes'],
    ]);
    expect(json.contact.id).to.equal(person.contact);
    expect(json.order).to.have.length(2);
    expect(json.changes.map(({ resource }: { resource: string }) => resource)).to.include.members([
      'contact',
      'contactcommunication',
      'order',
      'vehicle',
    ]);
  });

  it('shows neither the books of the dealer nor other people', async () => {
    const [driver, payer] = [
      await buildBuyer(client, { last_name: 'Bestuurder' }),
      await buildBuyer(client, { last_name: 'Zonderling', language: 'en' }),
    ];
    await buildInvoice(
      client,
      { contact_id: driver.id, invoice_contact_id: payer.id, remarks_internal: 'alleen de bestuurder' },
      { purchase_price: 7777.77 },
    );

    const { text } = await collect(payer.id);

    expect(text).to.include('Personal data of Zonderling');
    expect(text).to.not.match(/7777|Bestuurder|alleen de bestuurder/);
  });

  it('refuses an unknown contact, one of another garage, and a body without an ID', async () => {
    const theirs = await buildBuyer(await newClient());
    const ask = (body: object) => client.post('/contact/personaldata', body);

    expect(await ask({ id: theirs.id })).to.be.refused(404, `Field: [id] value: [${theirs.id}] not found`);
    expect(await ask({ webhook_url: null })).to.be.refused(
      403,
      'Field: [id] is required and not supplied in request',
    );
    expect(await ask({ id: 'x' })).to.be.refused(
      403,
      'Field: [id] has an invalid value: [x] for datatype: int4',
    );
  });
});
