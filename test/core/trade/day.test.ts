// Days on the calendar of a garage, also when the clock changes and at the ends of time.
import { expect } from 'chai';
import { dayOf, endOf, startOf } from '../../../src/core/trade/time/day.ts';

const AMSTERDAM = 'Europe/Amsterdam';

describe('a day', () => {
  it('begins and ends at midnight of its time zone', () => {
    expect(startOf('2026-01-01', AMSTERDAM)).to.equal('2025-12-31 23:00:00.000');
    expect(endOf('2026-12-31', AMSTERDAM)).to.equal('2026-12-31 22:59:59.999');
    expect(startOf('2026-05-01', 'UTC')).to.equal('2026-05-01 00:00:00.000');
  });

  it('has 23 or 25 hours where the clock changes', () => {
    expect([startOf('2026-03-29', AMSTERDAM), endOf('2026-03-29', AMSTERDAM)]).to.deep.equal([
      '2026-03-28 23:00:00.000',
      '2026-03-29 21:59:59.999',
    ]);
    expect(endOf('2026-10-25', AMSTERDAM)).to.equal('2026-10-25 22:59:59.999');
  });

  it('begins at the first midnight where the clock shows midnight twice', () => {
    // On 25 October 2026 the clock of the Azores goes from 01:00 back to 00:00.
    expect(endOf('2026-10-24', 'Atlantic/Azores')).to.equal('2026-10-24 23:59:59.999');
    expect(startOf('2026-10-25', 'Atlantic/Azores')).to.equal('2026-10-25 00:00:00.000');
    expect(dayOf('2026-10-25 00:30:00.000', 'Atlantic/Azores')).to.equal('2026-10-25');
    // On 4 April 2026 the clock of Santiago goes from 24:00 back to 23:00.
    expect(endOf('2026-04-04', 'America/Santiago')).to.equal('2026-04-05 03:59:59.999');
    expect(startOf('2026-04-05', 'America/Santiago')).to.equal('2026-04-05 04:00:00.000');
  });

  it('is found by its instants', () => {
    expect(dayOf('2025-12-31 23:00:00.000', AMSTERDAM)).to.equal('2026-01-01');
    expect(dayOf('2025-12-31 22:59:59.999', AMSTERDAM)).to.equal('2025-12-31');
  });

  it('stays within what the database can store', () => {
    expect(endOf('9999-12-31', 'America/New_York')).to.equal('9999-12-31 23:59:59.999');
    expect(startOf('1000-01-01', 'Asia/Tokyo') < '1000-01-01').to.equal(true);
    expect(endOf('9999-12-30', 'Asia/Tokyo')).to.equal('9999-12-30 14:59:59.999');
    expect(endOf('9999-12-31', 'Asia/Tokyo')).to.equal('9999-12-31 23:59:59.999');
    expect(dayOf('9999-12-31 23:59:59.999', 'Asia/Tokyo')).to.equal('9999-12-31');
  });
});
