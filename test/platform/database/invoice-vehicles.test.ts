// The migration that keeps vehicles with older invoices.
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, buildInvoice } from '../../support/build/build.ts';
import { newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { execute, select } from '../../support/database/sql.ts';
import { database } from '../../support/service/service.ts';

const MIGRATION = fileURLToPath(new URL('../../../migrations/0044-invoice-vehicles.js', import.meta.url));

describe('the migration of the vehicles of invoices', () => {
  it('keeps the vehicles of an older invoice, with the plate of its day, and may run again', async () => {
    const client = await newClient();
    const car = await build(client, 'vehicle', { license_plate: 'GB-001-B', make: 'Volvo', mileage: 1000 });
    const other = await build(client, 'vehicle', { license_plate: 'GB-003-B' });
    const { id } = await buildInvoice(client, { vehicle_id: car.id }, { vehicle_id: other.id });
    const kept = async () => {
      const [row] = await select(database(), 'SELECT vehicles FROM invoiceparties WHERE order_id = ?', [id]);
      return JSON.parse(String(row?.vehicles));
    };
    const atOnce = await kept();
    await client.put('/updatelicenseplate', { id: car.id, license_plate: 'GB-002-B' });
    await execute(database(), "UPDATE invoiceparties SET vehicles = '[]' WHERE order_id = ?", [id]);

    const { up } = await import(pathToFileURL(MIGRATION).href);
    await up(database().knex);
    const filled = await kept();
    await up(database().knex);

    expect(filled).to.deep.equal(atOnce);
    expect(filled.map(({ license_plate }: { license_plate: string }) => license_plate)).to.have.members([
      'GB-001-B',
      'GB-003-B',
    ]);
    expect(await kept()).to.deep.equal(filled);
  }).timeout(60_000);
});
