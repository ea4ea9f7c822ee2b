// The journal as the Auditfile of the Dutch tax office ("XML Auditfile Financieel", XAF 4.0). The file begins with
// totals, relations and accounts. So the entries are read twice in one snapshot: first for this beginning, then journal
// by journal.
import manifest from '../../../package.json' with { type: 'json' };
import { Country } from '../../core/resources/country.ts';
import { accountKind } from '../../core/trade/kinds/account.ts';
import { methodOf, methodRow } from '../../core/trade/kinds/payment-method.ts';
import { LISTS, nameOf } from '../../core/trade/lists.ts';
import { todayIn } from '../../core/trade/time/day.ts';
import { euros } from '../../core/trade/totals.ts';
import { percentageOn, vatRow } from '../../core/trade/vat-code.ts';
import { yearOf } from '../../core/trade/vat-period.ts';
import { type Children, elementText } from '../documents/einvoice/xml.ts';
import { type BookedLine, linesOf, sideOf } from './booked-line.ts';
import { type Entry, readEntries } from './entries.ts';
import type { JournalForm } from './form.ts';
import { MARGIN, PURCHASES, SALES } from './journals.ts';
import type { Ledger, Scope } from './scope.ts';
import { monthOf, readOverview } from './xaf-overview.ts';

const HEAD = `<?xml version="1.0" encoding="UTF-8"?>
<auditfile xmlns="http://www.odb.belastingdienst.nl/Belastingdienst/BCPP/1.1/structures/XmlauditfileXAF_4.0">
`;
const CURRENCY = 'EUR';
const HOME = 'NL';
const LONGEST = { name: 255, street: 100, number: 15, city: 50, postcode: 10, vatNumber: 30 };

/** The types of journals: of invoices, and of general entries. payment-method.ts has those of payments. */
const TYPES = new Map([
  [SALES, 'S'],
  [PURCHASES, 'P'],
  [MARGIN, 'M'],
]);

function typeOf(journal: string): string | null | undefined {
  const method = methodOf(journal);
  return method === undefined ? TYPES.get(journal) : methodRow(method).auditfile;
}

export async function* xafJournal(
  scope: Scope,
  _form: JournalForm,
  count: (entry: Entry) => void,
): AsyncGenerator<string> {
  const overview = await readOverview(scope);
  yield HEAD;
  yield header(scope);
  yield '<company>\n';
  yield* company(await readCompany(scope));
  yield* list('customersSuppliers', overview.relations, ([custSupID, custSupTp]) =>
    elementText('customerSupplier', { custSupID, custSupTp }),
  );
  const { accounts } = scope.ledger;
  yield* list('generalLedger', byNumber(accounts), (account) =>
    elementText('ledgerAccount', ledgerAccount(account)),
  );
  yield* list('vatCodes', byPackageCode(overview.codes, scope.ledger), (code) =>
    elementText('vatCode', vatCode(code, scope)),
  );
  const periods = periodsOf(scope, overview.months);
  yield* list('periods', periods, ([month, periodNumber]) =>
    elementText('period', { periodNumber, ...daysOf(month) }),
  );
  yield '<transactions>\n';
  const { lines, debit, credit } = overview;
  yield `${elementText('linesCount', { '#': String(lines) })}\n`;
  yield `${elementText('totalDebit', { '#': euros(debit) })}\n`;
  yield `${elementText('totalCredit', { '#': euros(credit) })}\n`;
  for (const journal of [...overview.journals].sort()) {
    yield '<journal>\n';
    yield `${elementText('jrnID', { '#': journal })}\n${elementText('desc', { '#': journal })}\n`;
    const type = typeOf(journal);
    if (type) yield `${elementText('jrnTp', { '#': type })}\n`;
    const numbers = new Map(periods);
    for await (const entry of readEntries({ ...scope, journals: new Set([journal]) })) {
      count(entry);
      yield `${elementText('transaction', transaction(entry, scope.ledger, numbers))}\n`;
    }
    yield '</journal>\n';
  }
  yield '</transactions>\n</company>\n</auditfile>\n';
}

/** An element around a list of others, each on its own line. An empty list writes nothing. */
function* list<T>(name: string, items: Iterable<T>, textOf: (item: T) => string): Generator<string> {
  let isEmpty = true;
  for (const item of items) {
    if (isEmpty) yield `<${name}>\n`;
    isEmpty = false;
    yield `${textOf(item)}\n`;
  }
  if (!isEmpty) yield `</${name}>\n`;
}

function header({ period: { from, to, timezone } }: Scope): string {
  const [first = '', last = ''] = [from, to].map(yearOf);
  const content = {
    fiscalYear: first === last ? first : `${first}-${last}`,
    startDate: from,
    endDate: to,
    curCode: CURRENCY,
    dateCreated: todayIn(timezone),
    softwareDesc: 'Forecourt',
    softwareVersion: manifest.version,
  };
  return `${elementText('header', content)}\n`;
}

