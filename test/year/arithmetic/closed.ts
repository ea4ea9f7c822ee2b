// The journal of closed days stays the same, whatever happens later.
import type { Desk } from '../desk.ts';
import type { Posting } from './ledger.ts';

/** Names, accounts of relations and plates are today's; the rest is closed. */
const KEPT = ['date', 'journal', 'entry', 'account', 'debit', 'credit', 'order_id', 'invoice_number'];

/** Compares with the journal of the closed days as the first month after the closing showed it. */
export function closedFaults(desk: Desk, postings: readonly Posting[]): string[] {
  const owner = desk.all('owner')[0] ?? 0;
  const { closed, entries } = desk.facts('owner', owner);
  if (typeof closed !== 'string') return [];
  const now = postings
    .filter(({ date = '' }) => date <= closed)
    .map((posting) => KEPT.map((name) => posting[name]).join(' '));
  if (entries === undefined) {
    desk.note('owner', owner, { entries: now });
    return [];
  }
  const before = entries as readonly string[];
  const [came, went] = [
    now.filter((line) => !before.includes(line)),
    before.filter((line) => !now.includes(line)),
  ];
  return came.length + went.length === 0 && now.length === before.length
    ? []
    : [`the journal up to the closed ${closed} has got ${came.join(' | ')}, and lost ${went.join(' | ')}`];
}
