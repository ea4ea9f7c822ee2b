// Readers of the journal's other formats. Each reads its file in its own way, and gives lines that can be summed up.
import { fileURLToPath } from 'node:url';
import { XmlDocument, type XmlElement, XsdValidator } from 'libxml2-wasm';
import { expect } from '../client/expect.ts';
import { toCents } from './journal.ts';

/** The schema of the tax office. */
export const AUDITFILE_SCHEMA = fileURLToPath(
  new URL('../../../../test/work/journal/xaf/XmlAuditfileFinancieel4.0.xsd', import.meta.url),
);

export interface FileLine {
  readonly entry: string;
  readonly date: string;
  readonly account: string;
  /** In cents, debit above 0. */
  readonly amount: number;
  readonly description: string;
  readonly number: string;
  readonly relation: string;
}

/** The cells of a CSV with `;`. */
export const cellsOf = (text: string): string[][] =>
  text
    .split('\r\n')
    .slice(0, -1)
    .map((row) =>
      [...row.matchAll(/(?:^|;)(?:"((?:[^"]|"")*)"|([^";]*))/g)].map(([, quoted, plain]) =>
        quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'),
      ),
    );

/** `1210,50` in cents. */
export const dutchCents = (text: string): number => {
  expect(text).to.match(/^\d+,\d\d$/);
  return toCents(text.replace(',', '.'));
};

/** `31-05-2026` → `2026-05-31`. */
export const fromDutch = (text: string): string => {
  expect(text).to.match(/^\d\d-\d\d-\d{4}$/);
  return text.split('-').reverse().join('-');
};

export function readSnelstart(text: string): (FileLine & { readonly journal: string })[] {
  const [head, ...rows] = cellsOf(text);
  expect(head?.join(';')).to.equal(
    'fldDagboek;fldBoekingcode;fldDatum;fldGrootboeknummer;fldDebet;fldCredit;fldOmschrijving;fldRelatiecode;fldFactuurnummer',
  );
  return rows.map((cells) => {
    expect(cells).to.have.length(9);
    const [journal = '', entry = '', day = '', account = '', debit = '', credit = '', ...texts] = cells;
    const [description = '', relation = '', number = ''] = texts;
    const amount = dutchCents(debit) - dutchCents(credit);
    return { journal, entry, date: fromDutch(day), account, amount, description, number, relation };
  });
}

/** Reads XML by XPaths from its root. */
function readXml<T>(text: string, read: (root: XmlElement) => T): T {
  const document = XmlDocument.fromString(text);
  try {
    return read(document.root);
  } finally {
    document.dispose();
  }
}

type Names = Readonly<Record<string, string>>;

const all = (node: XmlElement, path: string, names: Names = {}): XmlElement[] =>
  node.find(path, names) as XmlElement[];
const textAt = (node: XmlElement, path: string, names: Names = {}): string =>
  node.get(path, names)?.content ?? '';

/** The texts of the elements at an XPath without namespaces, or their names. */
export const textsIn = (text: string, path: string, what: 'texts' | 'names' = 'texts'): string[] =>
  readXml(text, (root) => all(root, path).map(({ name, content }) => (what === 'names' ? name : content)));

export const readExact = (text: string): FileLine[] =>
  readXml(text, (root) =>
    all(root, '/eExact/GLTransactions/GLTransaction').flatMap((transaction, index) =>
      all(transaction, 'GLTransactionLine').map((line) => ({
        entry: String(index),
        date: textAt(line, 'Date'),
        account: textAt(line, 'GLAccount/@code'),
        amount: toCents(textAt(line, 'Amount/Value')),
        description: textAt(line, 'Description'),
        number: textAt(line, 'References/YourRef'),
        relation: textAt(line, 'Account/@code'),
      })),
    ),
  );

export const readTwinfield = (text: string): FileLine[] =>
  readXml(text, (root) =>
    all(root, '/transactions/transaction').flatMap((transaction, index) => {
      const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)$/.exec(textAt(transaction, 'header/date')) ?? [];
      expect(textAt(transaction, 'header/period')).to.equal(`${year}/${month}`);
      expect(all(transaction, 'lines/line')).to.have.length.above(1);
      return all(transaction, 'lines/line').map((line) => ({
        entry: String(index),
        date: `${year}-${month}-${day}`,
        account: textAt(line, 'dim1'),
        amount: (textAt(line, 'debitcredit') === 'debit' ? 1 : -1) * toCents(textAt(line, 'value')),
        description: textAt(line, 'description'),
        number: textAt(line, 'invoicenumber'),
        relation: textAt(line, 'dim2'),
      }));
    }),
  );

const XAF = {
  x: 'http://www.odb.belastingdienst.nl/Belastingdienst/BCPP/1.1/structures/XmlauditfileXAF_4.0',
};

interface Auditfile {
  readonly lines: readonly FileLine[];
  readonly linesCount: number;
  /** In cents. */
  readonly totalDebit: number;
  readonly totalCredit: number;
  readonly accounts: readonly string[];
  readonly relations: readonly string[];
  readonly journals: readonly string[];
  readonly periods: readonly string[];
}

/** Validates the file with the schema of the tax office first. */
export function readXaf(text: string, schema: string): Auditfile {
  const xsd = XmlDocument.fromString(schema);
  const validator = XsdValidator.fromDoc(xsd);
  const document = XmlDocument.fromString(text);
  try {
    validator.validate(document);
    const { root } = document;
    const texts = (path: string) => all(root, path, XAF).map(({ content }) => content);
    const at = (path: string) => textAt(root, path, XAF);
    return {
      lines: all(root, '//x:transaction', XAF).flatMap((transaction) =>
        all(transaction, 'x:trLine', XAF).map((line) => {
          const of = (name: string) => textAt(line, `x:${name}`, XAF);
          return {
            entry: textAt(transaction, 'x:nr', XAF),
            date: textAt(transaction, 'x:trDt', XAF),
            account: of('accID'),
            amount: (of('amntTp') === 'D' ? 1 : -1) * toCents(of('amnt')),
            description: of('desc'),
            number: of('invRef'),
            relation: of('custSupID'),
          };
        }),
      ),
      linesCount: Number(at('//x:transactions/x:linesCount')),
      totalDebit: toCents(at('//x:transactions/x:totalDebit')),
      totalCredit: toCents(at('//x:transactions/x:totalCredit')),
      accounts: texts('//x:ledgerAccount/x:accID'),
      relations: texts('//x:customerSupplier/x:custSupID'),
      journals: texts('//x:journal/x:jrnID'),
      periods: texts('//x:period/x:periodNumber'),
    };
  } finally {
    document.dispose();
    validator.dispose();
    xsd.dispose();
  }
}
