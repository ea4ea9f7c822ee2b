// The journal as GLTransactions of Exact's XML ("eExact"). An amount above 0 is debit. VAT is posted by its own lines.
// The order of the elements is that of eExact-XML.xsd, the schema of Exact Online: DueDate stands behind Description.
import { methodOf, methodRow } from '../../core/trade/kinds/payment-method.ts';
import { euros } from '../../core/trade/totals.ts';
import type { BookedLine } from './booked-line.ts';
import type { Entry } from './entries.ts';
import { MARGIN } from './journals.ts';
import { transactionXml } from './transaction-xml.ts';

const HEAD = `<?xml version="1.0" encoding="UTF-8"?>
<eExact xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="eExact-XML.xsd">
<GLTransactions>
`;

/** The journals of a new administration of Exact. payment-method.ts has those of payments. */
const CODES = { purchases: '60', sales: '70', general: '90' };
/** The status of an open line: the bookkeeper can still change the line. */
const OPEN = '20';

export const exactJournal = transactionXml({
  head: HEAD,
  foot: '</GLTransactions>\n</eExact>\n',
  element: 'GLTransaction',
  content: (entry, lines) => ({
    Journal: { '@code': codeOf(entry) },
    Date: entry.date,
    ...period(entry.date),
    Description: lines[0]?.description,
    GLTransactionLine: lines.map((line, index) => lineOf(entry, line, index)),
  }),
});

function codeOf({ journal, isPurchase }: Entry): string {
  const method = methodOf(journal);
  if (method !== undefined) return methodRow(method).exact;
  if (journal === MARGIN) return CODES.general;
  return isPurchase ? CODES.purchases : CODES.sales;
}

const lineOf = (
  { date, relation, due_date }: Entry,
  { account, description, debit, credit, number, package_code }: BookedLine,
  index: number,
) => ({
  '@linetype': '0',
  '@line': String(index + 1),
  '@status': OPEN,
  Date: date,
  ...period(date),
  GLAccount: { '@code': account },
  Description: description,
  DueDate: due_date ?? undefined,
  // The name by which Exact's REST API shows the VAT code of a TransactionLine.
  VATCode: package_code,
  Account: relation === null ? undefined : { '@code': relation },
  Amount: { Currency: { '@code': 'EUR' }, Value: euros(debit - credit) },
  References: { YourRef: number },
});

/** Years and months of the calendar. */
function period(date: string) {
  const [year = '', month = ''] = date.split('-');
  return { FinYear: { '@number': year }, FinPeriod: { '@number': String(Number(month)) } };
}
