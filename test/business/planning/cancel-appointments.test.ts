// Cancelling an order with more planned appointments than a statement or the memory should hold at once.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { databaseTime } from '../../../src/core/trade/time/timestamp.ts';
import { change, orderIn } from '../../support/build/order.ts';
import { buildWorkshop } from '../../support/build/workshop.ts';
import { logOf } from '../../support/client/changes.ts';
import { type Client, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { sentDuring } from '../../support/database/general-log.ts';
import { writeRows } from '../../support/database/many-rows.ts';
import { select } from '../../support/database/sql.ts';
import { database } from '../../support/service/service.ts';

const { PLANNED, CANCELLED } = LISTS.appointmentstatuses;
const MANY = 450;
const HOUR_MS = 3_600_000;

describe('cancelling an order with many planned appointments', () => {
  it('locks and logs some of them at a time, and each once', async () => {
    const client = await newClient();
    const { id } = await orderIn(client, LISTS.orderstatuses.ORDER);
    await addAppointments(client, id);

    const sent = await sentDuring(database(), () =>
      change(client, id, { order_status: LISTS.orderstatuses.CANCELLED }),
    );

    const statements = sent.map(({ statement }) => statement);
    expect(statements.filter(isLock)).to.have.length(3);
    expect(statements.findIndex(isLog)).to.be.within(0, statements.findLastIndex(isLock));
    const logged = (await logOf(client.garage.owner, 'appointment')).map(({ record_id }) => record_id);
    const cancelled = await select(
      database(),
      'SELECT id FROM appointments WHERE order_id = ? AND appointment_status = ?',
      [id, CANCELLED],
    );
    expect(logged).to.have.length(MANY);
    expect(logged).to.have.members(cancelled.map((row) => row.id));
  });

  const isLock = (statement: string) => /from `appointments` as `t` .* for update/.test(statement);
  const isLog = (statement: string) => statement.startsWith('insert into `change_outbox`');

  async function addAppointments(client: Client, order_id: number): Promise<void> {
    const { workplace_id } = await buildWorkshop(client);
    const at = (hour: number) => databaseTime(new Date(Date.UTC(2026, 4, 4) + hour * HOUR_MS));
    await writeRows(database(), client.garage.owner, { table: 'appointments', count: MANY }, (hour) => ({
      ...{ order_id, workplace_id, appointment_status: PLANNED },
      ...{ starts_at: at(hour), ends_at: at(hour + 1) },
    }));
  }
});
