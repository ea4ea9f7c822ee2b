// GET /vatreturn/lines of box 1a where margins count over periods: the lines and the cars that leave the margin add up.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { dateInvoice, invoiceOn, setFirstRegime, setGarage } from '../../support/books/books.ts';
import { toCents } from '../../support/books/journal.ts';
import { build } from '../../support/build/build.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';

const { ordertypes, linekinds, vatcodes, marginmethods, vatperiods, purchaseproofs } = LISTS;
const { VEHICLE, TRADE_IN } = linekinds;
const { MARGIN, HIGH } = vatcodes;
const YEAR = 'from=2026-01-01&to=2026-12-31';

describe('the lines of a margin over periods', () => {
  let client: Client;
  let cars: number[];
  beforeEach(async () => {
    client = await newClient();
    await setGarage(client, { margin_method: marginmethods.GLOBAL, vat_period: vatperiods.QUARTER });
    cars = [];
    for (const bpm_paid of [null, 1000, null])
      cars.push(Number((await build(client, 'vehicle', { bpm_paid })).id));
  });

  const bought = (at: string, price: number, line: Json = {}) =>
    invoiceOn(client, at, [{ line_kind: VEHICLE, vat_code: MARGIN, price, ...line }], {
      order_type: ordertypes.VEHICLE_PURCHASE,
      purchase_proof: purchaseproofs.STATEMENT,
    });
  const sold = (at: string, price: number, line: Json = {}, more: Json[] = []) =>
    invoiceOn(client, at, [
      { line_kind: VEHICLE, vat_code: MARGIN, purchase_price: 0, price, ...line },
      ...more,
    ]);
  /** A car bought and sold with VAT, one with BPM, a trade-in sold with VAT, and a sale with VAT that comes back. */
  const trade = async () => {
    const [one, other, third] = cars;
    await bought('2026-01-10', 12_000, { vehicle_id: one });
    await bought('2026-01-11', 4000, { vehicle_id: other });
    await sold('2026-02-01', 9000, { vehicle_id: other, purchase_price: 5000 }, [
      { line_kind: TRADE_IN, vat_code: MARGIN, quantity: -1, price: 2500, vehicle_id: third },
    ]);
    await sold('2026-04-01', 3000, { vehicle_id: third, vat_code: HIGH });
    const sale = await sold('2026-04-01', 15_000, { vehicle_id: one, vat_code: HIGH });
    const credit = (await client.post('/order/credit', { order_id: sale.id, is_invoiced: 1 })).data;
    await dateInvoice(client, credit.id, '2026-08-01');
    await invoiceOn(client, '2026-08-02', [{ price: 100 }]);
  };
  const list = async (query: string) => {
    const answer = await client.get(`/vatreturn/lines?${query}`);
    expect(answer.status, answer.text).to.equal(200);
    return answer.body;
  };
  const rows = async (days: string) => (await list(`box=1a&${days}`)).data as Json[];
  const sum = (lines: Json[], name: string) => lines.reduce((total, line) => total + toCents(line[name]), 0);

  it('add up to the margin of the return, and to the box together with its VAT', async () => {
    await trade();

    for (const days of [
      YEAR,
      'from=2026-01-01&to=2026-03-31',
      'from=2026-04-01&to=2026-06-30',
      'from=2026-07-01&to=2026-09-30',
    ]) {
      const { margin, '1a': box } = (await client.get(`/vatreturn?${days}`)).data;
      const lines = await rows(days);
      expect(sum(lines, 'margin'), days).to.equal(toCents(margin.margin));
      expect(sum(lines, 'vat') + toCents(margin.vat), days).to.equal(toCents(box.vat));
      for (const { vat_code, base, vat, margin: part } of lines)
        expect([base === null, vat === null, part !== null], days).to.deep.equal(
          vat_code === MARGIN ? [true, true, true] : [false, false, false],
        );
    }
  });

  it('have a car that leaves, or comes back, as the line of its acquisition with the sign turned round', async () => {
    await trade();

    const shown = async (days: string) =>
      (await rows(days))
        .filter(({ vat_code }) => vat_code === MARGIN)
        .map(({ book_date, line_kind, line_net, margin }) => [
          String(book_date).slice(5, 10),
          line_kind,
          line_net,
          margin,
        ]);
    expect(await shown('from=2026-01-01&to=2026-03-31')).to.deep.equal([
      ['01-10', VEHICLE, 12_000, -12_000],
      ['01-11', VEHICLE, 4000, -4000],
      // Less the BPM that the garage paid.
      ['02-01', VEHICLE, 9000, 8000],
      ['02-01', TRADE_IN, -2500, -2500],
    ]);
    expect(await shown('from=2026-04-01&to=2026-06-30')).to.deep.equal([
      ['04-01', VEHICLE, -12_000, 12_000],
      ['04-01', TRADE_IN, 2500, 2500],
    ]);
    expect(await shown('from=2026-07-01&to=2026-09-30')).to.deep.equal([
      ['08-01', VEHICLE, -12_000, -12_000],
    ]);
    const [first] = await rows('from=2026-04-01&to=2026-06-30');
    const acquisition = (await rows('from=2026-01-01&to=2026-03-31'))[0];
    expect(first).to.include({ id: acquisition?.id, order_id: acquisition?.order_id });
  });

  it('come page by page, by cursor and by number, each row once', async () => {
    await trade();
    const all = await rows(YEAR);
    expect(all.length).to.equal(11);

    for (const box of ['1a', '5a'])
      for (const size of [1, 4, 11]) {
        const [byCursor, byPage]: [Json[], Json[]] = [[], []];
        let cursor = '';
        for (let page = 1; ; page += 1) {
          const next = await list(`box=${box}&page_size=${size}${cursor}&${YEAR}`);
          byCursor.push(...next.data);
          const numbered = await list(`box=${box}&page_size=${size}&page=${page}&count=1&${YEAR}`);
          byPage.push(...numbered.data);
          expect([numbered.total, numbered.has_more], `${size}`).to.deep.equal([11, next.has_more]);
          if (next.next === null) break;
          cursor = `&cursor=${next.next}`;
        }
        expect(byCursor, `${size}`).to.deep.equal(all);
        expect(byPage, `${size}`).to.deep.equal(all);
        expect((await list(`box=${box}&page_size=${size}&page=40&${YEAR}`)).data).to.deep.equal([]);
      }
  });

  it('count by the method of their day, and not before the day of a loss that is brought along', async () => {
    await setFirstRegime(client, { margin_method: marginmethods.INDIVIDUAL });
    await client.post('/vatregime', { valid_from: '2026-04-01', margin_method: marginmethods.GLOBAL });
    await trade();
    const { margin, '1a': box } = (await client.get(`/vatreturn?${YEAR}`)).data;
    const lines = await rows(YEAR);

    // Both cars were bought while margins counted for each vehicle: they never lowered the margin over periods.
    expect(sum(lines, 'margin')).to.equal(0);
    expect(margin).to.include({ margin: 4000, vat: 694.21 });
    expect([sum(lines, 'base'), sum(lines, 'vat')]).to.deep.equal([toCents(box.base), toCents(box.vat)]);

    await setFirstRegime(client, { margin_method: marginmethods.GLOBAL });
    await setGarage(client, { margin_carried_in: 0, margin_from: '2026-04-01' });
    const after = await rows(YEAR);
    expect(sum(after, 'margin')).to.equal(250_000);
    expect((await client.get(`/vatreturn?${YEAR}`)).data.margin.margin).to.equal(2500);
  });
});
