// PUT /contact/anonymise of somebody with more records than one portion has, and more changes than a transaction keeps.
import { INT4_MAX } from '../../../src/core/model/fields/int4.ts';
import { insertInPortions } from '../../../src/core/model/statements/insert-many.ts';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { databaseNow } from '../../../src/core/trade/time/timestamp.ts';
import { build, buildBuyer, buildInvoice } from '../../support/build/build.ts';
import { logOf } from '../../support/client/changes.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { sentDuring } from '../../support/database/general-log.ts';
import { writeRows } from '../../support/database/many-rows.ts';
import { execute, select } from '../../support/database/sql.ts';
import { tablesWith } from '../../support/files/leak.ts';
import { database } from '../../support/service/service.ts';
import { anonymise, base64 } from './scene.ts';

const NAME = 'Velevink';
const ORDERS = 110;
const OTHERS = 40;
/** More answers than are read at once. */
const KEPT = 1_500;
const { UPDATED, DELETED } = LISTS.changeactions;

describe('anonymising somebody with many records', function () {
  this.timeout(120_000);
  let client: Client;
  let contact: number;
  let orders: number[];
  before(async () => {
    client = await newClient();
    contact = (await buildBuyer(client, { last_name: NAME })).id;
    const text = `Voor ${NAME}`;
    orders = await many(ORDERS, 'order', () => ({ contact_id: contact, description: text }));
    const ofOrder = (index: number) => ({ order_id: orders[index] });
    await many(OTHERS, 'appointment', (index) => ({
      ...ofOrder(index),
      contact_id: null,
      description: text,
    }));
    await many(OTHERS, 'timeentry', (index) => ({ ...ofOrder(index), ended_at: '2026-05-02', notes: text }));
    await many(OTHERS, 'contactcommunication', (index) => ({
      ...{ contact_id: contact, communication_type: LISTS.communicationtypes.EMAIL },
      value: `velevink${index}@voorbeeld.example`,
    }));
    await many(OTHERS, 'document', (index) => ({
      ...{ contact_id: contact, document_kind: LISTS.documentkinds.PHOTO, name: text },
      content: base64(`${text} ${index}`),
    }));
    await buildInvoice(client, { contact_id: contact, remarks_internal: text });
    const old = await buildInvoice(client, { contact_id: contact, reference: text });
    await execute(
      database(),
      'UPDATE orders SET invoice_date = invoice_date - INTERVAL 9 YEAR WHERE id = ?',
      [old.id],
    );
  });

  async function many(count: number, resource: string, bodyOf: (index: number) => Json): Promise<number[]> {
    const ids: number[] = [];
    for (let index = 0; index < count; index += 1)
      ids.push((await build(client, resource, bodyOf(index))).id);
    return ids;
  }

  it('leaves the person in the kept invoice only, and logs each record once', async () => {
    const answer = await anonymise(client, contact);

    expect(answer.status, answer.text).to.equal(200);
    expect(answer.data.kept).to.have.length(1);
    expect(await tablesWith([NAME, NAME.toLowerCase()])).to.deep.equal({ invoiceparties: 1 });
    const { owner } = client.garage;
    const placesOf = async (resource: string, action: number) =>
      (await logOf(owner, resource))
        .filter(
          (row) => row.action === action && String(row.changes).includes('[...]') === (action === UPDATED),
        )
        .map(({ record_id }) => Number(record_id));
    for (const resource of ['appointment', 'timeentry'])
      expect(await placesOf(resource, UPDATED), resource).to.have.length(OTHERS);
    for (const resource of ['contactcommunication', 'document'])
      expect(await placesOf(resource, DELETED), resource).to.have.length(OTHERS);
    // Anonymising empties the old invoice, and in the other one the texts that it does not print.
    const emptied = await placesOf('order', UPDATED);
    expect(emptied.filter((id) => orders.includes(id))).to.deep.equal(orders);
    expect(new Set(emptied).size).to.equal(emptied.length);
    const rows = await select(database(), 'SELECT seq FROM changes WHERE owner_id = ? ORDER BY seq', [owner]);
    expect(rows.map(({ seq }) => seq)).to.deep.equal(rows.map((_, index) => index + 1));
  });

  it('reads the kept answers once, however many records there are', async () => {
    const [few, many] = [await buildBuyer(client), await buildBuyer(client)];
    const order = await build(client, 'order', { contact_id: many.id });
    const appointments = await addAppointments(order.id);
    await addAnswers([appointments.at(0), appointments.at(-1)]);
    const looks = async (contact: number) =>
      (await sentDuring(database(), () => anonymise(client, contact))).filter(({ statement }) =>
        /^select `api_key_id`.* from `idempotency_keys`/.test(statement),
      ).length;

    const counts = [await looks(few.id), await looks(many.id)];

    expect(counts).to.deep.equal([3, 3]);
    expect(await tablesWith(['Vlasakker'])).to.deep.equal({ idempotency_keys: KEPT - 2 });
  });

  /** The IDs of more appointments of an order than a statement takes values. */
  async function addAppointments(order_id: number): Promise<number[]> {
    const when = { starts_at: '2026-05-04 09:00:00.000', ends_at: '2026-05-04 10:00:00.000' };
    const status = { appointment_status: LISTS.appointmentstatuses.CANCELLED };
    await writeRows(database(), client.garage.owner, { table: 'appointments', count: 2_100 }, () => ({
      ...{ order_id, ...when, ...status },
    }));
    const rows = await select(database(), 'SELECT id FROM appointments WHERE order_id = ?', [order_id]);
    return rows.map(({ id }) => Number(id)).sort((one, other) => one - other);
  }

  /** Answers for the keys of two API keys. The first one and the last one are about these appointments. */
  async function addAnswers([first, last]: readonly (number | undefined)[]): Promise<void> {
    const rows = Array.from({ length: KEPT }, (_, index) => {
      const address = [`appointment/${first}`, `contact/${INT4_MAX}`, `appointment/${last}`];
      const which = index === 0 ? 0 : index === KEPT - 1 ? 2 : 1;
      return {
        ...{ owner_id: client.garage.owner, api_key_id: index < KEPT / 3 ? 1 : 2, status: 201 },
        ...{ idempotency_key: `kept-${10_000 + index}`, request_hash: '0'.repeat(64) },
        headers: JSON.stringify({ ETag: '"1"', Location: `https://garage.example/v2/${address[which]}` }),
        ...{ body: JSON.stringify({ successCode: 201, data: { id: 1, name: 'Vlasakker' } }) },
        created_at: databaseNow(),
      };
    });
    await insertInPortions(database(), 'idempotency_keys', rows);
  }

  it('changes nothing a second time', async () => {
    const before = await logOf(client.garage.owner, 'order');

    await anonymise(client, contact);

    expect(await logOf(client.garage.owner, 'order')).to.deep.equal(before);
  });
});
