// An order of type BPM takes BPM and FEE lines only, outside VAT.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build, buildBuyer } from '../../support/build/build.ts';
import { invoiceIt, read } from '../../support/build/order.ts';
import { type Client, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';

const { BPM, FEE } = LISTS.linekinds;
const { OUTSIDE } = LISTS.vatcodes;

describe('an order of type BPM', () => {
  let client: Client;
  let order_id: number;
  before(async () => {
    client = await newClient();
    const contact_id = (await buildBuyer(client)).id;
    order_id = (await build(client, 'order', { order_type: LISTS.ordertypes.BPM, contact_id })).id;
  });

  const line = (line_kind: number, vat_code: number) => ({
    order_id,
    line_kind,
    vat_code,
    description: 'x',
    quantity: 1,
    price: 400,
  });
  const wrong = (field: string, value: number) =>
    `Field: [${field}] has an invalid value: [${value}] for validation: [BPM order]`;

  for (const kind of Object.values(LISTS.linekinds)) {
    const isTaken = kind === BPM || kind === FEE;
    it(`${isTaken ? 'takes' : 'refuses'} a line of kind ${kind}`, async () => {
      const answer = await client.post('/orderline', line(kind, OUTSIDE));

      if (isTaken) expect(answer.data).to.include({ line_net: 400, line_vat: 0, vat_percentage: 0 });
      else expect(answer).to.be.refused(403, wrong('line_kind', kind));
    });
  }

  for (const code of Object.values(LISTS.vatcodes).filter((value) => value !== OUTSIDE)) {
    it(`refuses VAT code ${code}`, async () => {
      const { id } = await build(client, 'orderline', line(BPM, OUTSIDE));

      expect(await client.post('/orderline', line(FEE, code))).to.be.refused(403, wrong('vat_code', code));
      expect(await client.put(`/orderline/${id}`, { vat_code: code })).to.be.refused(
        403,
        wrong('vat_code', code),
      );
    });
  }

  it('names both if both are wrong', async () => {
    const answer = await client.post('/orderline', line(1, 1));

    expect(answer.body.errors.map(({ message }: { message: string }) => message)).to.deep.equal([
      wrong('line_kind', 1),
      wrong('vat_code', 1),
    ]);
  });

  it('is invoiced without VAT', async () => {
    const { orderline } = await read(client, order_id);

    const { data } = await invoiceIt(client, order_id);

    expect(data).to.include({ total_net: 400 * orderline.length, total_vat: 0, is_invoiced: 1 });
  });
});
