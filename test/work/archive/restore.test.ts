// Backs up a garage with records of every kind and restores it by the command line. Only the IDs differ, and the
// numbers continue.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOwner } from '../../../src/cli/new-garage.ts';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { login } from '../../spec/login.ts';
import { build, buildInvoice } from '../../support/build/build.ts';
import { THIS_YEAR } from '../../support/build/day.ts';
import { place } from '../../support/client/changes.ts';
import { type Client, clientOf, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { execute, select } from '../../support/database/sql.ts';
import { type Backup, canonical, readBackup } from '../../support/files/backup.ts';
import { eInvoices } from '../../support/files/e-invoice.ts';
import { pngOf } from '../../support/files/picture.ts';
import { forecourt } from '../../support/process/forecourt.ts';
import { processEnvironment, run } from '../../support/process/process.ts';
import { database, PASSWORD, serviceEnvironment, theService } from '../../support/service/service.ts';
import { addRareRecords, CONTENT } from './rare-records.ts';

const { SELF_BILLED, STATEMENT } = LISTS.purchaseproofs;
const OWN = {
  ...{ margin_method: 1, vat_period: 2, margin_carried_in: 12.34, margin_from: '2026-01-01T00:00:00.000Z' },
  ...{ logo: pngOf(300, 100).toString('base64'), accent_color: '#0a5c9e', vat_codes: '{"1": "VH"}' },
};

describe('a garage that is restored', function () {
  this.timeout(60_000);
  let folder: string;
  let client: Client;
  let restored: Client;
  let original: Backup;
  let again: Backup;
  let answer: Json;
  let stored: string;
  /** The object that a command prints. A password among its words brings a warning. */
  const command = async (...words: string[]): Promise<Json> => {
    const { code, out, err } = await forecourt(serviceEnvironment(), [...words, '--json']);
    expect(code, err).to.equal(0);
    return JSON.parse(out);
  };
  const backUp = async (owner: number, name: string) => {
    const out = join(folder, name);
    await command('backup', '--owner', String(owner), '--out', out);
    return readBackup(out);
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forecourt-restore-'));
    client = await newClient();
    const { owner, username } = client.garage;
    await command('seed', '--owner', String(owner), '--orders', '300', '--random', 'restored');
    await client.put(`/owner/${owner}`, OWN);
    stored = await addRareRecords(client);
    original = await backUp(owner, 'original.zip');
    // Everything comes back only if the name is free again and the file is gone.
    await execute(database(), 'UPDATE employees SET username = ? WHERE username = ?', [
      `${username}-1`,
      username,
    ]);
    await rm(stored);
    answer = await command('restore', join(folder, 'original.zip'));
    again = await backUp(Number(answer.owner_id), 'again.zip');
    await command('employee', 'password', username, '--password', PASSWORD);
    restored = await logIn(client, Number(answer.owner_id));
  });

  after(() => rm(folder, { recursive: true, force: true }));

  it('is reported with the number of its records', () => {
    const { employees_without_username, rows, owner_id } = answer;
    const counts = Object.entries(original.records).map(([name, records]) => [name, records.length]);

    expect(employees_without_username).to.deep.equal([]);
    expect(rows).to.deep.equal(Object.fromEntries(counts));
    expect(owner_id).to.be.greaterThan(client.garage.owner);
  });

  it('has its own fields', async () => expect((await restored.get('/owner')).data[0]).to.include(OWN));

  it('has the same records, except for their IDs', () => {
    const [before, after] = [original, again].map(canonical);

    for (const name of Object.keys(original.records))
      expect(after?.[name], name).to.deep.equal(before?.[name]);
    expect([...again.content.keys()]).to.deep.equal([...original.content.keys()]);
    for (const [name, records] of Object.entries(original.records)) {
      expect(records, `no records of ${name}: make some in src/business/seed`).not.to.have.length(0);
      const ids = records.map(({ id }) => id);
      expect(
        again.records[name]?.some(({ id }) => ids.includes(id)),
        name,
      ).to.equal(false);
    }
  });

  it('comes from records of every kind', () => {
    const { contact = [], order = [], article = [], vehicle = [] } = original.records;
    const parent = ({ parent_contact_id }: Json) => Number(parent_contact_id ?? 0);

    expect(contact.filter((record) => parent(record) > Number(record.id))).not.to.have.length(0);
    expect(contact.filter((record) => parent(record) > 0 && parent(record) < Number(record.id))).not.to.be
      .empty;
    expect(order.filter(({ credited_order_id }) => credited_order_id)).not.to.have.length(0);
    expect(order.filter(({ deposit_of_order_id }) => deposit_of_order_id)).not.to.have.length(0);
    expect(article.filter(({ is_archived }) => is_archived)).to.have.length(1);
    expect(vehicle.filter(({ is_blocked }) => is_blocked)).to.have.length(1);
  });

  it('has the hidden sums behind its totals', async () => {
    const sums = (owner: number) =>
      select(
        database(),
        'SELECT net_high, net_low, vat_high, vat_low FROM orders WHERE owner_id = ? ORDER BY order_number',
        [owner],
      );

    const [before, after] = await Promise.all([sums(client.garage.owner), sums(restored.garage.owner)]);

    expect(after).to.deep.equal(before);
    expect(after.filter(({ net_high }) => net_high !== '0.00')).not.to.have.length(0);
  });

  it('continues with the numbers that the original would use', async () => {
    for (const garage of [client, restored]) await build(garage, 'contact');
    const [expected, actual] = await Promise.all([client, restored].map((garage) => numbers(garage)));

    expect(actual).to.deep.equal(expected);
    expect(actual?.invoice_number).to.match(new RegExp(`^F${THIS_YEAR}\\d{5}$`));
  });

  it('has the stored files', async () => {
    const { data } = await restored.get('/document?filter=name:rare');

    const info = await restored.get(`/document/info?id=${data[0].id}`);
    const download = await fetch(info.data.url);

    expect(Buffer.from(await download.arrayBuffer())).to.deep.equal(CONTENT);
    expect(await readFile(stored)).to.deep.equal(CONTENT);
  });

  it('goes on with the feed of an owner whose first changes have their places', async () => {
    const owner = await createOwner(database(), { name: 'Empty' });
    await place(owner);

    await command('restore', join(folder, 'original.zip'), '--owner', String(owner));
    await place(owner);

    const log = await select(database(), 'SELECT seq FROM changes WHERE owner_id = ? ORDER BY seq', [owner]);
    expect(log.length).to.be.above(1);
    expect(log.map(({ seq }) => seq)).to.deep.equal(log.map((_, index) => index + 1));
  });

  it('keeps invoices frozen', async () => {
    const { data: invoices } = await restored.get(
      '/order?filter=is_invoiced:1&page_size=1&expand=invoiceparty',
    );
    const [invoice] = invoices;

    const change = await restored.put(`/order/${invoice.id}`, { reference: 'B-2' });

    expect(change).to.be.refused(409, '[order] is [invoice], cannot add/update/delete');
    expect(invoice.invoiceparty[0].buyer.id).to.equal(invoice.invoice_contact_id ?? invoice.contact_id);
    expect(invoice.invoiceparty[0].seller.id).to.equal(restored.garage.owner);
  });

  it('has the same e-invoices', async () => {
    const { data } = await client.get(
      '/order?filter=is_invoiced:1,reference[null]:0&page_size=1&expand=invoiceparty',
    );
    const xmlIn = async (garage: Client) => {
      const { data: same } = await garage.get(`/order?filter=order_number:${data[0].order_number}`);
      const files = await eInvoices(garage, { order_ids: [same[0].id] });
      return String([...files.values()][0]);
    };

    const [before, after] = [await xmlIn(client), await xmlIn(restored)];

    expect(after).to.equal(before);
    const [{ reference, invoiceparty }] = data;
    expect(before).to.include(`>${invoiceparty[0].approval_number ?? reference}<`);
  });

  it('goes into an owner that has employees only, and drops usernames that are taken', async () => {
    const owner = await createOwner(database(), { name: 'Empty' });
    await command('employee', 'create', '--owner', String(owner), ...EMPLOYEE);
    await writeFile(stored, 'damaged');

    const printed = await command('restore', join(folder, 'original.zip'), '--owner', String(owner));

    const employees = await select(database(), 'SELECT id, username FROM employees WHERE owner_id = ?', [
      owner,
    ]);
    const [row] = await select(database(), 'SELECT name FROM owners WHERE id = ?', [owner]);
    const [, { id = 0 } = {}] = employees;
    expect(printed.owner_id).to.equal(owner);
    expect(printed.employees_without_username).to.deep.equal([{ id, username: client.garage.username }]);
    expect(employees.flatMap(({ username }) => username ?? [])).to.deep.equal(['boss']);
    expect(row?.name).to.equal('Garage Test');
    expect(await readFile(stored)).to.deep.equal(CONTENT);
  });

  it('prints what was restored, and how to log in', async () => {
    const environment = processEnvironment(theService().base.storage.directory);

    const { code, out } = await run('cli/main.js', ['restore', join(folder, 'original.zip')], environment);

    expect(code).to.equal(0);
    expect(out).to.match(/^\S+ was restored as owner \d+:\n {2}absence +\d+\n/);
    expect(out).to.match(
      new RegExp(`because somebody else has it now:\\n {2}\\d+ +${client.garage.username}\\n`),
    );
    expect(out).to.include(': forecourt employee username ID NAME\n');
    expect(out).to.include(': forecourt employee password USERNAME\n');
  });
});

const EMPLOYEE = [
  ...['--username', 'boss', '--password', PASSWORD, '--email', 'boss@garage.example'],
  ...['--role', 'ADMIN'],
];

/** With the password that was set after the restore. */
async function logIn({ garage }: Client, owner: number): Promise<Client> {
  const { body } = await login(garage);
  return clientOf({ ...garage, owner, token: body.token });
}

/** The numbers that the next records get. */
async function numbers(client: Client): Promise<Json> {
  const { contact_number } = await build(client, 'contact');
  const { order_number, invoice_number } = await buildInvoice(client);
  // The credit note of a purchase has the next number of the purchase's series.
  const purchases = await Promise.all(
    [SELF_BILLED, STATEMENT].map(async (proof) => {
      const filter = `filter=purchase_proof:${proof},is_invoiced:1&sort=-id&page_size=1`;
      const [{ id }] = (await client.get(`/order?${filter}`)).data;
      const { data } = await client.post('/order/credit', { order_id: id, is_invoiced: 1 });
      return data.invoice_number;
    }),
  );
  return { contact_number, order_number, invoice_number, purchases };
}
