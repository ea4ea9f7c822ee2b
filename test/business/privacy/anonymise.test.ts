// PUT /contact/anonymise: after it, nothing of the person is found anywhere but in the invoices that the law keeps.
import { existsSync } from 'node:fs';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { logOf, place } from '../../support/client/changes.ts';
import { type Client, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { execute, select } from '../../support/database/sql.ts';
import { backupFilesWith, filesWith, tablesWith, textOf } from '../../support/files/leak.ts';
import { database, inStorage } from '../../support/service/service.ts';
import { removeUnusedFiles, tidyAll } from '../../support/service/tidy.ts';
import { addPerson, anonymise, generate, LAST_DAY, type Person } from './scene.ts';

const { documenttypes } = LISTS;

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
      await place(client.garage.owner);
      // Most likely this change has no place yet when the person is anonymised.
      await client.put(`/contact/${person.contact}`, { notes: `Bellen met ${person.name}` });
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
      await removeUnusedFiles();

      const [tables, files, backup] = [
        await tablesWith(person.texts),
        await filesWith(person.texts),
        await backupFilesWith(client.garage.owner, person.texts),
      ];

      expect(tables).to.deep.equal({ invoiceparties: 1, orders: 1, payments: 1 });
      expect(files).to.deep.equal([invoicePdf]);
      const left = ['invoiceparty.ndjson', 'order.ndjson', 'payment.ndjson', invoicePdf];
      expect(backup).to.deep.equal(left.sort());
    });

    it('leaves no text by which a search finds the person, the car or the order of it', async () => {
      const { name, email, plate } = person;

      for (const resource of ['contact', 'vehicle'])
        for (const text of [name, name.toUpperCase(), email, plate, plate.replaceAll('-', '')]) {
          const { status, data } = await client.get(`/${resource}?search=${encodeURIComponent(text)}`);
          expect([status, data], text).to.deep.equal([200, []]);
        }
      const { data: orders } = await client.get(`/order?search=${name}`);
      expect(orders.map(({ id }: { id: number }) => id)).to.deep.equal([person.invoice.id]);
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
      const log = await logOf(client.garage.owner, 'contact');
      const rows = log.filter(({ record_id }) => record_id === person.contact);

      const [created, renamed, noted, emptied] = rows;
      expect(rows).to.have.length(4);
      expect(JSON.parse(String(noted?.changes)).notes[1]).to.equal('[...]');
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
      const removed = await tidyAll();

      // The service's own tidying may have come first.
      expect(removed.kept_invoices).to.be.at.most(1);
      expect(await tablesWith(person.texts)).to.deep.equal({});
      expect(await backupFilesWith(client.garage.owner, person.texts)).to.deep.equal([]);
      expect(existsSync(inStorage('documents', invoicePdf))).to.equal(false);
      const { data } = await client.get(`/order/${person.invoice.id}?expand=invoiceparty`);
      expect(data.invoiceparty[0].buyer).to.include({ last_name: 'Anoniem', street: null });
      expect(data).to.include({ invoice_number: person.invoice.invoice_number, total_gross: 121 });
      expect((await anonymise(client, person.contact)).data.kept).to.deep.equal([]);
    });
  });
});
