// A POST of a parent refuses wrong children, with the texts of each child's own POST.
import { resourceNamed } from '../../../src/core/model/records/registry.ts';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build, sampleBody } from '../../support/build/build.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { messages } from '../../support/client/resources.ts';

const { HIGH } = LISTS.vatcodes;
const EMAIL = { communication_type: LISTS.communicationtypes.EMAIL, value: 'a@b.nl' };
const LINE = { line_kind: 1, description: 'Olie', quantity: 2, price: 10, vat_code: HIGH };

/** Lines with wrong fields, and what is said about them. */
const WRONG_LINES = [
  { ...LINE, price: 'x' },
  { ...LINE, order_id: 5, id: 7, line_net: 3 },
  'line',
  { ...LINE, ...JSON.parse('{"__proto__": 1}'), line_kind: 99 },
];
const WRONG_PRICE = 'Field: [orderline[0].price] has an invalid value: [x] for datatype: float8';
const SAID_OF_WRONG_LINES = [
  WRONG_PRICE,
  'Field: [orderline[1].order_id] is readonly do not supply in request',
  'Field: [orderline[1].id] is primary ID do not supply in request',
  'Field: [orderline[1].line_net] is readonly do not supply in request',
  'Field: [orderline[2]] has an invalid value: [line] for datatype: orderline',
  'Field: [orderline[3].line_kind] has an invalid value: [99] for validation: [linekinds]',
  'Field: [orderline[3].__proto__] not found in model',
];

