// Timestamps, compared with luxon, which the code itself does not use here.

import { expect } from 'chai';
import fc from 'fast-check';
import { DateTime } from 'luxon';
import {
  databaseNow,
  databaseTime,
  formatTimestamp,
  isoNow,
  parseTimestamp,
} from '../../../src/core/trade/time/timestamp.ts';

const twoDigits = (max: number) => fc.nat(max).map((value) => String(value).padStart(2, '0'));
const year = fc.nat(9999).map((value) => String(value).padStart(4, '0'));
const fraction = fc.option(fc.stringMatching(/^\.\d{1,9}$/), { nil: '' });
const offset = fc.oneof(
  fc.constantFrom('', 'Z', '+14:00', '-14:00'),
  fc
    .tuple(fc.constantFrom('+', '-'), twoDigits(13), twoDigits(59))
    .map(([sign, hour, minute]) => `${sign}${hour}:${minute}`),
);
const time = fc
  .tuple(twoDigits(23), twoDigits(59), fc.option(fc.tuple(twoDigits(59), fraction)), offset)
  .map(([hour, minute, rest, zone]) => `T${hour}:${minute}${rest ? `:${rest[0]}${rest[1]}` : ''}${zone}`);
// Up to month 13 and day 32, so that some days do not exist.
const timestamp = fc
  .tuple(year, twoDigits(13), twoDigits(32), fc.option(time, { nil: '' }))
  .map(([y, m, d, t]) => `${y}-${m}-${d}${t}`);

function byLuxon(text: string): string | undefined {
  const instant = DateTime.fromISO(text, { zone: 'utc' });
  return instant.isValid && instant.year >= 1000 && instant.year <= 9999
    ? instant.toFormat('yyyy-MM-dd HH:mm:ss.SSS')
    : undefined;
}

describe('timestamp', () => {
  it('reads the same instants as luxon', () => {
    fc.assert(
      fc.property(timestamp, (text) => {
        expect(parseTimestamp(text), text).to.equal(byLuxon(text));
      }),
      { numRuns: 5000 },
    );
  });

  it('comes out as it went in', () => {
    const dates = fc.date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });

    fc.assert(
      fc.property(dates, (date) => {
        expect(parseTimestamp(date.toISOString())).to.equal(databaseTime(date));
        expect(formatTimestamp(databaseTime(date))).to.equal(date.toISOString());
      }),
    );
  });

  it('formats every second and millisecond in both forms', () => {
    const nextSecond = Math.ceil(Date.now() / 1000) * 1000;
    while (Date.now() < nextSecond + 5) {
      const before = new Date();
      const [stored, iso] = [databaseNow(), isoNow()];
      const after = new Date();
      expect(stored >= databaseTime(before) && stored <= databaseTime(after), stored).to.equal(true);
      expect(iso >= before.toISOString() && iso <= after.toISOString(), iso).to.equal(true);
    }
  });

  for (const [text, stored] of [
    ['2026-05-01', '2026-05-01 00:00:00.000'],
    ['2026-05-01T10:30', '2026-05-01 10:30:00.000'],
    ['2026-05-01T10:30:15.1239', '2026-05-01 10:30:15.123'],
    ['2026-05-01T10:30+02:00', '2026-05-01 08:30:00.000'],
    ['2026-01-01T00:30:00.5+01:00', '2025-12-31 23:30:00.500'],
    ['2024-02-29T23:59:59-14:00', '2024-03-01 13:59:59.000'],
    ['0999-12-31T23:00-01:00', '1000-01-01 00:00:00.000'],
  ] as const) {
    it(`stores ${text} as ${stored}`, () => {
      expect(parseTimestamp(text)).to.equal(stored);
    });
  }

  it('is refused in another form', () => {
    const texts = words(`2026 2026-05 2026-5-1 20260501 01-05-2026 +12026-05-01 ２０２６-05-01 2026-05-01Z
      2026-05-01T 2026-05-01T10 2026-05-01T10:30:00. 2026-05-01T10:30:00,5 2026-05-01T10:30:00.1234567890
      2026-05-01T10:30+2 2026-05-01T10:30+0200 2026-05-01T10:30z`);

    expect([...texts, '', ' 2026-05-01', '2026-05-01\n', '2026-05-01 10:30'].filter(parseTimestamp)).to.be
      .empty;
  });

  it('is refused when there is no such day, time or offset', () => {
    const texts = words(`2026-02-30 2025-02-29 1900-02-29 2026-00-01 2026-13-01 2026-01-00 2026-05-01T24:00
      2026-05-01T10:60 2026-05-01T10:30:60 2026-05-01T10:30+14:01 2026-05-01T10:30-15:00
      2026-05-01T10:30+01:60`);

    expect(texts.filter(parseTimestamp)).to.be.empty;
  });

  it('is refused outside the years 1000 to 9999', () => {
    const texts = words('0026-05-01 0999-12-31 1000-01-01T00:00+00:01 9999-12-31T23:59-00:01');

    expect(texts.filter(parseTimestamp)).to.be.empty;
  });

  it('adds digits that the database omits, and cuts extra ones', () => {
    const texts = ['2026-05-01 10:30:00', '2026-05-01 10:30:00.5', '2026-05-01 10:30:00.123456'];

    expect(texts.map(formatTimestamp)).to.deep.equal([
      '2026-05-01T10:30:00.000Z',
      '2026-05-01T10:30:00.500Z',
      '2026-05-01T10:30:00.123Z',
    ]);
  });
});

function words(text: string): string[] {
  return text.split(/\s+/);
}
