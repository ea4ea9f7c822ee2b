// The margin over periods of a garage that has invoices of many years, or had another method in some of them.
import { spansOfYears } from '../../../src/business/books/margin-run.ts';
import { periodOf } from '../../../src/business/books/period.ts';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { regimesOf } from '../../../src/core/trade/vat-regime.ts';
import { invoiceOn, setGarage } from '../../support/books/books.ts';
import { newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { roundsDuring } from '../../support/service/rounds.ts';

const { ordertypes, linekinds, vatcodes, marginmethods, vatperiods, purchaseproofs } = LISTS;
const { GLOBAL, INDIVIDUAL } = marginmethods;
const period = periodOf({ from: '2026-01-01', to: '2026-12-31' });

describe('the margin of many years', () => {
  it('makes its periods in pieces, so that others are answered meanwhile', async () => {
    const regimes = regimesOf([{ from: '1900-01-01', vat_period: vatperiods.MONTH, margin_method: GLOBAL }]);
    const years = Array.from({ length: 300 }, (_, index) => String(1700 + index));
    const work = () => spansOfYears({ regimes, period }, years);

    const { result: spans, rounds } = await roundsDuring(work);

    expect(spans).to.have.length(12 * years.length);
    expect(rounds).to.be.above(years.length / 2);
  });

  it('takes a year for one period if margins count for each vehicle', async () => {
    const regimes = regimesOf([
      { from: '1900-01-01', vat_period: vatperiods.QUARTER, margin_method: GLOBAL },
      { from: '2025-01-01', vat_period: null, margin_method: INDIVIDUAL },
      { from: '2026-07-01', vat_period: null, margin_method: GLOBAL },
    ]);

    const spans = await spansOfYears({ regimes, period }, ['2024', '2025', '2026']);

    expect(spans.map(({ from }) => from)).to.deep.equal([
      ...['2024-01-01', '2024-04-01', '2024-07-01', '2024-10-01', '2025-01-01'],
      ...['2026-01-01', '2026-04-01', '2026-07-01', '2026-10-01'],
    ]);
    expect(spans[4]).to.include({ to: '2025-12-31', start: '2024-12-31 23:00:00.000' });
  });

  it('carries a loss over a year in which margins counted for each vehicle', async () => {
    const client = await newClient();
    await setGarage(client, { margin_method: GLOBAL, vat_period: vatperiods.QUARTER });
    for (const [valid_from, margin_method] of [
      ['2025-01-01', INDIVIDUAL],
      ['2026-01-01', GLOBAL],
    ] as const)
      expect((await client.post('/vatregime', { valid_from, margin_method })).status).to.equal(201);
    const car = { line_kind: linekinds.VEHICLE, vat_code: vatcodes.MARGIN };
    await invoiceOn(client, '2024-11-01', [{ ...car, price: 1000 }], {
      order_type: ordertypes.VEHICLE_PURCHASE,
      purchase_proof: purchaseproofs.STATEMENT,
    });
    await invoiceOn(client, '2025-02-01', [{ ...car, purchase_price: 0, price: 500 }]);
    await invoiceOn(client, '2026-02-01', [{ ...car, purchase_price: 0, price: 1121 }]);

    const { data } = await client.get('/vatreturn?from=2026-01-01&to=2026-03-31');

    expect(data.margin).to.include({ sales: 1121, carried_in: 1000, vat: 21, carried_out: 0 });
  });
});
