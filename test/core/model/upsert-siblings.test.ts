// Rules judge the children of an upsert as they will be after the request, whatever their order in the body.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { buildBuyer, sampleBody } from '../../support/build/build.ts';
import { buildWorkshop, OCCUPIED, time } from '../../support/build/workshop.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { messages, RESOURCES } from '../../support/client/resources.ts';
import { AT_ONCE, atOnce } from '../../support/database/at-once.ts';
import { expectStatements } from '../../support/database/statements.ts';

const { OWNER, DRIVER } = LISTS.vehicleroles;
const OWNED = { start_date: '2026-05-01' };
const MAIL = { communication_type: LISTS.communicationtypes.EMAIL, value: 'a@b.nl' };
const line = (external_id: string, more: Json = {}): Json => ({
  external_id,
  line_kind: 1,
  description: 'Olie',
  quantity: 2,
  price: 10,
  vat_code: LISTS.vatcodes.HIGH,
  ...more,
});

let keys = 0;

/** Upserts of one new record. */
const upserts = (client: Client, resource: string) => {
  keys += 1;
  const path = `/${resource}?external_id=S-${keys}`;
  return (body: Json) => client.put(path, body);
};

describe('the children of an upsert', () => {
  let client: Client;
  let contact_id: number;
  before(async () => {
    client = await newClient();
    contact_id = (await buildBuyer(client)).id;
  });
  const bodyOf = (name: string) =>
    sampleBody(client, RESOURCES.find((resource) => resource.name === name) as never);
  const whole = (more: Json): Json => ({ order_type: 1, order_date: '2026-05-01', contact_id, ...more });
  const ok = async (answer: Promise<{ status: number; text: string; data: Json }>) => {
    const { status, text, data } = await answer;
    expect(status, text).to.be.lessThan(300);
    // biome-ignore lint/suspicious/noExplicitAny: records are read by name
    return data as any;
  };

  it('take unique values from each other', async () => {
    const order = upserts(client, 'order');
    const place = (external_id: string, sort_order: number) => line(external_id, { sort_order });
    await ok(order(whole({ orderline: [place('1', 1), place('2', 2)] })));
    const set = upserts(client, 'tyreset');
    const tyre = (external_id: string, position: number) => ({ external_id, position });
    await ok(set({ ...(await bodyOf('tyreset')), tyre: [tyre('a', 1), tyre('b', 2), tyre('c', 3)] }));

    const lines = await ok(order({ orderline: [place('3', 1), place('1', 2), place('2', 3)] }));
    const tyres = await ok(set({ tyre: [tyre('a', 2), tyre('b', 3), tyre('c', 1)] }));
    const twice = await order({ orderline: [place('2', 4), place('1', 4)] });

    expect(lines.orderline.map((one: Json) => one.external_id)).to.deep.equal(['3', '1', '2']);
    expect(tyres.tyre.map(({ position }: Json) => position)).to.deep.equal([2, 3, 1]);
    expect(twice.body.errors).to.deep.equal([
      {
        code: 'value_duplicate_on_put',
        message: 'Field: [orderline[1].sort_order] Value: [4] has a duplicate illegal value',
        field: 'orderline[1].sort_order',
        value: 4,
      },
    ]);
  });

  for (const names of [
    ['old', 'new'],
    ['new', 'old'],
  ]) {
    const first = names[0];
    it(`hand over a car, the ${first} owner first`, async () => {
      const vehicle = upserts(client, 'vehicle');
      const role = (name: string, role_kind: number) => ({
        ...OWNED,
        contact_id,
        external_id: name + keys,
        role_kind,
      });
      await ok(vehicle({ ...(await bodyOf('vehicle')), vehicleroleline: [role('old', OWNER)] }));

      const kinds = names.map((name) => role(name, name === 'new' ? OWNER : DRIVER));
      const { vehicleroleline } = await ok(vehicle({ vehicleroleline: kinds }));

      expect(vehicleroleline.map(({ role_kind }: Json) => role_kind)).to.deep.equal([DRIVER, OWNER]);
    });

    it(`hand over what is preferred, the ${first} address first`, async () => {
      const contact = upserts(client, 'contact');
      const mail = (name: string, is_prefered_email: number) => ({
        ...MAIL,
        external_id: name + keys,
        is_prefered_email,
      });
      await ok(contact({ ...(await bodyOf('contact')), contactcommunication: [mail('old', 1)] }));

      const mails = names.map((name) => mail(name, name === 'new' ? 1 : 0));
      const { contactcommunication } = await ok(contact({ contactcommunication: mails }));

      expect(contactcommunication.map((one: Json) => one.is_prefered_email)).to.deep.equal([0, 1]);
    });
  }

  it('keep the rules between them and those that stay', async () => {
    const vehicle = upserts(client, 'vehicle');
    const owner = (external_id: string) => ({ ...OWNED, contact_id, external_id, role_kind: OWNER });
    await ok(vehicle({ ...(await bodyOf('vehicle')), vehicleroleline: [owner('r-1')] }));
    const rate = upserts(client, 'flatrate');
    await ok(rate({ ...(await bodyOf('flatrate')), flatrateline: [{ external_id: 'f-1', sort_order: 3 }] }));

    const second = await vehicle({ vehicleroleline: [owner('r-2')] });
    const taken = await rate({ flatrateline: [{ external_id: 'f-2', sort_order: 3 }] });
    const moved = await rate({
      flatrateline: [
        { external_id: 'f-2', sort_order: 3 },
        { external_id: 'f-1', sort_order: 4 },
      ],
    });

    expect(second).to.be.refused(403, 'Vehicleroleline is invalid a Vehicle can only have one owner');
    expect(second.body.errors[0].field).to.equal('vehicleroleline[0]');
    expect(taken).to.be.refused(403, 'Field: [flatrateline[0].sort_order] has an invalid value [3]');
    expect(moved.status, moved.text).to.equal(200);
  });

  it('name the one that stays, and none of the same body', async () => {
    const contact = upserts(client, 'contact');
    const mail = (external_id: string) => ({ ...MAIL, external_id, is_prefered_email: 1 });
    const { contactcommunication } = await ok(
      contact({ ...(await bodyOf('contact')), contactcommunication: [mail('m-1')] }),
    );

    const preferred = await contact({ contactcommunication: [mail('m-2')] });
    const both = await contact({
      contactcommunication: [{ external_id: 'm-1', value: 'c@b.nl' }, mail('m-2')],
    });

    expect([preferred.status, both.status]).to.deep.equal([409, 409]);
    expect(preferred.body.errors[0]).to.include({
      field: 'contactcommunication[0].is_prefered_email',
      resource: 'contactcommunication',
      id: contactcommunication[0].id,
    });
    expect(both.body.errors[0]).to.include({ field: 'contactcommunication[1].is_prefered_email' });
    expect(both.body.errors[0]).to.not.have.any.keys('id', 'resource');
  });

  it('are appointments that move: nobody is booked twice', async () => {
    const booked = await buildWorkshop(client);
    const visit = (external_id: string, from: string, until: string) => {
      return { external_id, ...booked, ...time(from, until) };
    };
    const order = upserts(client, 'order');
    const body = [visit('p-1', '10:00', '11:00'), visit('p-2', '11:00', '12:00')];
    await ok(order(whole({ appointment: body })));

    const later = await order({
      appointment: [
        visit('p-1', '11:00', '12:00'),
        visit('p-2', '12:00', '13:00'),
        visit('p-3', '10:00', '11:00'),
      ],
    });
    const twice = await order({
      appointment: [visit('p-1', '14:00', '15:00'), visit('p-3', '14:30', '15:30')],
    });
    const onOther = await upserts(client, 'order')(whole({ appointment: [visit('p-4', '12:30', '12:45')] }));

    expect(later.status, later.text).to.equal(200);
    expect(twice).to.be.refused(409, OCCUPIED.workplace);
    expect(twice.body.errors.map(({ field, resource, id }: Json) => [field, resource, id])).to.deep.equal([
      ['appointment[1].starts_at', 'workplace', booked.workplace_id],
      ['appointment[1].starts_at', 'employee', booked.employee_id],
    ]);
    expect(messages(onOther)).to.deep.equal([OCCUPIED.workplace, OCCUPIED.employee]);
  });

  it('are appointments: none moves onto one that keeps its time and changes its words', async () => {
    const booked = await buildWorkshop(client);
    const visit = (external_id: string, from: string, until: string) => {
      return { external_id, ...booked, ...time(from, until) };
    };
    const order = upserts(client, 'order');
    await ok(order(whole({ appointment: [visit('w-1', '10:00', '11:00'), visit('w-2', '11:00', '12:00')] })));
    const [onto, staying] = [visit('w-1', '11:30', '12:30'), { external_id: 'w-2', description: 'stays' }];

    for (const appointment of [
      [onto, staying],
      [staying, onto],
    ])
      expect(messages(await order({ appointment }))).to.deep.equal([OCCUPIED.workplace, OCCUPIED.employee]);
    const away = [visit('w-1', '12:00', '13:00'), staying];
    expect((await order({ appointment: away })).status).to.equal(200);
  });

  it('cost no statement each, but for the ones that change', async () => {
    const order = upserts(client, 'order');
    const lines = (from: number, more: Json = {}) =>
      Array.from({ length: 10 }, (_, index) => line(`q-${keys}-${from + index}`, more));
    await ok(order(whole({ orderline: lines(0) })));

    await expectStatements(client, 4, () => ok(order({ orderline: lines(0) })));
    await expectStatements(client, 8, (turn) => ok(order({ orderline: lines(10 + 10 * turn) })));
    await expectStatements(client, 6 + 10, (turn) => ok(order({ orderline: lines(0, { price: turn }) })));
  });

  it(`are there once after ${AT_ONCE} upserts at once, of a new parent and of a known one`, async () => {
    const order = upserts(client, 'order');
    const body = (index: number) =>
      whole({ reference: `try ${index}`, orderline: [line('r-a'), line('r-b')] });

    const added = await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => order(body(index))));
    const id = added[0]?.data.id;
    const changed = await atOnce(client, ['order', id], () =>
      order({ orderline: [line('r-c'), line('r-b')] }),
    );

    const stored = (await client.get(`/order/${id}?expand=orderline`)).data;
    expect(added.map(({ status }) => status).sort()).to.deep.equal([...Array(AT_ONCE - 1).fill(200), 201]);
    expect(changed.map(({ status }) => status)).to.deep.equal(Array(AT_ONCE).fill(200));
    expect(new Set([...added, ...changed].map(({ data }) => data.id)).size).to.equal(1);
    expect(stored.orderline.map(({ external_id }: Json) => external_id)).to.deep.equal(['r-a', 'r-b', 'r-c']);
    expect(stored.total_net).to.equal(60);
  });
});
