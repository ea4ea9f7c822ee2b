// Rows of an import that name other records, or hold children.

import { build, buildBuyer } from '../../support/build/build.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { importJson, person, rowMessages } from '../../support/client/import.ts';

describe('the rows of an import', () => {
  let client: Client;
  beforeEach(async () => {
    client = await newClient();
  });

  const contacts = async () => (await client.get('/contact?sort=id')).data as Json[];

  it('name what they refer to by its key, also a row before them', async () => {
    await build(client, 'contact', person({ external_id: 'P' }));

    const { rows } = await importJson(client, 'resource=contact', [
      person({ external_id: 'C1', parent_contact_external_id: 'P' }),
      person({ external_id: 'C2', parent_contact_external_id: 'C1' }),
      person({ external_id: 'C3', parent_contact_external_id: 'nobody' }),
      person({ parent_contact_external_id: 5 }),
      person({ parent_contact_id: 1, parent_contact_external_id: 'P' }),
      person({ parent_contact_external_id: 'P', constructor: 1 }),
    ]);

    const [parent, one, two] = await contacts();
    expect([one?.parent_contact_id, two?.parent_contact_id]).to.deep.equal([parent?.id, one?.id]);
    expect(rows.slice(2).map(rowMessages)).to.deep.equal([
      ['Field: [parent_contact_external_id] value: [nobody] ID not found'],
      ['Field: [parent_contact_external_id] has an invalid value: [5] for datatype: varchar'],
      [
        'Field: [parent_contact_external_id] has an invalid value: [P] for validation: [parent_contact_id or parent_contact_external_id]',
      ],
      ['Field: [constructor] not found in model'],
    ]);
  });

  it('find records by the keys that rows before them have given', async () => {
    const [one, two, three] = await Promise.all(
      ['A', null, null].map((external_id) => build(client, 'contact', person({ external_id }))),
    );

    const { rows } = await importJson(client, 'resource=contact&mode=update', [
      { id: one?.id, external_id: 'B' },
      { id: two?.id, external_id: 'A' },
      { id: three?.id, parent_contact_external_id: 'A' },
      { id: two?.id, parent_contact_external_id: 'B' },
    ]);

    expect(rows.map(({ status }) => status)).to.deep.equal(Array(4).fill('updated'));
    const parentOf = async (id: unknown) => (await client.get(`/contact/${id}`)).data.parent_contact_id;
    expect([await parentOf(three?.id), await parentOf(two?.id)]).to.deep.equal([two?.id, one?.id]);
  });

  it('never find the records of another garage', async () => {
    const stranger = await newClient();
    const theirs = await build(stranger, 'contact', person({ external_id: 'T' }));

    const { rows } = await importJson(client, 'resource=contact&mode=upsert', [
      { id: theirs.id, last_name: 'Mijn' },
      person({ external_id: 'T', last_name: 'Mijn' }),
      person({ parent_contact_id: theirs.id }),
      person({ parent_contact_external_id: 'T', external_id: 'X' }),
    ]);

    expect(rows.map(({ status }) => status)).to.deep.equal(['refused', 'created', 'refused', 'created']);
    expect(rowMessages(rows[2])).to.deep.equal([
      `Field: [parent_contact_id] value: [${theirs.id}] ID not found`,
    ]);
    expect((await contacts()).map(({ id }) => id)).to.not.include(theirs.id);
    expect((await stranger.get(`/contact/${theirs.id}`)).data.last_name).to.equal('Jansen');
  });

  it('hold children, which are added with them or not at all', async () => {
    const buyer = await buildBuyer(client, { external_id: 'K' });
    const line = { line_kind: 2, description: 'Beurt', quantity: 1, price: 100, vat_code: 1 };
    const body = { order_type: 1, order_date: '2026-01-05', contact_external_id: 'K' };
    const order = (external_id: string, orderline: unknown) => ({ ...body, external_id, orderline });
    const file = [
      order('O1', [line, { ...line, price: 21 }]),
      order('O2', [line, { ...line, price: 'x' }]),
      order('O3', []),
    ];

    const { rows } = await importJson(client, 'resource=order&mode=upsert', file);
    const again = await importJson(client, 'resource=order&mode=upsert', [
      file[0] as Json,
      { ...file[0], orderline: [line] },
    ]);

    const orders = (await client.get('/order?expand=orderline')).data;
    expect(orders).to.have.length(1);
    expect(orders[0]).to.include({ contact_id: buyer.id, total_net: 121, external_id: 'O1' });
    expect(rows.slice(1).map(rowMessages)).to.deep.equal([
      ['Field: [orderline[1].price] has an invalid value: [x] for datatype: float8'],
      ['Field: [orderline] minimum 1 element is required in array'],
    ]);
    expect(again.rows.map(({ status }) => status)).to.deep.equal(['unchanged', 'refused']);
    expect(rowMessages(again.rows[1])).to.deep.equal([
      'Field: [orderline[0].external_id] is required and not supplied in request',
    ]);
  });

  it('of children are checked by the rules of their parent', async () => {
    const contact = await build(client, 'contact', person({ external_id: 'K' }));
    const mail = (value: string) => ({
      contact_external_id: 'K',
      communication_type: 4,
      value,
      is_prefered_email: 1,
    });

    const { rows } = await importJson(client, 'resource=contactcommunication', [
      mail('a@garage.example'),
      mail('b@garage.example'),
      mail('none'),
      { ...mail('c@garage.example'), is_prefered_email: 0 },
    ]);

    expect(rows.map(({ status }) => status)).to.deep.equal(['created', 'refused', 'refused', 'created']);
    expect(rowMessages(rows[1])).to.deep.equal([
      'Field: [is_prefered_email] value: [1] has a duplicate illegal value',
    ]);
    const answer = await client.get(`/contactcommunication?filter=contact_id:${contact.id}`);
    expect(answer.data.map(({ value }: Json) => value)).to.deep.equal([
      'a@garage.example',
      'c@garage.example',
    ]);
  });
});
