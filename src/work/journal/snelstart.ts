// The journal as SnelStart 12 imports bookings ("Boekingen importeren"): its names of columns, days as DD-MM-YYYY, a
// decimal comma, UTF-8 without BOM. All lines of one entry have the same `fldBoekingcode`.
import { disarmed } from '../../core/trade/formula.ts';
import { methodOf } from '../../core/trade/kinds/payment-method.ts';
import { accountOf, MARGIN_VAT, partyAccount } from '../../core/trade/posting.ts';
import { csvLines } from '../../platform/zip/csv-lines.ts';
import { dutchAmount, dutchDay, linesOf } from './booked-line.ts';
import { type Entry, readEntries } from './entries.ts';
import type { JournalForm } from './form.ts';
import { MARGIN, PURCHASES, SALES } from './journals.ts';
import type { Scope } from './scope.ts';

const COLUMNS = [
  'fldDagboek',
  'fldBoekingcode',
  'fldDatum',
  'fldGrootboeknummer',
  'fldDebet',
  'fldCredit',
  'fldOmschrijving',
  'fldRelatiecode',
  'fldFactuurnummer',
];
const DELIMITER = ';';

export async function* snelstartJournal(
  scope: Scope,
  { raw }: JournalForm,
  count: (entry: Entry) => void,
): AsyncGenerator<string> {
  const { ledger } = scope;
  const text = (cell: string) => (raw === 1 ? cell : disarmed(cell));
  let code = 0;
  yield csvLines([COLUMNS], DELIMITER);
  for await (const entry of readEntries(scope)) {
    count(entry);
    code += 1;
    const { date, relation } = entry;
    const journal = text(ledger.account(journalAccount(entry)) ?? '');
    const records = linesOf(entry, ledger).map(({ account, debit, credit, description, number }) => [
      journal,
      String(code),
      dutchDay(date),
      text(account),
      dutchAmount(debit),
      dutchAmount(credit),
      text(description),
      text(relation ?? ''),
      text(number),
    ]);
    yield csvLines(records, DELIMITER);
  }
}

/** In SnelStart a journal has the number of its ledger account. */
function journalAccount({ journal, isPurchase }: Entry) {
  if (journal === SALES || journal === PURCHASES) return partyAccount(isPurchase);
  if (journal === MARGIN) return MARGIN_VAT;
  const method = methodOf(journal);
  return method === undefined ? partyAccount(isPurchase) : accountOf(method, isPurchase);
}
