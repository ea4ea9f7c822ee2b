// Invoice numbers, and the dates that depend on the owner's calendar.

import { expect } from 'chai';
import fc from 'fast-check';
import {
  dueDate,
  invoiceNumber,
  invoiceYear,
  readInvoiceNumber,
} from '../../../src/core/trade/invoice-number.ts';

describe('invoice number', () => {
  it('has at least 5 digits', () => {
    const numbers = [1, 99_999, 100_000].map((count) => invoiceNumber('F-', 2026, count));

    expect(numbers).to.deep.equal(['F-202600001', 'F-202699999', 'F-2026100000']);
  });

  it("has the year in the owner's time zone, not in UTC", () => {
    const newYear = new Date('2025-12-31T23:30:00Z');

    expect(invoiceYear(newYear, 'Europe/Amsterdam')).to.equal(2026);
    expect(invoiceYear(newYear, 'UTC')).to.equal(2025);
  });

  it("can't be made with an unknown time zone", () => {
    const year = () => invoiceYear(new Date(), 'Europe/Utrecht');

    expect(year).to.throw(RangeError, 'Europe/Utrecht');
  });
});

describe('the count of an invoice number', () => {
  const count = fc.integer({ min: 1, max: 999_999 });
  const year = fc.integer({ min: 1990, max: 2199 });
  const prefix = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 10 }),
    fc.stringMatching(/^\d{0,10}$/),
    year.map(String),
  );

  it('is read whatever the prefix', () => {
    fc.assert(
      fc.property(prefix, year, count, (prefix, year, count) => {
        const read = readInvoiceNumber(invoiceNumber(prefix, year, count), new Date(Date.UTC(year, 6, 1)));

        expect(read).to.deep.equal({ year, count });
      }),
    );
  });

  it("changes at the owner's new year", () => {
    const newYear = new Date('2025-12-31T23:30:00Z');

    expect(readInvoiceNumber('F202600001', newYear)).to.deep.equal({ year: 2026, count: 1 });
    expect(readInvoiceNumber('F202500077', newYear)).to.deep.equal({ year: 2025, count: 77 });
  });

  it('is undefined in a number of another form', () => {
    for (const number of ['2026-1', 'F20260001', 'F2026000001', 'F2027000012', ''])
      expect(readInvoiceNumber(number, new Date('2026-07-01')), number).to.equal(undefined);
  });
});

describe('due date', () => {
  it('is the given number of days later', () => {
    const due = dueDate(new Date('2026-02-20T10:00:00Z'), 14, 'UTC');

    expect(due).to.deep.equal(new Date('2026-03-06T10:00:00Z'));
  });

  it('keeps the time of day when summer time ends', () => {
    const justAfterMidnight = new Date('2026-10-20T22:15:00Z');

    const due = dueDate(justAfterMidnight, 14, 'Europe/Amsterdam');

    expect(due).to.deep.equal(new Date('2026-11-03T23:15:00Z'));
  });
});
