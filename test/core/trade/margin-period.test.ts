// The margin over periods, with amounts computed by hand.
import { expect } from 'chai';
import { type Brought, marginSince, runMargin } from '../../../src/core/trade/margin/margin-period.ts';
import { cents, euros } from '../../../src/core/trade/totals.ts';

/** The first and the last day of a quarter or a month: `2026-Q3`, `2026-07`. */
function daysOf(name: string): { from: string; to: string } {
  const [year = '', part = ''] = name.split('-');
  const [first, months] = part.startsWith('Q') ? [3 * Number(part.slice(1)) - 2, 3] : [Number(part), 1];
  const day = (month: number, of: number) =>
    new Date(Date.UTC(Number(year), month, of)).toISOString().slice(0, 10);
  return { from: day(first - 1, 1), to: day(first - 1 + months, 0) };
}

type Amounts = Readonly<Record<string, readonly [sales: number, purchases: number]>>;
const NOTHING: Brought = { carried_in: 0n, from: null };

/** The margins of periods by name. */
const run = (amounts: Amounts, last: string, brought: Brought = NOTHING) =>
  runMargin(
    Object.entries(amounts).map(([name, [sales, purchases]]) => ({
      ...daysOf(name),
      sales: cents(String(sales)),
      purchases: cents(String(purchases)),
    })),
    last,
    brought,
  );
type Run = ReturnType<typeof run>;

/** What is carried in, the margin, its VAT, and what is carried out. */
const shown = ({ periods }: Run) =>
  periods.map(({ carried_in, margin, vat, carried_out }) =>
    [carried_in, margin, vat, carried_out].map((amount) => Number(euros(amount))),
  );
const yearOf = ({ years }: Run, year: string) =>
  Object.fromEntries(
    Object.entries(years.get(year) ?? {}).map(([name, amount]) => [name, Number(euros(amount))]),
  );

describe('the margin over periods', () => {
  const YEAR: Amounts = {
    '2026-Q1': [150_000, 100_000],
    '2026-Q2': [100_000, 0],
    '2026-Q3': [0, 100_000],
    '2026-Q4': [90_000, 20_000],
  };

  it('bears VAT where it is above 0, and is carried on where it is below 0', () => {
    expect(shown(run(YEAR, '2026-11-01'))).to.deep.equal([
      [0, 50_000, 8677.69, 0],
      [0, 100_000, 17_355.37, 0],
      [0, -100_000, 0, 100_000],
      [100_000, 70_000, 0, 30_000],
    ]);
  });

  it('is settled by the year: too much VAT is taken back, and the year carries out its own loss', () => {
    const made = run({ ...YEAR, '2027-Q1': [121, 0] }, '2027-03-31');

    expect(yearOf(made, '2026')).to.deep.equal({
      year_margin: 120_000,
      year_vat: 20_826.45,
      declared_vat: 26_033.06,
      settlement: 5206.61,
    });
    expect(shown(made).slice(3)).to.deep.equal([
      [100_000, 70_000, 0, 0],
      [0, 121, 21, 0],
    ]);
    expect(made.years.has('2027')).to.equal(false);
  });

  it('gives a year of loss back what its good periods declared, and carries its loss once', () => {
    const made = run(
      { '2026-Q1': [50_000, 0], '2026-Q2': [0, 80_000], '2027-Q1': [40_000, 0] },
      '2027-12-31',
    );

    expect(yearOf(made, '2026')).to.include({ year_margin: -30_000, year_vat: 0, settlement: 8677.69 });
    expect(shown(made).slice(1)).to.deep.equal([
      [0, -80_000, 0, 30_000],
      [30_000, 40_000, 1735.54, 0],
    ]);
    expect(yearOf(made, '2027')).to.include({ year_margin: 10_000, year_vat: 1735.54, settlement: 0 });
  });

  it('stays in filed quarters when months begin at the New Year', () => {
    const quarters: Amounts = { '2026-Q3': [6050, 10_500], '2026-Q4': [14_500, 20_000] };
    const [first, ...others] = Object.entries({ '2027-01': [24_100, 0] } as Amounts);
    expect(others).to.deep.equal([]);

    const before = run({ ...quarters, '2027-Q1': [24_100, 0] }, '2027-03-31');
    const after = run({ ...quarters, [String(first?.[0])]: first?.[1] ?? [0, 0] }, '2027-01-31');

    expect(shown(before)).to.deep.equal([
      [0, -4450, 0, 4450],
      [4450, -5500, 0, 9950],
      [9950, 24_100, 2455.79, 0],
    ]);
    expect(shown(after)).to.deep.equal(shown(before));
  });

  it('starts with what the garage brings along, and has no margin before', () => {
    const brought: Brought = { carried_in: cents('1000'), from: '2026-07-01' };

    expect(
      shown(run({ '2026-Q2': [5000, 0], '2026-Q3': [121, 0], '2026-Q4': [1000, 0] }, '2026-12-31', brought)),
    ).to.deep.equal([
      [1000, 121, 0, 879],
      [879, 1000, 21, 0],
    ]);
    expect(shown(run({ '2026-Q2': [5000, 0] }, '2026-06-30', brought))).to.deep.equal([]);
  });

  it('adds up several periods, each with its own VAT', () => {
    const made = run(YEAR, '2026-12-31');
    const numbers = (from: string) => {
      const { sales, purchases, carried_in, margin, vat, carried_out } = marginSince(made, from);
      return [sales, purchases, carried_in, margin, vat, carried_out].map((amount) => Number(euros(amount)));
    };

    expect(numbers('2026-01-01')).to.deep.equal([340_000, 220_000, 0, 120_000, 26_033.06, 0]);
    expect(numbers('2026-10-01')).to.deep.equal([90_000, 20_000, 100_000, 70_000, 0, 0]);
    expect(numbers('2027-01-01')).to.deep.equal([0, 0, 0, 0, 0, 0]);
  });
});
