// A backup from before a contact was anonymised: restored here, or with the list on another machine, it does
// not bring the person back.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addToList } from '../../../src/business/privacy/anonymised-list.ts';
import { garageOf } from '../../../src/core/model/statements/garage.ts';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build, buildBuyer, buildInvoice } from '../../support/build/build.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { execute, select } from '../../support/database/sql.ts';
import { comparableRecords, writeBackup } from '../../support/files/backup.ts';
import { backupFilesWith, tablesWith } from '../../support/files/leak.ts';
import { forecourt, forecourtJson } from '../../support/process/forecourt.ts';
import { processEnvironment } from '../../support/process/process.ts';
import { database, theService } from '../../support/service/service.ts';
import { addPerson, anonymise, base64, type Person } from './scene.ts';

describe('a backup of a person who was anonymised since', function () {
  this.timeout(120_000);
  let folder: string;
  let client: Client;
  let person: Person;
  let neighbour: number;
  let list: string;
  const environment = () => processEnvironment(theService().base.storage.directory);
  const restore = (...words: string[]): Promise<Json> =>
    forecourtJson(environment(), 'restore', join(folder, 'old.zip'), ...words);
  const namesOf = async (owner: unknown) =>
    (
      await select(database(), 'SELECT last_name FROM contacts WHERE owner_id = ? ORDER BY contact_number', [
        Number(owner),
      ])
    ).map(({ last_name }) => last_name);

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forecourt-privacy-'));
    list = join(folder, 'list.json');
    client = await newClient();
    person = await addPerson(client);
    neighbour = (await buildBuyer(client, { last_name: 'Buurman' })).id;
    const owner = String(client.garage.owner);
    await forecourtJson(environment(), 'backup', '--owner', owner, '--out', join(folder, 'old.zip'));
    await client.put(`/contact/anonymise?id=${person.contact}`);
    await forecourtJson(environment(), 'anonymised', '--owner', owner, '--out', list);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('comes back anonymised here, and again', async () => {
    const first = await restore();
    const second = await restore();

    expect([first.anonymised, second.anonymised]).to.deep.equal([1, 1]);
    expect(await namesOf(first.owner_id)).to.deep.equal(['Anoniem', 'Buurman']);
    for (const { owner_id } of [first, second])
      expect(await backupFilesWith(Number(owner_id), person.texts)).to.deep.equal(
        await backupFilesWith(client.garage.owner, person.texts),
      );
    expect(await tablesWith(person.texts)).to.deep.equal({ orders: 3, invoiceparties: 3, payments: 3 });
  });

  it('is told by a list of digests, which names nobody', async () => {
    const text = await readFile(list, 'utf8');

    const { contacts, ...others } = JSON.parse(text);
    expect(contacts).to.have.length(1);
    expect(contacts[0]).to.match(/^[0-9a-f]{64}$/);
    expect(Object.keys(others)).to.have.members(['format', 'version']);
    for (const one of person.texts) expect(text).to.not.include(one);
    expect(neighbour).to.be.greaterThan(0);
  });

  it('comes back whole where nobody knows of it, and anonymised with the list', async () => {
    await execute(database(), 'DELETE FROM anonymised');

    const whole = await restore();
    const listed = await restore('--anonymised', list);

    expect(await namesOf(whole.owner_id)).to.deep.equal([person.name, 'Buurman']);
    expect(await namesOf(listed.owner_id)).to.deep.equal(['Anoniem', 'Buurman']);
    const again = await restore();
    expect(again.anonymised, 'the list is kept').to.equal(1);
  });

  it('is awaited by a list whose person is not here yet, from a day that exists', async () => {
    const digest = 'a'.repeat(64);
    await database().transaction((session) => addToList(garageOf(session, client.garage.owner), [digest]));

    const [row] = await select(database(), 'SELECT at FROM anonymised WHERE digest = ?', [digest]);

    expect(Date.parse(`${row?.at}Z`)).to.be.closeTo(Date.now(), 60_000);
  });

  it('is anonymised by the list where a dump brought the person back', async () => {
    await execute(database(), 'DELETE FROM anonymised');
    const { owner_id } = await restore();
    const apply = () =>
      forecourtJson(environment(), 'anonymised', '--owner', String(owner_id), '--apply', list);

    const applied = await apply();

    expect(applied.contacts).to.equal(1);
    expect(await namesOf(owner_id)).to.deep.equal(['Anoniem', 'Buurman']);
    expect((await apply()).contacts, 'again, without harm').to.equal(1);
  });

  it('refuses a file that is no list', async () => {
    const wrong = join(folder, 'wrong.json');
    const refusal = async (text: string) => {
      await writeFile(wrong, text);
      return forecourt(environment(), ['restore', join(folder, 'old.zip'), '--anonymised', wrong]);
    };

    for (const text of ['{', '[]', '{"format":"forecourt-anonymised","version":2,"contacts":[]}']) {
      const { code, err } = await refusal(text);
      expect(code).to.equal(2);
      expect(err).to.include('is not a list that forecourt anonymised wrote');
    }
    const both = ['anonymised', '--owner', '1', '--out', wrong, '--apply', wrong];
    expect((await forecourt(environment(), both)).code).to.equal(2);
    const damaged = await refusal('{"format":"forecourt-anonymised","version":1,"contacts":["x"]}');
    expect(damaged.err).to.include('is damaged');
  });
});

