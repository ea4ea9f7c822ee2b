// The journal of a garage as a bookkeeper gets it: lines of postings, and what they add up to.
import type { Client } from '../client/client.ts';
import { expect } from '../client/expect.ts';
import { type Exported, exported } from '../client/export.ts';

export interface Line {
  readonly date: string;
  readonly journal: string;
  readonly entry: string;
  readonly account: string;
  readonly description: string;
  readonly debit: string;
  readonly credit: string;
  readonly order_id: string;
  readonly invoice_number: string;
  readonly relation: string;
  readonly vat_code: string;
  readonly due_date: string;
  readonly license_plate: string;
}

const HEAD =
  'date,journal,entry,account,description,debit,credit,order_id,invoice_number,relation,vat_code,due_date,license_plate';

/** In cents. */
export const toCents = (amount: unknown): number => Math.round(100 * Number(amount));

export interface Journal extends Exported {
  readonly lines: readonly Line[];
}

/** Asks for a journal and reads its lines. No cell of a test holds a comma. */
export async function journalOf(client: Client, from: string, to: string): Promise<Journal> {
  const made = await exported(client, { resource: 'journal', from, to, format: 'csv' });
  const [head, ...rows] = made.text.split('\r\n').slice(0, -1);
  expect(head).to.equal(HEAD);
  const names = HEAD.split(',');
  const lines = rows.map(
    (row) => Object.fromEntries(row.split(',').map((cell, index) => [names[index], cell])) as unknown as Line,
  );
  return { ...made, lines };
}

/** Debit less credit in cents, by the `key` of each line. */
export function sumsBy(lines: readonly Line[], key: (line: Line) => string): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const line of lines)
    sums[key(line)] = (sums[key(line)] ?? 0) + toCents(line.debit) - toCents(line.credit);
  return sums;
}

/** The lines in the form of hledger's journals, which refuses an entry that does not balance. */
export function hledgerText(lines: readonly Line[]): string {
  const texts = new Map<string, string[]>();
  for (const { date, entry, account, debit, credit } of lines) {
    const text = texts.get(entry) ?? [`${date} ${entry}`];
    texts.set(entry, text);
    text.push(`    a${account}  EUR ${((toCents(debit) - toCents(credit)) / 100).toFixed(2)}`);
  }
  return `${[...texts.values()].map((text) => text.join('\n')).join('\n\n')}\n`;
}
