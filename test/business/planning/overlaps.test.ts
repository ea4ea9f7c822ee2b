// The look for overlapping appointments, of doctor and of a restore, reads each appointment a few times at most. A
// window of the database read them count × count times: minutes for an ordinary garage.
import { refuseOverlaps } from '../../../src/business/planning/occupied.ts';
import { garageOf } from '../../../src/core/model/statements/garage.ts';
import type { Session } from '../../../src/core/model/statements/session.ts';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { databaseTime } from '../../../src/core/trade/time/timestamp.ts';
import { buildWorkshop } from '../../support/build/workshop.ts';
import { newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { writeRows } from '../../support/database/many-rows.ts';
import { select } from '../../support/database/sql.ts';
import { database } from '../../support/service/service.ts';

const COUNT = 1_500;
/** A row is read once by its index and once by its key; a sort would read it again. */
const MOST_READS = 6;

/** How many rows the connection of the session has read so far, also of results that the server keeps meanwhile. */
async function readsOf(session: Session): Promise<number> {
  const rows = await select(session, "SHOW SESSION STATUS LIKE 'Handler_read%'");
  return rows.reduce((sum, { Value }) => sum + Number(Value), 0);
}

describe('the look for overlapping appointments', () => {
  it('reads each appointment a few times only', async () => {
    const client = await newClient();
    const shop = await buildWorkshop(client);
    const first = Date.UTC(2026, 0, 1);
    const hour = (index: number) => databaseTime(new Date(first + index * 3_600_000));
    await writeRows(database(), client.garage.owner, { table: 'appointments', count: COUNT }, (index) => ({
      ...shop,
      starts_at: hour(index),
      ends_at: hour(index + 1),
      appointment_status: LISTS.appointmentstatuses.PLANNED,
    }));

    const reads = await database().snapshot(async (session) => {
      const before = await readsOf(session);
      await refuseOverlaps(garageOf(session, client.garage.owner));
      return (await readsOf(session)) - before;
    });

    expect(reads).to.be.within(COUNT, MOST_READS * COUNT);
  });
});
