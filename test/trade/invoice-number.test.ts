// Invoice numbers, and the dates that depend on the owner's calendar.

import { expect } from 'chai';
import { dueDate, invoiceNumber, invoiceYear } from '../../src/trade/invoice-number.ts';

describe('invoice number', () => {
  it('has 5 digits at least', () => {
    const numbers = [1, 99_999, 100_000].map((count) => invoiceNumber('F-', 2026, count));

    expect(numbers).to.deep.equal(['F-202600001', 'F-202699999', 'F-2026100000']);
  });

  it('takes the year of the owner, not of UTC', () => {
    const newYear = new Date('2025-12-31T23:30:00Z');

    expect(invoiceYear(newYear, 'Europe/Amsterdam')).to.equal(2026);
    expect(invoiceYear(newYear, 'UTC')).to.equal(2025);
  });

  it('is not made from a time zone that does not exist', () => {
    const year = () => invoiceYear(new Date(), 'Europe/Utrecht');

    expect(year).to.throw(RangeError, 'Europe/Utrecht');
  });
});

describe('due date', () => {
  it('is so many days later', () => {
    const due = dueDate(new Date('2026-02-20T10:00:00Z'), 14);

    expect(due).to.deep.equal(new Date('2026-03-06T10:00:00Z'));
  });

  it('keeps the time of day when summer time ends', () => {
    const justAfterMidnight = new Date('2026-10-20T22:15:00Z');

    const due = dueDate(justAfterMidnight, 14, 'Europe/Amsterdam');

    expect(due).to.deep.equal(new Date('2026-11-03T23:15:00Z'));
  });
});
