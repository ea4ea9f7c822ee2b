// GET /planning/slots: who is offered, when, and what is refused.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build } from '../../support/build/build.ts';
import { addHours, buildWorkshop } from '../../support/build/workshop.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';

const { LIFT, WASH } = LISTS.workplacekinds;
const { MECHANIC, SALES } = LISTS.functionkinds;

interface Slot {
  readonly starts_at: string;
  readonly ends_at: string;
  readonly employee_id: number;
  readonly workplace_id: number;
}

async function slotsOf(client: Client, query: Json): Promise<Slot[]> {
  const answer = await client.get(`/planning/slots?${new URLSearchParams(query as Record<string, string>)}`);
  expect(answer.status, answer.text).to.equal(200);
  return answer.data;
}

describe('GET /planning/slots in a small garage', () => {
  let client: Client;
  let employee_id: number;
  let workplace_id: number;
  before(async () => {
    client = await newClient();
    ({ employee_id, workplace_id } = await buildWorkshop(client));
    await client.put(`/employee/${employee_id}`, { function_kind: MECHANIC });
    await addHours(client, { employee_id }, '08:00', '10:00', [1]);
  });
  const from = '2026-05-04T00:00:00Z';
  const until = '2026-05-05T00:00:00Z';
  const find = (more: Json = {}) => slotsOf(client, { from, until, minutes: 60, ...more });

  it('offers each quarter that is long enough, in UTC', async () => {
    expect((await find()).map(({ starts_at }) => starts_at.slice(11, 16))).to.deep.equal([
      '06:00',
      '06:15',
      '06:30',
      '06:45',
      '07:00',
    ]);
    expect((await find({ from: '2026-05-04T06:01:00Z', until: '2026-05-04T07:30:00Z' }))[0]).to.deep.equal({
      starts_at: '2026-05-04T06:15:00.000Z',
      ends_at: '2026-05-04T07:15:00.000Z',
      employee_id,
      workplace_id,
    });
  });

  it('can be booked as it is, once', async () => {
    const [slot] = await find();

    const added = await client.post('/appointment', slot);
    expect(added.status, added.text).to.equal(201);
    expect(await client.post('/appointment', slot)).to.be.refused(
      409,
      '[workplace] is [occupied], cannot add/update/delete',
    );
    expect((await find()).map(({ starts_at }) => starts_at.slice(11, 16))).to.deep.equal(['07:00']);
    await client.del(`/appointment/${added.data.id}`);
  });

  it('keeps to a kind of workplace and a function', async () => {
    expect(await find({ workplace_kind: LIFT, function_kind: MECHANIC })).to.have.length(5);
    expect(await find({ workplace_kind: WASH })).to.deep.equal([]);
    expect(await find({ function_kind: SALES })).to.deep.equal([]);
  });

  it('never offers the blocked, the archived, those who have left or not yet come, and those without hours', async () => {
    const offered = async () => (await find()).length;
    await build(client, 'employee', { function_kind: MECHANIC });

    for (const [resource, id] of [
      ['employee', employee_id],
      ['workplace', workplace_id],
    ] as const)
      for (const flag of ['is_blocked', 'is_archived']) {
        await client.put(`/${resource}/${id}`, { [flag]: 1 });
        expect(await offered(), `${resource} ${flag}`).to.equal(0);
        await client.put(`/${resource}/${id}`, { [flag]: 0 });
      }
    for (const dates of [{ start_date: '2099-01-01' }, { end_date: '2026-05-01' }]) {
      await client.put(`/employee/${employee_id}`, dates);
      expect(await offered()).to.equal(0);
      await client.put(`/employee/${employee_id}`, { start_date: null, end_date: null });
    }
    expect(await offered()).to.equal(5);
  });

  it('prefers the lowest sort_order, and an empty one last', async () => {
    const other = await buildWorkshop(client);
    expect((await find())[0]?.workplace_id).to.equal(workplace_id);

    await client.put(`/workplace/${other.workplace_id}`, { sort_order: 9 });

    expect((await find())[0]?.workplace_id).to.equal(other.workplace_id);
    await client.del(`/workplace/${other.workplace_id}`);
  });

  it('shows nothing of another owner', async () => {
    const other = await newClient();
    await buildWorkshop(other);
    await build(other, 'absence', { starts_at: from, ends_at: until });

    expect(await slotsOf(other, { from, until, minutes: 60 })).to.deep.equal([]);
    expect(await find()).to.have.length(5);
  });

  it('ends at a hundred', async () => {
    const week = { from: '2026-05-04T00:00:00Z', until: '2026-06-04T00:00:00Z', minutes: 15 };
    await addHours(client, { employee_id }, '10:00', '24:00');

    const found = await find(week);

    expect(found).to.have.length(100);
  });
});
