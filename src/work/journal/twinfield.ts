// The journal as journal transactions of Twinfield: provisional entries of the day book MEMO. They have detail lines
// only, and VAT has its own lines. Twinfield's pages about transactions name `duedate` in the header, and `vatcode` on
// the lines.
import { type BookedLine, sideOf } from './booked-line.ts';
import type { Entry } from './entries.ts';
import { transactionXml } from './transaction-xml.ts';

const DAY_BOOK = 'MEMO';
/** Twinfield accepts descriptions of at most this length. */
const LONGEST_DESCRIPTION = 40;

export const twinfieldJournal = transactionXml({
  head: '<?xml version="1.0" encoding="UTF-8"?>\n<transactions>\n',
  foot: '</transactions>\n',
  element: 'transaction',
  content: (entry, lines) => ({
    '@destiny': 'temporary',
    header: {
      code: DAY_BOOK,
      currency: 'EUR',
      date: plainDay(entry.date),
      duedate: entry.due_date === null ? undefined : plainDay(entry.due_date),
      period: entry.date.slice(0, 'YYYY-MM'.length).replace('-', '/'),
    },
    lines: { line: twoAtLeast(lines).map((line, index) => lineOf(entry, line, index)) },
  }),
});

/** `2026-05-31` → `20260531`. */
const plainDay = (day: string): string => day.replaceAll('-', '');

/** A transaction needs at least two lines. An invoice of 0 has one line, which is then written twice. */
const twoAtLeast = (lines: readonly BookedLine[]): readonly BookedLine[] =>
  lines.length === 1 ? [...lines, ...lines] : lines;

function lineOf({ relation }: Entry, line: BookedLine, index: number) {
  const { side, amount } = sideOf(line);
  return {
    '@type': 'detail',
    '@id': String(index + 1),
    dim1: line.account,
    // The second dimension of other accounts is a cost centre.
    dim2: line.isParty ? (relation ?? undefined) : undefined,
    value: amount,
    debitcredit: side === 'D' ? 'debit' : 'credit',
    description: line.description.slice(0, LONGEST_DESCRIPTION),
    vatcode: line.package_code,
    invoicenumber: line.isParty ? line.number : undefined,
  };
}
