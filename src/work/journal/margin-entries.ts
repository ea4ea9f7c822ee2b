// The entries of the journal `margin`: the VAT of margins that count over periods belongs to no single sale, so one
// entry on the last day of each period takes it out of the turnover.
import { readMarginRun } from '../../business/books/margin-run.ts';
import { regimesIn } from '../../business/books/period.ts';
import { type MarginToBook, marginPostings } from '../../core/trade/posting.ts';
import { endOf } from '../../core/trade/time/day.ts';
import { yearOf } from '../../core/trade/vat-period.ts';
import { isGlobal } from '../../core/trade/vat-regime.ts';
import type { Entry } from './entries.ts';
import { MARGIN } from './journals.ts';
import type { Scope } from './scope.ts';

/**
 * Whether margins count over periods on days that entries of the journal may be about. A year that ends in the days of
 * the journal is settled as a whole, also if its last periods have another method.
 */
export function countsOverPeriods(scope: Pick<Scope, 'regimes' | 'period'>): boolean {
  const { from, to } = scope.period;
  const year = yearOf(from);
  const days = { from: to >= `${year}-12-31` ? `${year}-01-01` : from, to };
  return regimesIn(scope, days).some(isGlobal);
}

/** The VAT of the margins of the periods and years that end in the period of the journal. */
export async function readMarginsToBook(scope: Scope): Promise<MarginToBook[]> {
  const { journals, period, company } = scope;
  if (!company || !journals.has(MARGIN) || !countsOverPeriods(scope)) return [];
  const { periods, years } = await readMarginRun({ ...scope, company });
  const byDay = new Map<string, MarginToBook>();
  for (const { from, to, vat } of periods) byDay.set(to, { from, to, vat, settlement: 0n });
  for (const [name, { settlement }] of years) {
    const to = `${name}-12-31`;
    byDay.set(to, { ...(byDay.get(to) ?? { from: `${name}-01-01`, to, vat: 0n }), settlement });
  }
  return [...byDay.values()]
    .filter(
      ({ to, vat, settlement }) => to >= period.from && to <= period.to && (vat > 0n || settlement > 0n),
    )
    .sort((one, other) => (one.to < other.to ? -1 : 1));
}

export function* marginEntries({ journals, margins, period: { timezone } }: Scope): Generator<Entry> {
  if (!journals.has(MARGIN)) return;
  for (const margin of margins)
    yield {
      at: endOf(margin.to, timezone),
      date: margin.to,
      journal: MARGIN,
      entry: `margin/${margin.to}`,
      order_id: null,
      invoice_number: null,
      number: `margin/${margin.to}`,
      credited: undefined,
      relation: null,
      isPurchase: false,
      due_date: null,
      rate_day: margin.to,
      postings: marginPostings(margin),
      plateOf: () => null,
    };
}
