// The ledger accounts of a garage.

import type { Row } from '../model/field.ts';
import { columnsWithoutBytes } from '../model/record.ts';
import type { Session } from '../model/session.ts';
import { Owner } from '../resources/owner.ts';
import { TurnoverGroup } from '../resources/turnover-group.ts';
import type { AccountField } from '../trade/posting.ts';

const OF_GROUPS = ['ledger_account', 'cost_ledger_account'] as const;

export interface Ledger {
  /** Undefined where the field is empty. */
  account(field: AccountField): string | undefined;
  /** The turnover groups that lack one of their accounts. */
  readonly incomplete: readonly number[];
}

export async function readLedger(session: Session, owner: number): Promise<Ledger> {
  const garage = await Owner.of(session, owner).select(columnsWithoutBytes(Owner.resource)).first();
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
