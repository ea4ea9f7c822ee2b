// The journal as GLTransactions of Exact's XML ("eExact"). An amount above 0 is debit. VAT is posted by its own lines.
import { elementText } from '../documents/einvoice/xml.ts';
import { euros } from '../trade/totals.ts';
import { type BookedLine, linesOf } from './booked-line.ts';
import { type Entry, readEntries } from './entries.ts';
import type { JournalForm } from './form.ts';
import type { Scope } from './scope.ts';

const HEAD = `<?xml version="1.0" encoding="UTF-8"?>
<eExact xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="eExact-XML.xsd">
<GLTransactions>
`;
const FOOT = '</GLTransactions>\n</eExact>\n';

/** The journals that a new administration of Exact has: cash, bank, purchases, sales and general. */
const CODES: Readonly<Record<string, string>> = { cash: '10', purchases: '60', sales: '70', offset: '90' };
const BANK = '20';
/** The status of a line that is open, so that the bookkeeper can still change it. */
const OPEN = '20';

export async function* exactJournal(
  scope: Scope,
  _form: JournalForm,
  count: (entry: Entry) => void,
): AsyncGenerator<string> {
  yield HEAD;
  for await (const entry of readEntries(scope)) {
    count(entry);
    const { date, journal } = entry;
    const lines = linesOf(entry, scope.ledger);
    const transaction = elementText('GLTransaction', {
      Journal: { '@code': CODES[journal] ?? BANK },
      Date: date,
      ...period(date),
      Description: lines[0]?.description,
      GLTransactionLine: lines.map((line, index) => lineOf(entry, line, index)),
    });
    yield `${transaction}\n`;
  }
  yield FOOT;
}

const lineOf = (
  { date, relation, number }: Entry,
  { account, description, debit, credit }: BookedLine,
  index: number,
) => ({
  '@linetype': '0',
  '@line': String(index + 1),
  '@status': OPEN,
  Date: date,
  ...period(date),
  GLAccount: { '@code': account },
  Description: description,
  Account: { '@code': relation },
  Amount: { Currency: { '@code': 'EUR' }, Value: euros(debit - credit) },
  References: { YourRef: number },
});

/** Years and months of the calendar. */
function period(date: string) {
  const [year = '', month = ''] = date.split('-');
  return { FinYear: { '@number': year }, FinPeriod: { '@number': String(Number(month)) } };
}
