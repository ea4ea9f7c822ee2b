// A lease company approves an order that it pays. The invoice must equal the approved order, and bears the number of
// the approval.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build, buildBuyer } from '../../support/build/build.ts';
import { buildLeased, buildWork, move } from '../../support/build/work.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';

const { READY, INVOICE, CANCELLED } = LISTS.orderstatuses;
const { DRAFT, SENT, APPROVED, PARTLY, REJECTED, WITHDRAWN } = LISTS.approvalstatuses;
const UNAPPROVED = 'Field: [total_net] has an invalid value: [100] for validation: [lease approval]';

describe('the approval of a lease company', () => {
  let client: Client;
  let order: Awaited<ReturnType<typeof buildLeased>>;
  beforeEach(async () => {
    client = await newClient();
    order = await buildLeased(client);
  });
  const post = (more: Json = {}) =>
    client.post('/leaseapproval', { order_id: order.id, contact_id: order.payer.id, ...more });
  const approve = (more: Json = {}) =>
    post({ approval_status: APPROVED, approved_net: 100, approval_number: 'AK-1', ...more });
  const invoice = () => move(client, order.id, INVOICE);
  const partyOf = async (id: number) =>
    (await client.get(`/order/${id}?expand=invoiceparty`)).data.invoiceparty[0];

  it('begins as a draft, and needs an amount and a number to be approved', async () => {
    const { data } = await post();
    const refused = await client.put(`/leaseapproval/${data.id}`, { approval_status: APPROVED });

    expect(data).to.include({ approval_status: DRAFT });
    expect(refused).to.be.refused(403, 'Field: [approved_net] is required and cannot be empty');
    expect(refused.body.errors[1].message).to.equal(
      'Field: [approval_number] is required and cannot be empty',
    );
    expect(await post({ approval_status: PARTLY, approved_net: 1 })).to.be.refused(
      403,
      'Field: [approval_number] is required and cannot be empty',
    );
    expect((await post({ approval_status: REJECTED })).status).to.equal(201);
  });

  it('must belong to the payer of the order', async () => {
    const other = (await buildBuyer(client)).id;
    const refusal = (id: number) =>
      `Field: [contact_id] has an invalid value: [${id}] for validation: [payer]`;
    const { data } = await post();

    expect(await post({ contact_id: other })).to.be.refused(403, refusal(other));
    expect(await post({ contact_id: order.contact_id })).to.be.refused(403, refusal(order.contact_id));
    expect(await client.put(`/leaseapproval/${data.id}`, { contact_id: other })).to.be.refused(
      403,
      refusal(other),
    );
    const own = await buildWork(client);
    expect((await post({ order_id: own.id, contact_id: own.contact_id })).status).to.equal(201);
  });

  it('must be given for the total before the order is invoiced', async () => {
    for (const approval_status of [DRAFT, SENT, REJECTED]) await post({ approval_status });
    await approve({ approved_net: 99.99 });
    await approve({ valid_until: '2026-01-01' });
    expect(await invoice()).to.be.refused(403, UNAPPROVED);

    await approve({ approval_status: PARTLY, approval_number: 'AK-2' });
    await approve({ approval_number: 'AK-3', valid_until: '2099-01-01' });
    await approve({ approved_net: 99, approval_number: 'AK-4' });

    expect((await invoice()).status).to.equal(200);
    expect((await partyOf(order.id)).approval_number).to.equal('AK-3');
  });

  it('is not needed without an approval, after a withdrawal, or if no lease company pays', async () => {
    const own = await buildWork(client);
    await post({ approval_status: WITHDRAWN });
    await post({ order_id: own.id, contact_id: own.contact_id });

    expect((await invoice()).status).to.equal(200);
    expect((await move(client, own.id, INVOICE)).status).to.equal(200);
    expect((await partyOf(order.id)).approval_number).to.equal(null);
  });

  it('no longer fits after the payer has changed', async () => {
    await approve();
    const payer = await buildBuyer(client, { is_lease_company: 1 });
    await client.put(`/order/${order.id}`, { invoice_contact_id: payer.id });

    expect(await invoice()).to.be.refused(403, UNAPPROVED);
    expect((await approve({ contact_id: payer.id })).status).to.equal(201);
    expect((await invoice()).status).to.equal(200);
  });

  for (const [name, status] of [
    ['invoice', INVOICE],
    ['cancelled', CANCELLED],
  ] as const) {
    it(`does not change on an order that is ${name}`, async () => {
      const { data } = await approve();
      expect((await move(client, order.id, status)).status).to.equal(200);
      const frozen = `[order] is [${name}], cannot add/update/delete`;

      expect(await client.put(`/leaseapproval/${data.id}`, { approval_status: WITHDRAWN })).to.be.refused(
        409,
        frozen,
      );
      expect(await client.del(`/leaseapproval/${data.id}`)).to.be.refused(409, frozen);
      expect(await approve()).to.be.refused(409, frozen);
    });
  }

  it("can't be created in the request of its order", async () => {
    const { contact_id, payer } = order;
    const body = { order_type: 1, order_date: '2026-05-01', contact_id, invoice_contact_id: payer.id };

    expect(await client.post('/order', { ...body, leaseapproval: [{ contact_id: payer.id }] })).to.be.refused(
      403,
      'Field: [leaseapproval] not found in model',
    );
    expect((await move(client, order.id, READY)).status).to.equal(200);
  });

  it('is refused together with all other violations of the invoice', async () => {
    await client.put(`/contact/${order.payer.id}`, { street: null });
    await post();

    const { body } = await invoice();

    expect(body.errors.map(({ message }: Json) => message)).to.deep.equal([
      'Field: [street] is required and cannot be empty',
      UNAPPROVED,
    ]);
    expect((await build(client, 'contact')).id).to.be.a('number');
  });
});
