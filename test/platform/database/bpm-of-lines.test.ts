// The migration that fills the BPM of older lines that sold a car under the margin scheme.
import { fileURLToPath, pathToFileURL } from 'node:url';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { invoiceOn } from '../../support/books/books.ts';
import { erase, invoiceIt, saleOf, stockCar } from '../../support/build/order.ts';
import { newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { database } from '../../support/service/service.ts';

const MIGRATION = fileURLToPath(new URL('../../../migrations/0056-bpm-of-lines.js', import.meta.url));
const { VEHICLE } = LISTS.linekinds;
const { MARGIN, HIGH } = LISTS.vatcodes;

describe('the migration of the BPM of lines', () => {
  it('fills lines that sold a car under the scheme, and may run again', async () => {
    const client = await newClient();
    const car = await stockCar(client, { bpm_paid: 1000 });
    const sale = await saleOf(client, car.id);
    await invoiceIt(client, sale.id);
    const own = { line_kind: VEHICLE, vehicle_id: car.id, purchase_price: 9000 };
    await invoiceOn(client, '2026-01-10', [
      { ...own, vat_code: MARGIN },
      { ...own, vat_code: HIGH },
      { ...own, vat_code: MARGIN, vehicle_id: (await stockCar(client)).id },
    ]);
    const { data: lines } = await client.get('/orderline?sort=id');
    const read = async () => (await client.get('/orderline?sort=id&fields=bpm_paid')).data;
    const atOnce = await read();
    for (const { id } of lines) await erase('orderline', id, 'bpm_paid');
    await client.put(`/vehicle/${car.id}`, { bpm_paid: 400 });

    const { up } = await import(pathToFileURL(MIGRATION).href);
    await up(database().knex);
    await client.put(`/vehicle/${car.id}`, { bpm_paid: 700 });
    await up(database().knex);

    const amounts = (rows: { bpm_paid: number | null }[]) => rows.map(({ bpm_paid }) => bpm_paid);
    expect(amounts(atOnce)).to.deep.equal([1000, 500, null, null]);
    expect(amounts(await read())).to.deep.equal([400, 400, null, null]);
  }).timeout(60_000);
});
