// The year's end under the margin scheme over periods: what the last return of the year takes back, and which loss goes
// on.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { invoiceOn, setFirstRegime, setGarage } from '../../support/books/books.ts';
import { type Client, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';

const { ordertypes, linekinds, vatcodes, marginmethods, vatperiods, purchaseproofs } = LISTS;
const CAR = { line_kind: linekinds.VEHICLE, vat_code: vatcodes.MARGIN };
const YEAR = 'from=2026-01-01&to=2026-12-31';

describe('the year of margins over periods', () => {
  let client: Client;
  beforeEach(async () => {
    client = await newClient();
    await setGarage(client, { margin_method: marginmethods.GLOBAL, vat_period: vatperiods.QUARTER });
  });

  const sold = (at: string, price: number) => invoiceOn(client, at, [{ ...CAR, purchase_price: 0, price }]);
  const bought = (at: string, price: number) =>
    invoiceOn(client, at, [{ ...CAR, price }], {
      order_type: ordertypes.VEHICLE_PURCHASE,
      purchase_proof: purchaseproofs.STATEMENT,
    });
  const read = async (days: string) => {
    const answer = await client.get(`/vatreturn?${days}`);
    expect(answer.status, answer.text).to.equal(200);
    return answer.data;
  };
  const codes = ({ warnings }: { warnings: { code: string }[] }) => warnings.map(({ code }) => code);
  const sellTheYear = async () => {
    await sold('2026-02-01', 50_000);
    await sold('2026-05-01', 100_000);
    await bought('2026-08-01', 100_000);
    await sold('2026-11-01', 70_000);
  };

  it('takes back what its periods declared beyond the VAT of the year', async () => {
    await sellTheYear();

    const year = await read(YEAR);
    expect(year.margin).to.deep.equal({
      ...{
        sales: 220_000,
        purchases: 100_000,
        carried_in: 0,
        margin: 120_000,
        vat: 26_033.06,
        carried_out: 0,
      },
      ...{ year_margin: 120_000, year_vat: 20_826.45, declared_vat: 26_033.06, settlement: 5206.61 },
    });
    const last = await read('from=2026-10-01&to=2026-12-31');
    expect(last.margin).to.deep.equal({
      ...{ sales: 70_000, purchases: 0, carried_in: 100_000, margin: 70_000, vat: 0, carried_out: 0 },
      settlement: 5206.61,
    });
    // The settlement is in no box.
    expect(last['1a']).to.deep.equal({ base: 0, vat: 0 });
    expect([codes(year), codes(last)].every((found) => found.includes('year_settled'))).to.equal(true);
    expect((await read('from=2027-01-01&to=2027-03-31')).margin).to.include({ carried_in: 0 });
  });

  it('is not over before its last period, and tells nothing where its periods declared what it bears', async () => {
    await sellTheYear();
    await sold('2027-02-01', 121);

    const third = await read('from=2026-07-01&to=2026-09-30');
    expect(third.margin).to.not.have.property('settlement');
    expect(codes(third)).to.not.include('year_settled');
    const next = await read('from=2027-01-01&to=2027-12-31');
    expect(next.margin).to.include({ year_margin: 121, year_vat: 21, declared_vat: 21, settlement: 0 });
    expect(codes(next)).to.not.include('year_settled');
    const both = await read('from=2026-01-01&to=2027-12-31');
    expect(both.margin).to.not.have.property('settlement');
  });

  it('counts the periods in which margins counted together, of a year that had another method before', async () => {
    await setFirstRegime(client, { margin_method: marginmethods.INDIVIDUAL });
    await client.post('/vatregime', { valid_from: '2026-07-01', margin_method: marginmethods.GLOBAL });
    await sold('2026-02-01', 1210);
    await sold('2026-08-01', 2420);
    await bought('2026-11-01', 1210);

    const { margin, '1a': box } = await read(YEAR);
    expect(margin).to.deep.equal({
      ...{ sales: 3630, purchases: 1210, carried_in: 0, margin: 2420, vat: 630, carried_out: 0 },
      ...{ year_margin: 1210, year_vat: 210, declared_vat: 420, settlement: 210 },
    });
    expect(box).to.deep.equal({ base: 3000, vat: 630 });
    expect((await read('from=2026-01-01&to=2026-02-28')).margin).to.deep.include({ sales: 1210, vat: 210 });
  });

  it('starts with the loss that the garage brings along, and has no margin before that day', async () => {
    await setGarage(client, { margin_carried_in: 1000, margin_from: '2026-07-01' });
    await sold('2026-02-01', 5000);
    await sold('2026-08-01', 1121);

    expect((await read('from=2026-01-01&to=2026-03-31')).margin).to.include({
      sales: 0,
      vat: 0,
      carried_out: 0,
    });
    expect((await read('from=2026-07-01&to=2026-09-30')).margin).to.include({ carried_in: 1000, vat: 21 });
    expect((await read(YEAR)).margin).to.include({ carried_in: 1000, year_margin: 121, settlement: 0 });
  });
});
