// The ledger accounts of a garage.
import type { Row } from '../model/field.ts';
import { columnsWithoutBytes } from '../model/record.ts';
import { modelNamed, resourceNamed } from '../model/registry.ts';
import type { Session } from '../model/session.ts';
import type { AccountField } from '../trade/posting.ts';

const OF_GROUPS = ['ledger_account', 'cost_ledger_account'];

export interface Ledger {
  /** Undefined where the field is empty. */
  account(field: AccountField): string | undefined;
  /** The turnover groups that lack one of their accounts. */
  readonly incomplete: readonly number[];
}

export async function readLedger({ knex }: Session, owner: number): Promise<Ledger> {
  const self = resourceNamed('owner');
  const garage = await self.model.query(knex).select(columnsWithoutBytes(self)).findById(owner);
  const groups = await modelNamed('turnovergroup')
    .query(knex)
    .select('id', ...OF_GROUPS)
    .modify('owned', owner);
  const byId = new Map(groups.map((group): [unknown, Row] => [group.id, group]));
  const read = (record: Row | undefined, field: string) => String(record?.[field] ?? '').trim();
  return {
    account: ({ group, field }) => read(group === undefined ? garage : byId.get(group), field) || undefined,
    incomplete: groups
      .filter((group) => OF_GROUPS.some((field) => read(group, field) === ''))
      .map(({ id }) => Number(id)),
  };
}