async function readCompany({ garage, company }: Scope): Promise<Children> {
  const country = await Country.of(garage).findById(company?.country_id ?? 0);
  const code = country?.code ?? HOME;
  const text = (value: unknown, longest: number) =>
    String(value ?? '')
      .trim()
      .slice(0, longest);
  return {
    Commercenr: company?.kvk_number ?? undefined,
    companyName: text(company?.legal_name?.trim() || company?.name, LONGEST.name),
    taxRegistrationCountry: code,
    taxRegIdent: text(company?.vat_number, LONGEST.vatNumber),
    streetAddress: {
      streetname: text(company?.street, LONGEST.street),
      number: text(company?.huisnummer, LONGEST.number),
      numberExtension: text(company?.toevoeging, LONGEST.number),
      city: text(company?.city, LONGEST.city),
      postalCode: text(company?.postcode, LONGEST.postcode),
      country: code,
    },
  };
}

/** Writes each field as an element of its own, because the lists follow on the same level. */
function* company(fields: Children): Generator<string> {
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    yield `${elementText(name, typeof value === 'string' ? { '#': value } : (value as Children))}\n`;
  }
}

type Account = Ledger['accounts'][number];

/** One account for each number: several fields may name the same account. */
const byNumber = (accounts: readonly Account[]): Account[] => [
  ...new Map([...accounts].reverse().map((account) => [account.number, account])).values(),
];

const ledgerAccount = ({ number, field, name }: Account): Children => ({
  accID: number,
  accDesc: [field.replaceAll('_', ' '), name].filter(Boolean).join(': ').slice(0, LONGEST.name),
  // Profit and loss, or the balance sheet.
  accTp: accountKind(field) === 'result' ? 'P' : 'B',
});

/** One VAT code for each code of the bookkeeping program, which may have one code for several of ours. */
const byPackageCode = (codes: Iterable<number>, { packageCode }: Ledger): Iterable<number> =>
  new Map([...codes].map((code) => [packageCode(code), code])).values();

/** The rate of the last day of the journal. */
function vatCode(code: number, { ledger: { account, packageCode }, period }: Scope): Children {
  return {
    vatID: packageCode(code),
    vatDesc: `${nameOf('vatcodes', code)}, ${percentageOn(code, period.to)} %`,
    vatToPayAccID: account({ field: vatRow(code).account }),
    vatToClaimAccID: account({ field: 'input_vat_account' }),
  };
}

/** The VAT code whose rate a posting of VAT has. Margins, and VAT that the garage itself owes, bear the high rate. */
const rateOf = (code: number): number => (vatRow(code).owed.by === 'seller' ? code : LISTS.vatcodes.HIGH);

/** The VAT of a net stands on a line of its own, so that `vatAmnt` of all lines adds up to the VAT. */
function vatOf(
  { vat_code, package_code, isVat }: BookedLine,
  amount: string,
  { side, day }: { readonly side: string; readonly day: string },
): Children | undefined {
  if (vat_code === null) return undefined;
  return {
    vatID: package_code,
    vatPerc: percentageOn(isVat ? rateOf(vat_code) : vat_code, day),
    vatAmnt: isVat ? amount : euros(0n),
    vatAmntTp: side,
  };
}

/** A month has its number in the calendar. In a journal of several years the months are numbered from 1 on. */
function periodsOf({ period: { from, to } }: Scope, months: ReadonlySet<string>): [string, string][] {
  const isOneYear = yearOf(from) === yearOf(to);
  return [...months]
    .sort()
    .map((month, index) => [month, String(isOneYear ? Number(month.slice(-2)) : index + 1)]);
}

function daysOf(month: string): Children {
  const [year, number] = month.split('-').map(Number);
  // Day 0 of the next month is the last day of this month.
  const last = new Date(Date.UTC(year ?? 0, number ?? 0, 0)).getUTCDate();
  return { startDatePeriod: `${month}-01`, endDatePeriod: `${month}-${String(last).padStart(2, '0')}` };
}

function transaction(entry: Entry, ledger: Ledger, numbers: ReadonlyMap<string, string>): Children {
  const { date, entry: nr } = entry;
  const lines = linesOf(entry, ledger);
  return {
    nr,
    desc: lines[0]?.description,
    periodNumber: numbers.get(monthOf(date)),
    trDt: date,
    trLine: lines.map((line, index) => transactionLine(entry, line, index)),
  };
}

function transactionLine(
  { date, rate_day: day, relation }: Entry,
  line: BookedLine,
  index: number,
): Children {
  const { side, amount } = sideOf(line);
  return {
    nr: String(index + 1),
    accID: line.account,
    docRef: line.number,
    effDate: date,
    desc: line.description,
    amnt: amount,
    amntTp: side,
    custSupID: relation ?? undefined,
    invRef: line.number,
    vat: vatOf(line, amount, { side, day }),
  };
}
