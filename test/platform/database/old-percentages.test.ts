// The migration that gives lines of old invoices the VAT percentage of their day.
import { fileURLToPath, pathToFileURL } from 'node:url';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { buildBuyer } from '../../support/build/build.ts';
import { newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { importJson } from '../../support/client/import.ts';
import { execute } from '../../support/database/sql.ts';
import { database } from '../../support/service/service.ts';
import { LINE, old } from '../../work/import/old-order.ts';

const MIGRATION = fileURLToPath(new URL('../../../migrations/0057-old-percentages.js', import.meta.url));
const { HIGH, LOW, ZERO } = LISTS.vatcodes;

/** An invoice of a year, with the VAT that the buyer was told. */
function invoiceOf(year: number, high: number, low: number) {
  const orderline = [
    { ...LINE, vat_code: HIGH, line_gross: 100 + high },
    { ...LINE, vat_code: LOW, line_gross: 100 + low },
    { ...LINE, vat_code: ZERO, line_gross: 100 },
  ];
  const numbers = { external_id: `O-${year}`, order_number: year, invoice_number: `${year}00042` };
  return old({ ...numbers, invoice_date: `${year}-03-04T10:00:00Z`, orderline });
}

describe('the migration of old VAT percentages', () => {
  it('follows the VAT of the invoice, and may run again', async () => {
    const client = await newClient();
    await buildBuyer(client, { external_id: 'K' });
    const invoices = [
      ...[invoiceOf(2011, 19, 6), invoiceOf(2015, 21, 6)],
      ...[invoiceOf(2018, 21, 9), invoiceOf(2020, 21, 9)],
    ];
    await importJson(client, 'resource=order&mode=upsert&history=1', invoices);
    const forget = 'UPDATE orderlines SET vat_percentage = ? WHERE owner_id = ? AND vat_code = ?';
    await execute(database(), forget, [21, client.garage.owner, HIGH]);
    await execute(database(), forget, [9, client.garage.owner, LOW]);

    const { up } = await import(pathToFileURL(MIGRATION).href);
    await up(database().knex);
    await up(database().knex);

    const { data } = await client.get('/orderline?sort=id');
    expect(data.map(({ vat_percentage }: { vat_percentage: number }) => vat_percentage)).to.deep.equal([
      ...[19, 6, 0],
      ...[21, 6, 0],
      ...[21, 9, 0],
      ...[21, 9, 0],
    ]);
  }).timeout(60_000);
});
