// Restores backups of earlier versions, which lack fields and resources of this version.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seed } from '../../../src/business/seed/seed.ts';
import type { Row } from '../../../src/core/model/fields/field.ts';
import { resourceNamed } from '../../../src/core/model/records/registry.ts';
import { LISTS } from '../../../src/core/trade/lists.ts';
import type { Store } from '../../../src/platform/storage/store.ts';
import { restoreOwner } from '../../../src/work/archive/restore.ts';
import { build, buildBuyer } from '../../support/build/build.ts';
import { type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { importJson } from '../../support/client/import.ts';
import { execute, select } from '../../support/database/sql.ts';
import { type Backup, type Forgery, forge, readBackup, writeBackup } from '../../support/files/backup.ts';
import { database, theService } from '../../support/service/service.ts';
import { LINE, old } from '../import/old-order.ts';

const { LOW } = LISTS.vatcodes;

/** Takes fields out of records, as an earlier version lacked them. */
const without =
  (...fields: string[]) =>
  (records: Json[]) => {
    for (const record of records) for (const field of fields) delete record[field];
  };

describe('restoring a backup', function () {
  this.timeout(60_000);
  let folder: string;
  let path: string;
  let backup: Backup;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forecourt-others-'));
    path = join(folder, 'backup.zip');
    const { owner } = (await newClient()).garage;
    await seed(database(), { owner, orders: 10, random: 'others' });
    await writeBackup(owner, path);
    backup = await readBackup(path);
  });

  after(() => rm(folder, { recursive: true, force: true }));

  it('gives a field that the backup lacks the value of a new record', async () => {
    const owner = await restored({ records: { contact: without('is_vat_shifted', 'language') } });

    const contacts = await rowsOf(owner, 'contact');
    const given = new Set(contacts.map(({ is_vat_shifted, language }) => `${is_vat_shifted} ${language}`));
    expect([...given]).to.deep.equal(['0 null']);
  });

  it('computes what is open of the invoices of a backup without payments', async () => {
    const owner = await restored({
      records: { order: without('amount_open') },
      files: { 'data/payment.ndjson': undefined },
    });

    const orders = await rowsOf(owner, 'order');
    expect(orders.filter(({ is_invoiced }) => is_invoiced === 1)).to.not.deep.equal([]);
    for (const { is_invoiced, amount_open, total_gross } of orders)
      expect(amount_open).to.equal(is_invoiced === 1 ? total_gross : null);
  });

  it('counts the invoices of a backup without days of the books on their dates', async () => {
    const owner = await restored({ records: { order: without('book_date') } });

    const orders = await rowsOf(owner, 'order');
    expect(orders.filter(({ is_invoiced }) => is_invoiced === 1)).to.not.deep.equal([]);
    for (const { invoice_date, book_date } of orders) expect(book_date).to.deep.equal(invoice_date);
  });

  it('gives lines of old invoices of 1.0.0, which had the rates of their import, those of their day', async () => {
    const client = await newClient();
    await buildBuyer(client, { external_id: 'K' });
    const told = { ...LINE, vat_code: LOW, quantity: 3 };
    const invoice = (year: number, line_gross: number) =>
      old({
        ...{ external_id: `O-${year}`, order_number: year, invoice_number: `${year}00042` },
        ...{ invoice_date: `${year}-03-04T10:00:00Z`, orderline: [{ ...told, line_gross }] },
      });
    const invoices = [invoice(2017, 318), invoice(2018, 327), invoice(2020, 327)];
    await importJson(client, 'resource=order&history=1', invoices);
    await writeBackup(client.garage.owner, path);
    const earlier = (lines: Json[]) => {
      for (const line of lines) line.vat_percentage = 9;
    };

    const owner = await restored(
      { records: { order: without('book_date'), orderline: earlier } },
      await readBackup(path),
    );

    const lines = await rowsOf(owner, 'orderline');
    expect(lines.map(({ vat_percentage }) => vat_percentage)).to.deep.equal(['6.0000', '9.0000', '9.0000']);
  });

  it('takes the invoices and payments of closed days as they are', async () => {
    const closed = ([garage]: Json[]) => Object.assign(garage ?? {}, { books_closed_until: '2030-01-31' });

    const owner = await restored({ records: { owner: closed } });

    const [garage] = await select(database(), 'SELECT books_closed_until AS day FROM owners WHERE id = ?', [
      owner,
    ]);
    expect(String(garage?.day)).to.include('2030-01-31');
    for (const name of ['order', 'orderline', 'payment'])
      expect(await rowsOf(owner, name), name).to.have.length(backup.records[name]?.length ?? 0);
  });

  it('makes no records of a resource that the backup lacks', async () => {
    const owner = await restored({ files: { 'data/licenseplatehistory.ndjson': undefined } });

    expect(await rowsOf(owner, 'licenseplatehistory')).to.deep.equal([]);
    expect(await rowsOf(owner, 'vehicle')).to.have.length(backup.records.vehicle?.length ?? 0);
  });

  it('continues the invoice numbers, whatever their prefix was', async () => {
    const renamed = (records: Json[]) =>
      records.forEach((record) => {
        if (record.invoice_number)
          record.invoice_number = String(record.invoice_number).replace('F', '2023-');
      });

    const owners = [await restored({}), await restored({ records: { order: renamed } })];

    const [expected, actual] = await Promise.all(owners.map(countersOf));
    expect(expected?.map(({ name }) => name)).to.include('invoice:2023');
    expect(actual).to.deep.equal(expected);
  });

  it('restores amounts to the last digit', async () => {
    const { owner } = (await newClient()).garage;
    await seed(database(), { owner, orders: 10, random: 'exact' });
    const prices = ['99999999999999.9999', '-12345678901234.5678', '12345678901.2345', '0.1000', '10.0000'];
    const lines = await rowsOf(owner, 'orderline');
    for (const [index, price] of prices.entries()) {
      const sql = 'UPDATE orderlines SET price = ?, description = ? WHERE id = ?';
      await execute(database(), sql, [price, '"price":12345678901234567', lines[index]?.id ?? null]);
    }
    await writeBackup(owner, path);

    const { owner: copy } = await restoreOwner(database(), path, { documents: documents() });

    const written = (rows: Row[]) =>
      rows.map(({ price, line_net, description }) => [price, line_net, description]);
    const [before, after] = [await rowsOf(owner, 'orderline'), await rowsOf(copy, 'orderline')].map(written);
    expect(after).to.deep.equal(before);
    expect(before?.slice(0, prices.length).map(([price]) => price)).to.deep.equal(prices);
  });

  it('keeps a file that was noted as unused: another node of a cluster may look before the end', async () => {
    const client = await newClient();
    const content = Buffer.from('noted as unused').toString('base64');
    const { sha256 } = await build(client, 'document', { content });
    await writeBackup(client.garage.owner, path);
    const noted =
      'INSERT INTO unused_files (sha256, noted_at) VALUES (?, UTC_TIMESTAMP(3) - INTERVAL 11 MINUTE)';
    await execute(database(), noted, [sha256]);
    const old =
      'SELECT sha256 FROM unused_files WHERE sha256 = ? AND noted_at < UTC_TIMESTAMP(3) - INTERVAL 10 MINUTE';
    const looks: unknown[] = [];
    const read: Store['read'] = async (name) => {
      looks.push([name, await select(database(), old, [sha256])]);
      return documents().read(name);
    };

    await restoreOwner(database(), path, { documents: { ...documents(), read } });

    expect(looks).to.deep.equal([[sha256, []]]);
  });

  async function restored(forgery: Forgery, of = backup): Promise<number> {
    await forge(of, path, forgery);
    return (await restoreOwner(database(), path, { documents: documents() })).owner;
  }

  const documents = () => theService().base.storage.documents;

  const rowsOf = (owner: number, resource: string): Promise<Row[]> =>
    select(database(), `SELECT * FROM ${resourceNamed(resource).table} WHERE owner_id = ? ORDER BY id`, [
      owner,
    ]);

  /** Without the gates of the books, which follow from IDs. */
  const countersOf = (owner: number) =>
    select(
      database(),
      "SELECT name, value FROM counters WHERE owner_id = ? AND name NOT LIKE 'books:%' ORDER BY name",
      [owner],
    );
});
