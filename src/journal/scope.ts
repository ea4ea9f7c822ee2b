// What a journal is made of: a period of a garage, whole days on its calendar, and its ledger accounts.
import { DEFAULT_TIMEZONE } from '../invoicing/invoice.ts';
import type { Row } from '../model/field.ts';
import { columnsWithoutBytes } from '../model/record.ts';
import type { Session } from '../model/session.ts';
import { Owner } from '../resources/owner.ts';
import { TurnoverGroup } from '../resources/turnover-group.ts';
import { endOf, startOf } from '../trade/day.ts';
import type { AccountField } from '../trade/posting.ts';

/** Days as `YYYY-MM-DD`, both included. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

export interface Period {
  readonly timezone: string;
  /** The first and the last instant, in the form of the database. */
  readonly first: string;
  readonly last: string;
}

export interface Ledger {
  /** Undefined where the field is empty. */
  account(field: AccountField): string | undefined;
  /** The turnover groups that lack one of their accounts. */
  readonly incomplete: readonly number[];
}

export interface Scope {
  readonly session: Session;
  readonly owner: number;
  readonly period: Period;
  readonly ledger: Ledger;
}

export async function readScope(session: Session, owner: number, { from, to }: Days): Promise<Scope> {
  const garage = await Owner.of(session, owner).select(columnsWithoutBytes(Owner.resource)).first();
  const timezone = String(garage?.timezone ?? DEFAULT_TIMEZONE);
  const period = { timezone, first: startOf(from, timezone), last: endOf(to, timezone) };
  return { session, owner, period, ledger: await readLedger(session, owner, garage) };
}

const OF_GROUPS = ['ledger_account', 'cost_ledger_account'] as const;

async function readLedger(session: Session, owner: number, garage: Owner | undefined): Promise<Ledger> {
  const groups = await TurnoverGroup.of(session, owner).select('id', ...OF_GROUPS);
  const byId = new Map<unknown, TurnoverGroup>(groups.map((group) => [group.id, group]));
  const read = (record: object | undefined, field: string) =>
    String((record as Row | undefined)?.[field] ?? '').trim();
  return {
    account: ({ group, field }) => read(group === undefined ? garage : byId.get(group), field) || undefined,
    incomplete: groups
      .filter((group) => OF_GROUPS.some((field) => read(group, field) === ''))
      .map(({ id }) => Number(id)),
  };
}
