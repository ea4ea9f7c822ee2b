// The journal as CSV: for programs, or as a Dutch spreadsheet reads it.
import { disarmed } from '../../core/trade/formula.ts';
import { euros } from '../../core/trade/totals.ts';
import { csvLines } from '../../platform/zip/csv-lines.ts';
import { dutchAmount, dutchDay, linesOf } from './booked-line.ts';
import { type Entry, readEntries } from './entries.ts';
import type { JournalForm } from './form.ts';
import type { Scope } from './scope.ts';

const COLUMNS = [
  'date',
  'journal',
  'entry',
  'account',
  'description',
  'debit',
  'credit',
  'order_id',
  'invoice_number',
  'relation',
  'vat_code',
  'due_date',
  'license_plate',
];

export async function* csvJournal(
  scope: Scope,
  { decimal, raw }: JournalForm,
  count: (entry: Entry) => void,
): AsyncGenerator<string> {
  const isDutch = decimal === ',';
  const [delimiter, day, money] = isDutch
    ? ([';', dutchDay, dutchAmount] as const)
    : ([',', (text: string) => text, euros] as const);
  // A spreadsheet would run a formula.
  const text = (cell: string | null) => (raw === 1 ? (cell ?? '') : disarmed(cell ?? ''));
  yield csvLines([COLUMNS], delimiter);
  for await (const entry of readEntries(scope)) {
    count(entry);
    const { date, journal, entry: name, relation, due_date } = entry;
    const records = linesOf(entry, scope.ledger).map((line) => [
      day(date),
      journal,
      name,
      text(line.account),
      text(line.description),
      money(line.debit),
      money(line.credit),
      line.order_id === null ? '' : String(line.order_id),
      text(line.invoice_number),
      text(relation),
      line.vat_code === null ? '' : String(line.vat_code),
      due_date === null ? '' : day(due_date),
      text(line.license_plate),
    ]);
    yield csvLines(records, delimiter);
  }
}
