// The settings of the VAT return by day: from which day a change holds, and what it leaves alone.
import { expect } from 'chai';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { beginsPeriod, lastDay } from '../../../src/core/trade/vat-period.ts';
import {
  changesOn,
  type Given,
  misplacedDays,
  type PutToday,
  putSettings,
  regimeOn,
  regimesOf,
  type SettingsFrom,
  spansOf,
} from '../../../src/core/trade/vat-regime.ts';

const { MONTH, QUARTER, YEAR } = LISTS.vatperiods;
const { INDIVIDUAL, GLOBAL } = LISTS.marginmethods;
const row = (from: string, vat_period: number | null, margin_method: number | null = null): SettingsFrom => ({
  ...{ from, vat_period, margin_method },
});

describe('a period of the VAT return', () => {
  it('is one of the calendar', () => {
    expect([beginsPeriod('2026-04-01', QUARTER), beginsPeriod('2026-05-01', QUARTER)]).to.deep.equal([
      true,
      false,
    ]);
    expect([
      lastDay('2024-02-01', MONTH),
      lastDay('2025-12-31', YEAR),
      lastDay('2026-11-30', QUARTER),
    ]).to.deep.equal(['2024-02-29', '2025-12-31', '2026-12-31']);
  });

  it('has the settings of its days, and never passes a change or a New Year', () => {
    const regimes = regimesOf([
      row('2026-07-01', MONTH),
      row('1900-01-01', QUARTER, INDIVIDUAL),
      row('2026-09-01', null, GLOBAL),
    ]);

    expect(spansOf(regimes, '2026', '2026-08-15').map(({ from, to }) => `${from} ${to}`)).to.deep.equal([
      ...['2026-01-01 2026-03-31', '2026-04-01 2026-06-30', '2026-07-01 2026-07-31', '2026-08-01 2026-08-31'],
    ]);
    expect(regimeOn(regimes, '2026-08-31')).to.include({ vat_period: MONTH, margin_method: INDIVIDUAL });
    expect(regimeOn(regimes, '2026-09-01')).to.include({ vat_period: MONTH, margin_method: GLOBAL });
    expect(regimeOn(regimes, '1000-01-01')).to.include({ vat_period: QUARTER });
    expect(spansOf(regimesOf([]), '2026', '2026-02-01')).to.have.length(1);
  });

  it('is cut by a change whose day has moved', () => {
    const regimes = regimesOf([row('1900-01-01', QUARTER), row('2026-12-31', MONTH)]);

    expect(
      spansOf(regimes, '2026', '2026-12-31')
        .slice(3)
        .map(({ from, to }) => `${from} ${to}`),
    ).to.deep.equal([...['2026-10-01 2026-12-30', '2026-12-31 2026-12-31']]);
    expect(misplacedDays([row('1900-01-01', QUARTER), row('2026-12-31', MONTH)])).to.deep.equal([
      '2026-12-31',
    ]);
    expect(misplacedDays([row('1900-01-01', QUARTER), row('2026-10-01', MONTH)])).to.deep.equal([]);
    expect(misplacedDays([row('1900-01-01', MONTH), row('2026-11-01', QUARTER)])).to.deep.equal([
      '2026-11-01',
    ]);
  });
});

