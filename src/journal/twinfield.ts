// The journal as journal transactions of Twinfield: provisional entries of the day book MEMO, with detail lines alone. Their VAT
// is posted by its own lines.
import { elementText } from '../documents/einvoice/xml.ts';
import { type BookedLine, linesOf, sideOf } from './booked-line.ts';
import { type Entry, readEntries } from './entries.ts';
import type { JournalForm } from './form.ts';
import type { Scope } from './scope.ts';

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<transactions>\n';
const FOOT = '</transactions>\n';
const DAY_BOOK = 'MEMO';
/** Twinfield takes descriptions of this length. */
const LONGEST_DESCRIPTION = 40;

export async function* twinfieldJournal(
  scope: Scope,
  _form: JournalForm,
  count: (entry: Entry) => void,
): AsyncGenerator<string> {
  yield HEAD;
  for await (const entry of readEntries(scope)) {
    count(entry);
    const { date } = entry;
    const transaction = elementText('transaction', {
      '@destiny': 'temporary',
      header: {
        code: DAY_BOOK,
        currency: 'EUR',
        date: date.replaceAll('-', ''),
        period: date.slice(0, 'YYYY-MM'.length).replace('-', '/'),
      },
      lines: {
        line: twoAtLeast(linesOf(entry, scope.ledger)).map((line, index) => lineOf(entry, line, index)),
      },
    });
    yield `${transaction}\n`;
  }
  yield FOOT;
}

/** A transaction has two lines at least. An invoice of 0 has one, which then stands there twice. */
const twoAtLeast = (lines: readonly BookedLine[]): readonly BookedLine[] =>
  lines.length === 1 ? [...lines, ...lines] : lines;

function lineOf({ relation, number }: Entry, line: BookedLine, index: number) {
  const { side, amount } = sideOf(line);
  return {
    '@type': 'detail',
    '@id': String(index + 1),
    dim1: line.account,
    // Other accounts have a cost centre as their second dimension.
    dim2: line.isParty ? relation : undefined,
    value: amount,
    debitcredit: side === 'D' ? 'debit' : 'credit',
    description: line.description.slice(0, LONGEST_DESCRIPTION),
    invoicenumber: line.isParty ? number : undefined,
  };
}
