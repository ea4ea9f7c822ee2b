// Which employees may log in: the ones who are neither blocked, archived nor past their end_date. External employees
// are refused separately, because the specification has a text of its own for them.
import type { AnyQueryBuilder } from 'objection';
import type { EmployeeRow } from '../../core/resources/employee.ts';
import { databaseNow } from '../../core/trade/time/timestamp.ts';

/** For `modify`: keeps the employees of the query's table (or its alias) who may log in. */
export function fit(query: AnyQueryBuilder, table: string): void {
  query
    .where(`${table}.is_blocked`, 0)
    .where(`${table}.is_archived`, 0)
    .where((ends) => {
      ends.whereNull(`${table}.end_date`).orWhere(`${table}.end_date`, '>', databaseNow());
    });
}

export const isFit = ({
  is_blocked,
  is_archived,
  end_date,
}: Pick<EmployeeRow, 'is_blocked' | 'is_archived' | 'end_date'>): boolean =>
  is_blocked !== 1 && is_archived !== 1 && (end_date == null || end_date > databaseNow());
