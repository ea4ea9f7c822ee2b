// Closing the books of a garage, and what its bookkeeper gets of the closed days.
import type { Answer, Client, Json } from '../client/client.ts';
import { expect } from '../client/expect.ts';
import { journalOf } from './journal.ts';

export const PERIOD_CLOSED = '[period] is [closed], cannot add/update/delete';

/** Asks to close the books until a day or an instant; null opens them. */
export const askToClose = (client: Client, books_closed_until: string | null): Promise<Answer> =>
  client.put(`/owner/${client.garage.owner}`, { books_closed_until });

export async function close(client: Client, until: string | null): Promise<void> {
  const answer = await askToClose(client, until);
  expect(answer.status, answer.text).to.equal(200);
}

/** 5a adds up all boxes but 5b. */
const BOXES = ['5a', '5b'];

/** The parts of an answer that may change: names, accounts and relation numbers are those of today. */
const OF_TODAY = ['name', 'account', 'relation', 'description'];

const withoutToday = (row: object): Json =>
  Object.fromEntries(Object.entries(row).filter(([field]) => !OF_TODAY.includes(field)));

export interface Closed {
  readonly boxes: Json;
  readonly lines: Json;
  readonly icp: readonly Json[];
  readonly debtors: readonly Json[];
}

/** VAT return, its lines, ICP and debtors of closed days, without the parts that are those of today. */
export async function closedBooks(client: Client, from: string, to: string): Promise<Closed> {
  const ask = async (path: string) => {
    const answer = await client.get(path);
    expect(answer.status, `${path}: ${answer.text}`).to.equal(200);
    return answer.data;
  };
  const days = `from=${from}&to=${to}`;
  const { warnings, ...boxes } = await ask(`/vatreturn?${days}`);
  const lines: Json = {};
  for (const box of BOXES) lines[box] = await ask(`/vatreturn/lines?box=${box}&${days}&page_size=1000`);
  return {
    boxes,
    lines,
    icp: await ask(`/icp?${days}`),
    // The list is in the order of today's names.
    debtors: (await ask(`/debtor?at=${to}`)).map(withoutToday).sort(byContact),
  };
}

const byContact = (one: Json, other: Json) => Number(one.contact_id) - Number(other.contact_id);

/** The postings of closed days, without the parts that are those of today. */
export const closedJournal = async (client: Client, from: string, to: string): Promise<readonly Json[]> =>
  (await journalOf(client, from, to)).lines.map(withoutToday);