describe('wrong children in one go', () => {
  let client: Client;
  let contact_id: number;
  before(async () => {
    client = await newClient();
    contact_id = (await build(client, 'contact')).id;
  });
  const order = (orderline: unknown, more: Json = {}) =>
    client.post('/order', { order_type: 1, order_date: '2026-05-01', contact_id, ...more, orderline });
  const bodyOf = (name: string) => sampleBody(client, resourceNamed(name));
  const count = async (resource = 'order') =>
    (await client.get(`/${resource}?count=1&page_size=1`)).body.total;

  it('are refused for their fields together with the parent, in the order of the body', async () => {
    const before = await count();

    const answer = await client.post('/order', { colour: 'red', orderline: WRONG_LINES, order_type: 77 });

    expect(answer.status).to.equal(403);
    expect(messages(answer)).to.deep.equal([
      'Field: [colour] not found in model',
      ...SAID_OF_WRONG_LINES,
      'Field: [order_type] has an invalid value: [77] for validation: [ordertypes]',
    ]);
    expect(answer.body.errors[1]).to.deep.equal({
      code: 'value_wrong_type',
      message: WRONG_PRICE,
      field: 'orderline[0].price',
      value: 'x',
    });
    expect(await count()).to.equal(before);
  });

  it('are refused for required fields first, and then by rules', async () => {
    const { description: _, ...blank } = LINE;
    const required = await client.post('/order', { order_type: 1, contact_id, orderline: [LINE, blank] });
    const bpm = {
      order_type: LISTS.ordertypes.BPM,
      appointment_at: '2026-05-02',
      planned_out_at: '2026-05-01',
    };
    const rules = await order([LINE, { ...LINE, article_id: 999_999 }], bpm);

    expect(messages(required)).to.deep.equal([
      'Field: [order_date] is required and not supplied in request',
      'Field: [orderline[1].description] is required and not supplied in request',
    ]);
    expect(messages(rules)).to.deep.equal([
      'Field: [planned_out_at] value: [2026-05-01] date must be after Field: [appointment_at] value: [2026-05-02]',
      'Field: [orderline[0].line_kind] has an invalid value: [1] for validation: [BPM order]',
      'Field: [orderline[0].vat_code] has an invalid value: [1] for validation: [BPM order]',
      'Field: [orderline[1].line_kind] has an invalid value: [1] for validation: [BPM order]',
      'Field: [orderline[1].vat_code] has an invalid value: [1] for validation: [BPM order]',
    ]);
  });

  it('are refused for references before duplicates', async () => {
    const key = { ...LINE, external_id: 'same' };
    const unknown = { ...LINE, article_id: 999_999 };

    const references = await order([key, key, unknown], { invoice_contact_id: 999_999 });
    const duplicate = await order([{ ...LINE, sort_order: 1 }, LINE, { ...LINE, sort_order: 1 }]);

    expect(references.status).to.equal(404);
    expect(messages(references)).to.deep.equal([
      'Field: [invoice_contact_id] value: [999999] ID not found',
      'Field: [orderline[2].article_id] value: [999999] ID not found',
    ]);
    expect(duplicate).to.be.refused(
      409,
      'Field: [orderline[2].sort_order] value: [1] has a duplicate illegal value',
    );
  });

  it('name both fields where one must come after the other', async () => {
    const vehicle = await bodyOf('vehicle');
    const role = { contact_id, role_kind: 2, start_date: '2026-05-02', end_date: '2026-05-01' };

    expect(await client.post('/vehicle', { ...vehicle, vehicleroleline: [role] })).to.be.refused(
      403,
      'Field: [vehicleroleline[0].end_date] value: [2026-05-01] date must be after Field: [vehicleroleline[0].start_date] value: [2026-05-02]',
    );
  });

  it('leave nothing behind when one of them is refused, not even a number', async () => {
    const first = (await order([LINE])).data;
    const lines = await count('orderline');

    const refused = await order([LINE, { ...LINE, turnover_group_id: 999_999 }]);
    const next = (await order([LINE])).data;

    expect(refused.status).to.equal(404);
    expect(await count('orderline')).to.equal(lines + 1);
    expect(next.order_number).to.equal(first.order_number + 1);
  });

  it('keep the rules between them: one owner, one preferred address, one place', async () => {
    const owner = { contact_id, role_kind: LISTS.vehicleroles.OWNER, start_date: '2026-05-01' };
    const email = { ...EMAIL, is_prefered_email: 1 };
    const post = async (name: string, children: Json) =>
      client.post(`/${name}`, { ...(await bodyOf(name)), ...children });

    const vehicle = await post('vehicle', { vehicleroleline: [owner, owner] });
    const contact = await post('contact', {
      contactcommunication: [email, { ...email, is_prefered_email: 0 }, email],
    });
    const flatRate = await post('flatrate', { flatrateline: [{ sort_order: 3 }, { sort_order: 3 }] });

    expect(vehicle).to.be.refused(403, 'Vehicleroleline is invalid a Vehicle can only have one owner');
    expect(vehicle.body.errors[0].field).to.equal('vehicleroleline[1]');
    expect(contact).to.be.refused(
      409,
      'Field: [contactcommunication[2].is_prefered_email] value: [1] has a duplicate illegal value',
    );
    expect(flatRate).to.be.refused(403, 'Field: [flatrateline[1].sort_order] has an invalid value [3]');
  });

  it('are judged together also if their parent is refused', async () => {
    const wrong = { ...(await bodyOf('flatrate')), valid_from: '2026-05-02', valid_until: '2026-05-01' };
    const refused = await client.post('/flatrate', {
      ...wrong,
      flatrateline: [{ sort_order: 1 }, { sort_order: 1 }],
    });
    const belgian = { ...(await bodyOf('contact')), country_id: 2, postcode: '1000' };
    const put = (body: Json) => client.put('/contact?external_id=handover', body);
    const mail = (external_id: string, is_prefered_email: number) => ({
      ...EMAIL,
      external_id,
      is_prefered_email,
    });
    await put({ ...belgian, contactcommunication: [mail('a', 1), mail('b', 0)] });
    const moved = await put({ country_id: 1, contactcommunication: [mail('a', 0), mail('b', 1)] });

    expect(messages(refused)).to.deep.equal([
      'Field: [valid_until] value: [2026-05-01] date must be after Field: [valid_from] value: [2026-05-02]',
      'Field: [flatrateline[1].sort_order] has an invalid value [1]',
    ]);
    expect(messages(moved)).to.deep.equal([
      'Field: [postcode] has an invalid value: [1000] for validation: [postcode]',
    ]);
  });

  it('count for each other only if no key refuses them', async () => {
    await build(client, 'contactcommunication', { contact_id, ...EMAIL, external_id: 'taken' });

    const refused = await client.post('/contact', {
      ...(await bodyOf('contact')),
      contactcommunication: [
        { ...EMAIL, is_prefered_email: 1, external_id: 'taken' },
        { ...EMAIL, is_prefered_email: 1 },
      ],
    });

    expect(refused).to.be.refused(
      409,
      'Field: [contactcommunication[0].external_id] value: [taken] has a duplicate illegal value',
    );
  });

  it('may not make a total that is too large', async () => {
    const huge = { ...LINE, price: 9_999_999_999, quantity: 5_000 };

    expect(await order([huge, huge, huge])).to.be.refused(
      403,
      'Field: [total_gross] has an invalid value: [149999999985000] for validation: [14 digits]',
    );
  });
});
