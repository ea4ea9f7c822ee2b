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

/** The parts of an answer that may change: names, accounts and relation numbers are those of today. */
const OF_TODAY = ['name', 'account', 'relation', 'description'];

const withoutToday = (row: object): Json =>
  Object.fromEntries(Object.entries(row).filter(([field]) => !OF_TODAY.includes(field)));

/** Journal, VAT return, its lines, ICP and debtors of closed days, without the parts that are those of today. */
export async function closedBooks(client: Client, from: string, to: string): Promise<Json> {
  const ask = async (path: string) => {
    const answer = await client.get(path);
    expect(answer.status, `${path}: ${answer.text}`).to.equal(200);
    return answer.data;
  };
  const days = `from=${from}&to=${to}`;
  const { warnings, ...boxes } = await ask(`/vatreturn?${days}`);
  const lines: Json = {};
  for (const box of Object.keys(boxes).filter((name) => name !== 'margin'))
    lines[box] = await ask(`/vatreturn/lines?box=${box}&${days}&page_size=1000`);
  return {
    boxes,
    lines,
    icp: await ask(`/icp?${days}`),
    debtors: (await ask(`/debtor?at=${to}`)).map(withoutToday),
    journal: (await journalOf(client, from, to)).lines.map(withoutToday),
  };
}
