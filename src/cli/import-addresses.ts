// The command `forecourt import-addresses`. It fills the table behind /contact/checkaddress, from all lines or none.
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Session } from '../core/model/statements/session.ts';
import { isExactDutchPostcode, normaliseDutchPostcode } from '../core/trade/identity/postcode.ts';
import { command } from './command.ts';

const COLUMNS = ['postcode', 'huisnummer', 'toevoeging', 'street', 'city'] as const;
const HEADER = COLUMNS.join(',');
/** Largest number of characters. */
const MOST = { toevoeging: 10, street: 100, city: 80 };
const BATCH = 1_000;
/** Node decodes invalid UTF-8 to this character. */
const NO_CHARACTER = '\uFFFD';

interface Line {
  postcode: string;
  huisnummer: number;
  toevoeging: string;
  street: string;
  city: string;
}

export const importAddresses = command({
  words: 'import-addresses <file>',
  summary: `Read addresses from a CSV file with the header ${HEADER}`,
  example: 'import-addresses addresses.csv',
  handlesAbort: true,
  run: async ({ database }, _options, [file = ''], { signal }) => {
    const addresses = await database.transaction((session) => importFile(session, file, signal));
    return { json: { addresses }, text: `${addresses} addresses were read.` };
  },
});

/** Throws, so that the transaction is undone, if the command is interrupted. */
async function importFile(session: Session, file: string, signal: AbortSignal): Promise<number> {
  const { insertInPortions } = await import('../core/model/statements/insert-many.ts');
  const { Address } = await import('../core/resources/address.ts');
  let line = 0;
  let done = 0;
  let batch: Line[] = [];
  const write = async () => {
    await insertInPortions(session, Address.tableName, batch, 'replace');
    done += batch.length;
    batch = [];
  };
  const input = createReadStream(file, 'utf8');
  await once(input, 'open');
  for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    signal.throwIfAborted();
    line += 1;
    if (text.includes(NO_CHARACTER)) throw new Error(`line ${line} is not UTF-8`);
    if (line === 1) requireHeader(file, text);
    else if (text.trim() !== '') batch.push(parse(text, line));
    if (batch.length === BATCH) await write();
  }
  if (line === 0) requireHeader(file, '');
  await write();
  signal.throwIfAborted();
  return done;
}

function requireHeader(file: string, text: string): void {
  if (text.replace(/^\uFEFF/, '').trim() !== HEADER)
    throw new Error(`${file} must begin with the line ${HEADER}`);
}

const isFilled = (cell: string, most: number) => cell !== '' && Array.from(cell).length <= most;

function parse(text: string, line: number): Line {
  const cells = [...text.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))(?=,|$)/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
  );
  const [code = '', number = '', toevoeging = '', street = '', city = ''] = cells.map((cell) => cell.trim());
  const postcode = normaliseDutchPostcode(code) ?? '';
  const fits =
    cells.length === 5 &&
    isExactDutchPostcode(postcode) &&
    /^\d{1,9}$/.test(number) &&
    toevoeging.length <= MOST.toevoeging &&
    isFilled(street, MOST.street) &&
    isFilled(city, MOST.city);
  if (!fits) throw new Error(`line ${line} is not an address: ${text.slice(0, 80)}`);
  return { postcode, huisnummer: Number(number), toevoeging: toevoeging.toUpperCase(), street, city };
}
