// PUT /appointment/swap: two appointments exchange employees, workplaces or times, and both are judged as they are
// then.
import { resourceNamed } from '../../../src/core/model/records/registry.ts';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build } from '../../support/build/build.ts';
import { orderIn } from '../../support/build/order.ts';
import {
  addHours,
  buildWorkshop,
  OCCUPIED,
  OUTSIDE_HOURS,
  time,
  type Workshop,
} from '../../support/build/workshop.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { force, messages, stranger } from '../../support/client/resources.ts';
import { expectStatements } from '../../support/database/statements.ts';

const { CANCELLED } = LISTS.appointmentstatuses;

describe('PUT /appointment/swap', () => {
  let client: Client;
  let one: Workshop;
  let other: Workshop;
  let first: Json;
  let second: Json;
  before(async () => {
    client = await newClient();
  });
  beforeEach(async () => {
    one = await buildWorkshop(client);
    other = await buildWorkshop(client);
    first = await book('09:00', '10:00', one);
    second = await book('09:00', '10:30', other);
  });

  const book = async (start: string, end: string, more: Json): Promise<Json> => {
    const answer = await client.post('/appointment', { ...time(start, end), ...more });
    expect(answer.status, answer.text).to.equal(201);
    return answer.data;
  };
  const ask = (body: Json) => client.put('/appointment/swap', body);
  const swap = (...fields: string[]) => ask({ first_id: first.id, second_id: second.id, fields });
  const stored = async () =>
    Promise.all([first, second].map(async ({ id }) => (await client.get(`/appointment/${id}`)).data));
  const put = ({ id }: Json, body: Json) => client.put(`/appointment/${id}`, body);

  it('exchanges what the request names, and answers both', async () => {
    const times = ({ starts_at, ends_at }: Json) => ({ starts_at, ends_at });

    const employees = await swap('employee_id');
    const rest = await swap('times', 'workplace_id', 'times');

    expect(employees.status, employees.text).to.equal(200);
    expect(employees.data).to.have.length(2);
    expect(employees.data[0]).to.include({ ...times(first), ...one, id: first.id, ...onlyEmployee(other) });
    expect(employees.data[1]).to.include({
      ...times(second),
      ...other,
      id: second.id,
      ...onlyEmployee(one),
    });
    expect(rest.data[0]).to.include({ id: first.id, ...times(second), ...other });
    expect(rest.data[1]).to.include({ id: second.id, ...times(first), ...one });
    expect(await stored()).to.deep.equal(rest.data);
  });
  const onlyEmployee = ({ employee_id }: Workshop) => ({ employee_id });

  it('keeps everything else, is logged for both, and gives both new versions', async () => {
    const { id: order_id } = await orderIn(client, LISTS.orderstatuses.INVOICE);
    await put(first, { order_id, is_over_breaks: 1, description: 'Waits here' });
    const tags = async () =>
      Promise.all(
        [first, second].map(async ({ id }) => (await client.get(`/appointment/${id}`)).headers.get('etag')),
      );
    expect(await tags()).to.deep.equal(['"2"', '"1"']);

    const { data } = await swap('times');

    expect(data[0]).to.include({ order_id, is_over_breaks: 1, description: 'Waits here' });
    expect(data[1]).to.include({ order_id: null, is_over_breaks: 0, description: null });
    expect(await tags()).to.deep.equal(['"3"', '"2"']);
    const late = await client.put(`/appointment/${first.id}`, { description: 'x' }, { 'if-match': '"2"' });
    expect(late).to.be.refused(412, 'Record was changed by another request');
    const changes = (await client.get('/changes?resource=appointment&page_size=1000')).body.data.slice(-2);
    expect(changes.map(({ id, fields }: Json) => [id, fields])).to.deep.equal([
      [first.id, ['ends_at']],
      [second.id, ['ends_at']],
    ]);
  });

  it('writes nothing where nothing changes', async () => {
    await put(second, { ends_at: time('', '10:00').ends_at });
    const before = await stored();

    const answer = await swap('times');

    expect(answer.status).to.equal(200);
    expect(await stored()).to.deep.equal(before);
  });

  it('judges the hours as they are afterwards, and names the appointment', async () => {
    await addHours(client, onlyEmployee(one), '11:00', '12:00', [1]);
    const outside = OUTSIDE_HOURS(time('09:00', '').starts_at);

    const refused = await swap('times');

    expect(refused).to.be.refused(403, outside);
    expect(refused.body.errors).to.deep.equal([
      {
        code: 'value_invalid',
        message: outside,
        field: 'starts_at',
        value: time('09:00', '').starts_at,
        resource: 'appointment',
        id: first.id,
      },
    ]);
    expect(await swap('employee_id')).to.be.refused(403, outside);
    expect((await swap('workplace_id')).status).to.equal(200);
    expect((await stored()).map(({ ends_at }) => ends_at)).to.deep.equal([first.ends_at, second.ends_at]);
    await put(first, { is_overtime: 1 });
    expect((await swap('times')).status).to.equal(200);
  });

  it('judges overlaps as they are afterwards, and changes neither appointment', async () => {
    await book('10:00', '11:00', one);
    const third = await book('10:30', '11:00', { employee_id: other.employee_id });

    const times = await swap('times');

    expect(times).to.be.refused(409, OCCUPIED.workplace);
    expect(messages(times)).to.deep.equal([OCCUPIED.workplace, OCCUPIED.employee]);
    expect(times.body.errors.map(({ id }: Json) => id)).to.deep.equal([first.id, first.id]);
    const both = await swap('employee_id', 'workplace_id');
    expect(both.body.errors.map(({ id }: Json) => id)).to.deep.equal([second.id, second.id]);
    expect(await stored()).to.deep.equal([first, second]);
    const beside = await ask({ first_id: first.id, second_id: third.id, fields: ['times'] });
    expect(beside.status).to.equal(409);
  });

  it('compares no time with an appointment that is cancelled', async () => {
    await put(first, { appointment_status: CANCELLED });
    await book('09:00', '10:00', one);

    expect(await swap('employee_id')).to.be.refused(409, OCCUPIED.employee);
    expect((await swap('times')).status).to.equal(200);
    await put(second, { appointment_status: CANCELLED });
    expect((await swap('employee_id', 'workplace_id')).status).to.equal(200);
  });

  it('leaves no appointment without employee and workplace, and none that is too long', async () => {
    const lift = await book('12:00', '13:00', { workplace_id: one.workplace_id });
    const month = await book('12:00', '12:30', { employee_id: one.employee_id });
    const asked = { first_id: lift.id, second_id: month.id };

    const nobody = await ask({ ...asked, fields: ['employee_id'] });

    expect((await ask({ ...asked, fields: ['employee_id', 'workplace_id'] })).status).to.equal(200);
    expect(nobody).to.be.refused(403, 'Field: [employee_id] is required and not supplied in request');
    expect(nobody.body.errors[0]).to.include({ resource: 'appointment', id: month.id });
    const ends_at = '2026-06-30T12:00:00.000Z';
    await force(resourceNamed('appointment'), Number(month.id), { ends_at: '2026-06-30 12:00:00.000' });
    expect(await ask({ ...asked, fields: ['times'] })).to.be.refused(
      403,
      `Field: [ends_at] has an invalid value: [${ends_at}] for validation: [at most 31 days]`,
    );
  });

  it('refuses blocked and archived appointments, and a blocked employee', async () => {
    const blocked = 'This is a blocked record, fields cannot be changed, only update: is_blocked';
    const archived = 'This is an archived record, fields cannot be changed, only update: is_archived';
    await put(first, { is_blocked: 1 });
    await put(second, { is_archived: 1 });

    const refused = await swap('times');

    expect(refused).to.be.refused(409, blocked);
    expect(messages(refused)).to.deep.equal([blocked, archived]);
    expect(refused.body.errors.map(({ id }: Json) => id)).to.deep.equal([first.id, second.id]);
    await put(first, { is_blocked: 0 });
    await put(second, { is_archived: 0 });
    await client.put(`/employee/${one.employee_id}`, { is_blocked: 1 });
    expect(await swap('employee_id')).to.be.refused(409, '[employee] is [blocked], cannot add/update/delete');
  });

  it('refuses bodies that name no two appointments, or nothing to exchange', async () => {
    const [first_id, second_id] = [first.id, second.id];
    const swapFields = (shown: string) =>
      `Field: [fields] has an invalid value: [${shown}] for validation: [swap fields]`;

    expect(await ask({})).to.be.refused(400, 'Empty body');
    expect(await ask({ first_id, second_id })).to.be.refused(
      403,
      'Field: [fields] is required and not supplied in request',
    );
    expect(await ask({ first_id, second_id, fields: [] })).to.be.refused(403, swapFields('[]'));
    expect(await ask({ first_id, second_id, fields: ['times', 'colour'] })).to.be.refused(
      403,
      swapFields('colour'),
    );
    expect(await ask({ first_id, second_id, fields: 'times' })).to.be.refused(
      403,
      'Field: [fields] has an invalid value: [times] for datatype: varchar[]',
    );
    expect(await ask({ first_id: 5, second_id: 5, fields: ['times'] })).to.be.refused(
      403,
      'Field: [second_id] has an invalid value: [5] for validation: [two appointments]',
    );
  });

  it('does not know the appointments of others', async () => {
    const foreign = await build(await stranger(), 'appointment');
    const unknown = (field: string) => `Field: [${field}] value: [${foreign.id}] ID not found`;
    const asked = { fields: ['times'] };

    expect(await ask({ ...asked, first_id: first.id, second_id: foreign.id })).to.be.refused(
      404,
      unknown('second_id'),
    );
    expect(await ask({ ...asked, first_id: foreign.id, second_id: first.id })).to.be.refused(
      404,
      unknown('first_id'),
    );
    const both = await ask({ ...asked, first_id: foreign.id, second_id: 2147483647 });
    expect(both.body.errors.map(({ field }: Json) => field)).to.deep.equal(['first_id', 'second_id']);
  });

  it('takes few statements', async () => {
    await expectStatements(client, 13, () => swap('employee_id', 'times'));
  });
});
