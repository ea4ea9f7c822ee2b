// The parts of an Auditfile that stand before the transactions but are computed from them.
import { readEntries } from './entries.ts';
import type { Scope } from './scope.ts';

interface Overview {
  lines: number;
  debit: bigint;
  credit: bigint;
  readonly journals: Set<string>;
  /** `YYYY-MM`. */
  readonly months: Set<string>;
  readonly codes: Set<number>;
  /** Customer, supplier or both, by number. */
  readonly relations: Map<string, 'C' | 'S' | 'B'>;
}

export async function readOverview(scope: Scope): Promise<Overview> {
  const overview: Overview = {
    lines: 0,
    debit: 0n,
    credit: 0n,
    journals: new Set(),
    months: new Set(),
    codes: new Set(),
    relations: new Map(),
  };
  for await (const entry of readEntries(scope)) {
    const { journal, date, relation, isPurchase, postings } = entry;
    overview.journals.add(journal);
    overview.months.add(monthOf(date));
    const kind = isPurchase ? 'S' : 'C';
    if (relation !== null) {
      const before = overview.relations.get(relation) ?? kind;
      overview.relations.set(relation, before === kind ? kind : 'B');
    }
    for (const { amount, vat_code } of postings) {
      overview.lines += 1;
      if (amount > 0n) overview.debit += amount;
      else overview.credit -= amount;
      if (vat_code !== null) overview.codes.add(vat_code);
    }
  }
  return overview;
}

export const monthOf = (day: string): string => day.slice(0, 'YYYY-MM'.length);
