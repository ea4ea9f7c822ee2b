// Appointments over breaks: the work goes on after a break or a night, so only start and end lie within hours.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build, buildBuyer } from '../../support/build/build.ts';
import {
  addHours,
  buildWorkshop,
  isWithinHours,
  OCCUPIED,
  OUTSIDE_HOURS,
  type Workshop,
} from '../../support/build/workshop.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { importJson } from '../../support/client/import.ts';

const { CANCELLED, PLANNED } = LISTS.appointmentstatuses;

/** A time of Monday 4 May 2026, or of a later day, on the clock of Amsterdam. */
const at = (clock: string, days = 0) =>
  new Date(Date.parse(`2026-05-04T${clock}:00+02:00`) + days * 86_400_000).toISOString();

describe('an appointment over breaks', () => {
  let client: Client;
  let shop: Workshop;
  before(async () => {
    client = await newClient();
  });
  beforeEach(async () => {
    shop = await buildWorkshop(client);
    const { employee_id } = shop;
    await addHours(client, { employee_id }, '08:00', '12:00', [1, 2]);
    await addHours(client, { employee_id }, '13:00', '17:00', [1, 2]);
  });

  const over = (starts_at: string, ends_at: string, more: Json = {}) => ({
    ...{ ...shop, starts_at, ends_at, is_over_breaks: 1 },
    ...more,
  });
  const book = (...times: Parameters<typeof over>) => client.post('/appointment', over(...times));
  const isTaken = (...times: Parameters<typeof over>) => isWithinHours(client, over(...times));

  it('goes on after lunch and after a night', async () => {
    const strict = { is_over_breaks: 0 };

    expect(await isTaken(at('10:00'), at('15:00'), strict)).to.equal(false);
    expect(await isTaken(at('10:00'), at('15:00'))).to.equal(true);
    expect(await isTaken(at('16:00'), at('09:00', 1), strict)).to.equal(false);
    expect(await isTaken(at('16:00'), at('09:00', 1))).to.equal(true);
    expect((await book(at('10:00'), at('15:00'))).data).to.include({ is_over_breaks: 1, is_overtime: 0 });
  });

  it('begins and ends within hours', async () => {
    expect(await isTaken(at('12:00'), at('15:00'))).to.equal(false);
    expect(await isTaken(at('12:30'), at('15:00'))).to.equal(false);
    expect(await isTaken(at('11:59'), at('12:30'))).to.equal(false);
    expect(await isTaken(at('11:59'), at('13:00'))).to.equal(false);
    expect(await isTaken(at('11:59'), at('13:01'))).to.equal(true);
    expect(await isTaken(at('08:00'), at('12:00'))).to.equal(true);
    expect(await isTaken(at('08:00'), at('17:00', 1))).to.equal(true);
    expect(await isTaken(at('08:00'), at('17:01', 1))).to.equal(false);
    expect(await isTaken(at('10:00'), at('10:00', 2))).to.equal(false);
    expect(await isTaken(at('12:30'), at('15:00'), { is_overtime: 1 })).to.equal(true);
  });

  it('begins and ends within the hours of its workplace, too', async () => {
    await addHours(client, { workplace_id: shop.workplace_id }, '09:00', '11:00', [1]);
    await addHours(client, { workplace_id: shop.workplace_id }, '14:00', '16:00', [1]);

    expect(await isTaken(at('08:30'), at('15:00'))).to.equal(false);
    expect(await isTaken(at('10:00'), at('16:30'))).to.equal(false);
    expect(await isTaken(at('10:00'), at('15:00'))).to.equal(true);
    expect(await isTaken(at('08:30'), at('16:30'), { workplace_id: null })).to.equal(true);
  });

  it('passes an absence, and neither begins nor ends in one', async () => {
    const times = { starts_at: at('09:00'), ends_at: at('10:00') };
    const free = await buildWorkshop(client);
    for (const whose of [{ employee_id: shop.employee_id }, { workplace_id: shop.workplace_id }, {}]) {
      const { id } = await build(client, 'absence', { ...whose, ...times });

      expect(await isTaken(at('08:30'), at('11:00'))).to.equal(true);
      expect(await isTaken(at('08:30'), at('11:00'), { is_over_breaks: 0 })).to.equal(false);
      expect(await isTaken(at('09:00'), at('11:00'))).to.equal(false);
      expect(await isTaken(at('10:00'), at('11:00'))).to.equal(true);
      expect(await isTaken(at('08:00'), at('09:00'))).to.equal(true);
      expect(await isTaken(at('08:00'), at('09:01'))).to.equal(false);
      expect(await isTaken(at('08:00'), at('10:00'))).to.equal(false);
      await client.del(`/absence/${id}`);
    }
    await build(client, 'absence', { employee_id: free.employee_id, ...times });
    // Who has no hours works all the time.
    expect(await isTaken(at('01:00'), at('23:00'), free)).to.equal(true);
    expect(await isTaken(at('09:30'), at('23:00'), free)).to.equal(false);
  });

  it('occupies its employee and its workplace throughout', async () => {
    await book(at('10:00'), at('15:00'));

    const lunch = await book(at('12:00'), at('13:00'), { is_overtime: 1 });

    expect(lunch).to.be.refused(409, OCCUPIED.workplace);
    expect(lunch.body.errors).to.have.length(2);
  });

  it('is judged again when is_over_breaks changes', async () => {
    const { id } = (await book(at('10:00'), at('15:00'))).data;
    const put = (body: Json) => client.put(`/appointment/${id}`, body);
    const outside = OUTSIDE_HOURS(at('10:00'));

    expect(await put({ is_over_breaks: 0 })).to.be.refused(403, outside);
    expect((await put({ is_over_breaks: 0, ends_at: at('12:00') })).status).to.equal(200);
    expect(await put({ ends_at: at('15:00') })).to.be.refused(403, outside);
    expect((await put({ is_over_breaks: 1, ends_at: at('15:00') })).status).to.equal(200);
    expect((await put({ is_over_breaks: 0, appointment_status: CANCELLED })).status).to.equal(200);
    expect(await put({ appointment_status: PLANNED })).to.be.refused(403, outside);
    expect(await put({ is_over_breaks: 2 })).to.be.refused(
      403,
      'Field: [is_over_breaks] has an invalid value: [2] for validation: [0,1]',
    );
  });

  it('may come with its order, and by an import', async () => {
    const { id: contact_id } = await buildBuyer(client);
    const order = { order_type: 1, order_date: '2026-05-04', contact_id };
    const child = { ...shop, starts_at: at('10:00'), ends_at: at('15:00') };

    const refused = await client.post('/order', { ...order, appointment: [child] });
    const added = await client.post('/order', { ...order, appointment: [{ ...child, is_over_breaks: 1 }] });
    await client.del(`/appointment/${added.data.appointment[0].id}`);
    const { rows } = await importJson(client, 'resource=appointment', [
      child,
      { ...child, is_over_breaks: 1 },
    ]);

    expect(refused).to.be.refused(
      403,
      OUTSIDE_HOURS(child.starts_at).replace('starts_at', 'appointment[0].starts_at'),
    );
    expect(added.data.appointment[0].is_over_breaks).to.equal(1);
    expect(rows.map(({ status }) => status)).to.have.members(['refused', 'created']);
  });

  it('follows local time in the nights when the clock is turned', async () => {
    const { employee_id } = await buildWorkshop(client);
    await addHours(client, { employee_id }, '20:00', '24:00', [6]);
    await addHours(client, { employee_id }, '01:00', '02:30', [7]);
    const night = { employee_id, workplace_id: null };

    // 29 March: 02:30 does not exist, and becomes 03:00. 25 October: 02:30 comes twice.
    expect(await isTaken('2026-03-28T22:00:00.000Z', '2026-03-29T01:00:00.000Z', night)).to.equal(true);
    expect(await isTaken('2026-03-28T22:00:00.000Z', '2026-03-29T01:00:00.001Z', night)).to.equal(false);
    expect(await isTaken('2026-10-24T21:00:00.000Z', '2026-10-25T01:30:00.000Z', night)).to.equal(true);
    expect(await isTaken('2026-10-24T21:00:00.000Z', '2026-10-25T01:30:00.001Z', night)).to.equal(false);
  });
});
