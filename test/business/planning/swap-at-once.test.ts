// Exchanges beside other exchanges, moves and cancellations at the same moment: each is done wholly or not at all, and
// nobody is booked twice.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build } from '../../support/build/build.ts';
import { orderIn } from '../../support/build/order.ts';
import { buildWorkshop, time, type Workshop } from '../../support/build/workshop.ts';
import { type Answer, type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';

const PAIRS = 50;
const { PLANNED, CANCELLED } = LISTS.appointmentstatuses;
const { ORDER } = LISTS.orderstatuses;
const MORNING = time('09:00', '10:00');
const LATER = time('11:00', '12:00');

describe('exchanges of appointments at once', function () {
  this.timeout(120_000);
  let client: Client;
  let shops: [Workshop, Workshop, Workshop];
  let ids: [number, number, number];
  beforeEach(async () => {
    client = await newClient();
    shops = [await buildWorkshop(client), await buildWorkshop(client), await buildWorkshop(client)];
    ids = [await book(shops[0]), await book(shops[1]), await book(shops[2])];
  });
  const book = async (shop: Workshop): Promise<number> =>
    (await build(client, 'appointment', { ...shop, ...MORNING })).id;

  const put = (id: number, body: Json) => client.put(`/appointment/${id}`, body);
  const swap = (first_id: number, second_id: number, ...fields: string[]) =>
    client.put('/appointment/swap', { first_id, second_id, fields });
  const booked = async (): Promise<Json[]> => (await client.get('/appointment?sort=id')).data;
  const statuses = (answers: Answer[]) => answers.map(({ status }) => status).sort();
  const employees = (all: readonly Json[]) => all.map(({ employee_id }) => employee_id);
  const everybody = () => employees(shops).sort();

  it(`are both done beside an exchange, ${PAIRS} times`, async () => {
    for (let round = 0; round < PAIRS; round += 1) {
      const before = employees(await booked());
      const answers = await Promise.all([
        swap(ids[0], ids[1], 'employee_id', 'workplace_id'),
        swap(ids[2], ids[0], 'workplace_id', 'employee_id'),
      ]);

      const after = await booked();
      expect(statuses(answers), answers.map(({ text }) => text).join()).to.deep.equal([200, 200]);
      expect(employees(after).sort()).to.deep.equal(everybody());
      // Each order of the two moves all three.
      expect(employees(after).filter((id, index) => id === before[index])).to.deep.equal([]);
      expect(after.map(({ employee_id, workplace_id }) => [employee_id, workplace_id])).to.have.deep.members(
        shops.map(({ employee_id, workplace_id }) => [employee_id, workplace_id]),
      );
    }
  });

  it(`leave the time free that a move takes, or refuse the move, ${PAIRS} times`, async () => {
    // The exchange gives the first employee a later time, and the move gives this time to another appointment.
    const { employee_id } = shops[0];
    await put(ids[2], LATER);
    for (let round = 0; round < PAIRS; round += 1) {
      const answers = await Promise.all([
        swap(ids[0], ids[2], 'times'),
        put(ids[1], { ...LATER, employee_id }),
      ]);

      const [first, second] = await booked();
      const isSwapped = first?.starts_at === LATER.starts_at;
      expect(statuses(answers), answers.map(({ text }) => text).join()).to.deep.equal([200, 409]);
      expect(answers[0]?.status).to.equal(isSwapped ? 200 : 409);
      expect(second?.employee_id === employee_id).to.equal(!isSwapped);
      const undone = isSwapped
        ? await swap(ids[0], ids[2], 'times')
        : await put(ids[1], { ...MORNING, employee_id: shops[1].employee_id });
      expect(undone.status, undone.text).to.equal(200);
    }
  });

  it(`and the cancellation of the order are both done, ${PAIRS} times`, async () => {
    const { id: order_id } = await orderIn(client, ORDER);
    await put(ids[0], { order_id });
    const order = (order_status: number) => client.put(`/order/${order_id}`, { order_status });
    for (let round = 0; round < PAIRS; round += 1) {
      await order(ORDER);
      await put(ids[0], { appointment_status: PLANNED });
      const before = await booked();
      const answers = await Promise.all([
        swap(ids[0], ids[1], 'employee_id', 'workplace_id'),
        order(LISTS.orderstatuses.CANCELLED),
      ]);

      const after = await booked();
      expect(statuses(answers), answers.map(({ text }) => text).join()).to.deep.equal([200, 200]);
      expect(after[0]?.appointment_status).to.equal(CANCELLED);
      expect(employees(after)).to.deep.equal([1, 0, 2].map((index) => before[index]?.employee_id));
    }
  });
});
