// Writes a journal in XML: a head, one element for each entry, and a foot.
import { type Children, elementText } from '../documents/einvoice/xml.ts';
import { type BookedLine, linesOf } from './booked-line.ts';
import { type Entry, readEntries } from './entries.ts';
import type { WriteJournal } from './form.ts';

interface TransactionXml {
  readonly head: string;
  readonly foot: string;
  /** The name of the element for an entry. */
  readonly element: string;
  readonly content: (entry: Entry, lines: readonly BookedLine[]) => Children;
}

export const transactionXml = ({ head, foot, element, content }: TransactionXml): WriteJournal =>
  async function* (scope, _form, count) {
    yield head;
    for await (const entry of readEntries(scope)) {
      count(entry);
      yield `${elementText(element, content(entry, linesOf(entry, scope.ledger)))}\n`;
    }
    yield foot;
  };