describe('a change of the settings', () => {
  const NOVEMBER: PutToday = { today: '2026-11-20', hasInvoice: true };
  /** The rows afterwards, each as `day period method`. */
  const put = (rows: readonly SettingsFrom[], given: Given, now = NOVEMBER) => {
    const { rows: next, since } = putSettings(rows, given, now);
    const shown = [...next].sort((one, other) => (one.from < other.from ? -1 : 1));
    return [
      shown.map(({ from, vat_period, margin_method }) => [from, vat_period, margin_method].join(' ')),
      since,
    ];
  };

  for (const [from, old, next, expected] of [
    ['2026-11-20', QUARTER, MONTH, '2026-10-01'],
    ['2026-11-20', MONTH, QUARTER, '2027-01-01'],
    ['2026-10-20', MONTH, QUARTER, '2026-10-01'],
    ['2026-11-20', YEAR, MONTH, '2026-01-01'],
    ['2026-11-20', QUARTER, YEAR, '2027-01-01'],
    ['2026-11-20', MONTH, MONTH, '2026-11-01'],
    ['2026-12-31', MONTH, YEAR, '2027-01-01'],
  ] as const)
    it(`of ${from}, from ${old} to ${next}, holds from ${expected}`, () => {
      expect(changesOn(from, old, next)).to.equal(expected);
    });

  it('holds from the beginning before the first invoice, and where nobody has said the setting yet', () => {
    const none = [row('1900-01-01', null)];
    const both = { vat_period: QUARTER, margin_method: GLOBAL };

    expect(put(none, both, { ...NOVEMBER, hasInvoice: false })).to.deep.equal([
      ['1900-01-01 2 2'],
      '0001-01-01',
    ]);
    expect(put(none, both)).to.deep.equal([['1900-01-01 2 2'], '0001-01-01']);
    expect(put([], both)).to.deep.equal([['1900-01-01 2 2'], '0001-01-01']);
    expect(put([row('1900-01-01', null, INDIVIDUAL)], both)).to.deep.equal([
      ['1900-01-01 2 1', '2026-10-01  2'],
      '0001-01-01',
    ]);
  });

  it('holds for both settings from one day', () => {
    expect(
      put([row('1900-01-01', QUARTER, INDIVIDUAL)], { vat_period: MONTH, margin_method: GLOBAL }),
    ).to.deep.equal([['1900-01-01 2 1', '2026-10-01 1 2'], '2026-10-01']);
  });

  it('changes nothing where the setting is the one that was put last', () => {
    const rows = [row('1900-01-01', MONTH, GLOBAL), row('2027-01-01', QUARTER)];

    expect(put(rows, { vat_period: QUARTER, margin_method: GLOBAL })[1]).to.equal(undefined);
    expect(put(rows, { vat_period: null })[1]).to.equal(undefined);
  });

  it('takes the place of later ones, and is taken back by the setting before', () => {
    const rows = [
      row('1900-01-01', MONTH, GLOBAL),
      row('2027-01-01', QUARTER),
      row('2028-01-01', YEAR, INDIVIDUAL),
    ];

    expect(put(rows, { vat_period: MONTH })).to.deep.equal([
      ['1900-01-01 1 2', '2028-01-01  1'],
      '2027-01-01',
    ]);
    expect(put(rows.slice(0, 2), { vat_period: YEAR })).to.deep.equal([
      ['1900-01-01 1 2', '2027-01-01 3 '],
      '2027-01-01',
    ]);
  });

  it('concerns the days that get other settings, and no day before them', () => {
    const quarters = [row('1900-01-01', QUARTER, GLOBAL), row('2027-01-01', MONTH)];
    const day = (given: Given, now?: PutToday) => put(quarters, given, now)[1];

    expect(day({ vat_period: QUARTER })).to.equal('2027-01-01');
    expect(day({ vat_period: QUARTER }, { ...NOVEMBER, hasInvoice: false })).to.equal('2027-01-01');
    expect(day({ vat_period: QUARTER, margin_method: INDIVIDUAL })).to.equal('2026-10-01');
  });

  it('holds from the first day that is not closed at the earliest, once there is a row', () => {
    const now = { ...NOVEMBER, hasInvoice: false, opens: '2026-10-16' };
    const all = { vat_period: MONTH, margin_method: GLOBAL };

    expect(put([row('1900-01-01', QUARTER, INDIVIDUAL)], all, now)).to.deep.equal([
      ['1900-01-01 2 1', '2027-01-01 1 2'],
      '2027-01-01',
    ]);
    expect(put([row('1900-01-01', MONTH, null)], { margin_method: GLOBAL }, now)).to.deep.equal([
      ['1900-01-01 1 ', '2026-11-01  2'],
      '2026-11-01',
    ]);
    expect(put([], all, now)).to.deep.equal([['1900-01-01 1 2'], '0001-01-01']);
  });

  it('empties a setting only before the first invoice', () => {
    const rows = [row('1900-01-01', MONTH, GLOBAL), row('2027-01-01', QUARTER)];

    expect(put(rows, { vat_period: null }, { ...NOVEMBER, hasInvoice: false })).to.deep.equal([
      ['1900-01-01  2'],
      '0001-01-01',
    ]);
  });
});