describe('a backup that was made after a contact was anonymised', function () {
  this.timeout(120_000);
  let folder: string;
  let client: Client;
  const environment = () => processEnvironment(theService().base.storage.directory);
  const restored = async (name: string) => {
    const file = join(folder, name);
    await writeBackup(client.garage.owner, file);
    const { owner_id } = await forecourtJson(environment(), 'restore', file);
    const again = join(folder, `again-${name}`);
    await writeBackup(Number(owner_id), again);
    return {
      owner: Number(owner_id),
      before: await comparableRecords(file),
      after: await comparableRecords(again),
    };
  };
  const countKept = async (owner: number) =>
    (await select(database(), 'SELECT 1 FROM kept_invoices WHERE owner_id = ?', [owner])).length;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forecourt-privacy-'));
    client = await newClient();
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('keeps what came to the contact since, and knows the kept invoices', async () => {
    const { contact: contact_id, invoice, vehicle: vehicle_id } = await addPerson(client);
    // Somebody else paid for work on the person's car: this invoice prints its plate.
    await buildInvoice(client, { vehicle_id });
    await anonymise(client, contact_id);
    const { id: order_id } = await build(client, 'order', { contact_id, buyer_reference: 'PO 1' });
    await build(client, 'vehicleroleline', {
      contact_id,
      vehicle_id: (await build(client, 'vehicle', { license_plate: 'ZZ-123-Z' })).id,
      role_kind: LISTS.vehicleroles.OWNER,
    });
    await client.put('/updatelicenseplate', { id: vehicle_id, license_plate: 'ZZ-124-Z' });
    await build(client, 'appointment', { contact_id, order_id, description: 'Banden wisselen' });
    const document_kind = LISTS.documentkinds.PHOTO;
    await build(client, 'document', {
      contact_id,
      document_kind,
      name: 'Schade',
      file_name: 'schade.txt',
      content: base64('deuk'),
    });
    const credit = await client.post('/order/credit', { order_id: invoice.id, is_invoiced: 0 });
    expect(credit.status, credit.text).to.equal(201);

    const { owner, before, after } = await restored('younger.zip');

    expect(after).to.deep.equal(before);
    expect([await countKept(owner), await countKept(client.garage.owner)]).to.deep.equal([2, 2]);
  });

  it('knows the kept invoices of others with the car also if the contact got a note since', async () => {
    const { contact, vehicle: vehicle_id } = await addPerson(client);
    await buildInvoice(client, { vehicle_id });
    await anonymise(client, contact);
    await client.put(`/contact/${contact}`, { notes: 'Belt terug' });

    const { owner } = await restored('noted.zip');

    expect([await countKept(owner), await countKept(client.garage.owner)]).to.deep.equal([2, 2]);
  });

  it('keeps the documents that an old invoice got after it was emptied', async () => {
    const { contact: contact_id, invoice } = await addPerson(client);
    const older = 'UPDATE orders SET invoice_date = invoice_date - INTERVAL 9 YEAR WHERE id = ?';
    await execute(database(), older, [invoice.id]);
    await anonymise(client, contact_id);
    const document_kind = LISTS.documentkinds.PHOTO;
    const file = { document_kind, name: 'Schade', file_name: 'schade.txt', content: base64('deuk') };
    for (const whose of [{ contact_id }, { contact_id: null }])
      await build(client, 'document', { ...file, ...whose, order_id: invoice.id });

    const { owner } = await restored('emptied.zip');

    const photos = 'SELECT name FROM documents WHERE owner_id = ? AND document_kind = ?';
    expect(await select(database(), photos, [owner, document_kind])).to.have.length(2);
  });

  it('is anonymised if only the name was written over before', async () => {
    const email = 'zwaluw@voorbeeld.example';
    const { data } = await client.post('/contact', {
      contact_kind: LISTS.contactkinds.PERSON,
      country_id: 1,
      last_name: 'Anoniem',
    });
    await build(client, 'contactcommunication', { contact_id: data.id, value: email });
    const file = join(folder, 'older.zip');
    await writeBackup(client.garage.owner, file);
    await anonymise(client, data.id);

    const { owner_id } = await forecourtJson(environment(), 'restore', file);

    expect(await backupFilesWith(client.garage.owner, [email])).to.deep.equal([]);
    expect(await backupFilesWith(Number(owner_id), [email])).to.deep.equal([]);
  });
});
