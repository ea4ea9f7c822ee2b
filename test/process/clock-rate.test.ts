// The clock of the machine goes back over a day on which the rates of VAT changed. An invoice has the rates of the day
// on which it is dated.
import { LISTS } from '../../src/core/trade/lists.ts';
import type { Json } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { type ClockedService, openClockedService } from '../support/process/clocked-service.ts';

const BUYER = {
  ...{ contact_kind: LISTS.contactkinds.PERSON, last_name: 'Visser', street: 'Dam', huisnummer: 1 },
  ...{ postcode: '1012 JS', city: 'Amsterdam', country_id: 1 },
};

describe('a clock that goes back over a change of the rates', function () {
  this.timeout(120_000);
  let scene: ClockedService;
  before(async () => {
    scene = await openClockedService();
  });
  after(() => scene?.close());

  /** Lets it be that day for everybody. */
  const on = (day: string) => scene.clock.set(Math.round((Date.parse(day) - Date.now()) / 1000));
  // biome-ignore lint/suspicious/noExplicitAny: records are read by name in tests, whatever the resource
  const ask = async (method: string, path: string, body: Json): Promise<any> => {
    const answer = await scene.ask(method, path, body);
    expect(answer.status, answer.text).to.be.within(200, 201);
    return answer.data;
  };
  const ordered = async (contact_id: number) => {
    const line = { line_kind: 1, description: 'Olie', quantity: 1, price: 100, vat_code: LISTS.vatcodes.LOW };
    const order = { order_type: 1, order_date: '2018-12-01', contact_id, orderline: [line] };
    return (await ask('POST', '/order', order)).id;
  };
  const invoiced = (id: number) => ask('PUT', `/order/${id}`, { order_status: LISTS.orderstatuses.INVOICE });

  it('dates no invoice before the change with the rates behind the change', async () => {
    await on('2019-01-02T12:00:00Z');
    const { id } = await ask('POST', '/contact', BUYER);
    const before = await invoiced(await ordered(id));
    await on('2018-12-30T12:00:00Z');
    const order = await ordered(id);

    const after = await invoiced(order);

    expect(before).to.include({ total_vat: 9 });
    expect(after).to.include({
      ...{ invoice_date: before.invoice_date, supply_date: before.invoice_date },
      ...{ total_vat: 9, total_gross: 109, amount_open: 109 },
    });
  });
});
