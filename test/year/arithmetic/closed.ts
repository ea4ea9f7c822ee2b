// What the books tell about closed days stays the same, whatever happens later.
import type { Json } from '../../support/client/client.ts';
import type { Desk } from '../desk.ts';
import type { Books } from './books.ts';
import { dayIn, quarterOf } from './exact.ts';
import { FIRST_DAY, journalOf, type Posting } from './ledger.ts';

/** Names, accounts of relations and plates are today's; the rest is closed. */
const KEPT = ['date', 'journal', 'entry', 'account', 'debit', 'credit', 'order_id', 'invoice_number'];

/** Remembers what the books tell about the days that were just closed. A request before the close may be among them. */
export async function rememberClosed(desk: Desk, closed: string): Promise<void> {
  const told = await toldOf(desk, closed, await journalOf(desk, FIRST_DAY, closed));
  desk.note('owner', desk.all('owner')[0] ?? 0, { closed, told });
}

/** Compares with what the books told when the days were closed. */
export async function closedFaults(
  desk: Desk,
  { owner }: Books,
  postings: readonly Posting[],
): Promise<string[]> {
  const { closed, told } = desk.facts('owner', desk.all('owner')[0] ?? 0);
  // Two closes at once: the last one counts, and may have opened days again.
  if (typeof closed !== 'string' || !String(owner.books_closed_until).startsWith(closed)) return [];
  const before = told as readonly string[];
  const now = await toldOf(desk, closed, postings);
  const [came, went] = [
    now.filter((line) => !before.includes(line)),
    before.filter((line) => !now.includes(line)),
  ];
  return came.length + went.length === 0 && now.length === before.length
    ? []
    : [`the books up to the closed ${closed} have got ${came.join(' | ')}, and lost ${went.join(' | ')}`];
}

/** The journal of the closed days, the debts at their end, and VAT return and ICP of the last closed quarter. */
async function toldOf(desk: Desk, closed: string, postings: readonly Posting[]): Promise<string[]> {
  const days = postings.filter(({ date = '' }) => date <= closed);
  const debts: Json[] = [await desk.read(`/debtor?at=${closed}`)].flat();
  const [from, to] = lastQuarter(closed);
  const { warnings: _, ...boxes } = await desk.read(`/vatreturn?from=${from}&to=${to}`);
  return [
    ...days.map((posting) => KEPT.map((name) => posting[name]).join(' ')),
    ...debts.map(({ name: _, ...debt }) => `debt ${JSON.stringify(debt)}`),
    ...Object.entries(boxes).map(([name, box]) => `${name} ${JSON.stringify(box)}`),
    `ICP ${JSON.stringify(await desk.read(`/icp?from=${from}&to=${to}`))}`,
  ];
}

/** The last whole quarter up to a day. */
function lastQuarter(day: string): [from: string, to: string] {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  // The day after begins a quarter if the day ends one.
  return quarterOf(dayIn(year, month - 1, date + 1), 1);
}
