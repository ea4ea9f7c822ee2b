// Hours between two instants, exact to four decimals.
import { expect } from 'chai';
import { addHours, hoursBetween, minusHours } from '../../../src/core/trade/time/hours.ts';

const START = '2026-05-01 08:00:00.000';

describe('hours', () => {
  it('have four decimals, rounded half away from zero', () => {
    const until = (time: string) => hoursBetween(START, `2026-05-01 ${time}`);

    expect(until('09:15:00.000')).to.equal('1.2500');
    expect(until('08:00:00.001')).to.equal('0.0000');
    expect(until('08:00:00.180')).to.equal('0.0001');
    expect(until('08:00:00.179')).to.equal('0.0000');
    expect(until('08:20:00.000')).to.equal('0.3333');
  });

  it('add up and are taken off', () => {
    expect(addHours('1.2500', null, '0.0001')).to.equal('1.2501');
    expect(addHours('1.2500', minusHours('1.2500'))).to.equal('0.0000');
    expect(addHours()).to.equal('0.0000');
  });
});
