// Rows with children: a row that matches a record changes its children by their keys, and adds others.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build, buildBuyer } from '../../support/build/build.ts';
import { type Client, clientOf, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { importJson, person, rowMessages } from '../../support/client/import.ts';
import { makeGarage } from '../../support/service/service.ts';

const line = (external_id: string | undefined, more: Json = {}): Json => ({
  external_id,
  line_kind: 2,
  description: 'Beurt',
  quantity: 1,
  price: 100,
  vat_code: 1,
  ...more,
});
const order = (external_id: string, orderline: unknown, more: Json = {}): Json => ({
  external_id,
  order_type: 1,
  order_date: '2026-01-05',
  contact_external_id: 'K',
  orderline,
  ...more,
});
const statuses = (rows: readonly Json[]) => rows.map(({ status }) => status);

describe('the children of rows that change records', () => {
  let client: Client;
  beforeEach(async () => {
    client = await newClient();
    await buildBuyer(client, { external_id: 'K' });
  });
  const bring = (rows: Json[], query = 'mode=upsert', as = client) =>
    importJson(as, `resource=order&${query}`, rows);
  const orders = async () => (await client.get('/order?sort=id&expand=orderline')).data;

  for (const mode of ['update', 'upsert'])
    it(`are changed by their keys, added, or left, with mode=${mode}`, async () => {
      await bring([order('O1', [line('1'), line('2')]), order('O2', [line('3')])]);

      const { rows } = await bring(
        [
          order('O1', [line('2', { price: 50 }), line('4')]),
          order('O2', [line('3')]),
          order('O2', [line('3', { price: 'x' }), line('5')]),
          order('O2', [line('5'), line('1')]),
        ],
        `mode=${mode}`,
      );

      const [one, two] = await orders();
      expect(statuses(rows)).to.deep.equal(['updated', 'unchanged', 'refused', 'refused']);
      expect(one.orderline.map(({ price }: Json) => price)).to.deep.equal([100, 50, 100]);
      expect(one.total_net).to.equal(250);
      expect(two.orderline).to.have.length(1);
      expect(rows.slice(2).map(rowMessages)).to.deep.equal([
        ['Field: [orderline[0].price] has an invalid value: [x] for datatype: float8'],
        ['Field: [orderline[1].external_id] value: [1] has a duplicate illegal value'],
      ]);
      expect(rows[3].errors[0]).to.include({ resource: 'orderline', id: one.orderline[0].id });
    });

  it('need a key only if they are not the same', async () => {
    const keyless = order('O1', [line(undefined), line(undefined, { price: 5 })]);
    await bring([keyless]);

    const { rows } = await bring([keyless, { ...keyless, orderline: [line(undefined)] }]);

    expect(statuses(rows)).to.deep.equal(['unchanged', 'refused']);
    expect(rowMessages(rows[1])).to.deep.equal([
      'Field: [orderline[0].external_id] is required and not supplied in request',
    ]);
  });

  it('are refused where they are no objects, also beside the one child that is there', async () => {
    await bring([order('O1', [line('1')])]);
    const wrong = [null, 7, true, 'x', []];

    const { rows } = await bring(wrong.map((child) => order('O1', [child])));

    expect(statuses(rows)).to.deep.equal(wrong.map(() => 'refused'));
    for (const row of rows) expect(rowMessages(row)[0]).to.include('Field: [orderline[0]] ');
  });

  it('change nothing where they are the same, even if nobody may change them any more', async () => {
    await bring([order('O1', [line('1'), line('2', { is_blocked: 1 })])]);
    const [{ id }] = await orders();

    const partly = await bring([order('O1', [line('3'), line('2', { is_blocked: 1 })])]);
    await client.put(`/order/${id}`, { order_status: LISTS.orderstatuses.INVOICE });
    const later = await bring([
      order('O1', [line('2', { is_blocked: 1 })]),
      order('O1', [line('1', { price: 1 })]),
    ]);

    expect(statuses(partly.rows)).to.deep.equal(['updated']);
    expect(statuses(later.rows)).to.deep.equal(['unchanged', 'refused']);
    expect(rowMessages(later.rows[1])).to.deep.equal(['[order] is [invoice], cannot add/update/delete']);
  });

  it('make a contact updated though its own fields stay', async () => {
    const phone = { external_id: 'P', communication_type: 1, value: '030 1234567' };
    const rows = [person({ external_id: 'C', contactcommunication: [phone] })];

    const added = await importJson(client, 'resource=contact&mode=upsert', rows);
    const again = await importJson(client, 'resource=contact&mode=upsert', [
      ...rows,
      person({ external_id: 'C', contactcommunication: [{ ...phone, value: '06 12345678' }] }),
    ]);

    const { data } = await client.get('/contactcommunication');
    expect(statuses(added.rows)).to.deep.equal(['created']);
    expect(statuses(again.rows)).to.deep.equal(['unchanged', 'updated']);
    expect(data.map(({ value }: Json) => value)).to.deep.equal(['06 12345678']);
  });

  it('are judged by a dry run, also for a record of an earlier batch', async () => {
    const many = Array.from({ length: 300 }, (_, index) => order(`O${index}`, [line(`${index}`)]));
    const rows = [
      ...many,
      order('O0', [line('0', { price: 'x' })]),
      order('O1', [line('1', { price: 7 })]),
      order('O300', [line('0')]),
    ];

    const { rows: report } = await bring(rows, 'mode=upsert&dry_run=1');

    expect(statuses(report.slice(-3))).to.deep.equal(['refused', 'updated', 'refused']);
    expect(rowMessages(report[302])).to.deep.equal([
      'Field: [orderline[0].external_id] value: [0] has a duplicate illegal value',
    ]);
    expect(rowMessages(report[300])).to.deep.equal([
      'Field: [orderline[0].price] has an invalid value: [x] for datatype: float8',
    ]);
    expect(await orders()).to.deep.equal([]);
  });

  it('need the permission to add them, and to change them where the row matches a record', async () => {
    const garage = await makeGarage();
    await build(clientOf(garage), 'contact', person({ external_id: 'K' }));
    const allow = ['POST /import', 'GET /job', '* /order', 'POST /orderline'];
    const key = clientOf(await makeGarage({ owner: garage.owner, allow }));

    const { rows } = await bring([order('O1', [line('1')]), order('O1', [line('2')])], 'mode=upsert', key);

    expect(statuses(rows)).to.deep.equal(['created', 'refused']);
    expect(rowMessages(rows[1])).to.deep.equal([
      'Endpoint: [PUT /orderline] is not allowed for this api_key',
    ]);
  });
});
