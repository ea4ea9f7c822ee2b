// Finds users: employees, by the name that they log in with.
import type { AnyQueryBuilder } from 'objection';
import { valueFirst } from '../../core/model/statements/fragment.ts';
import type { Garage } from '../../core/model/statements/garage.ts';
import { Employee, type EmployeeRow } from '../../core/resources/employee.ts';
import { usernamesOf } from '../../core/trade/identity/username.ts';

type User = Pick<EmployeeRow, 'username' | 'emailaddress'>;

export const findUser = (garage: Garage, username: string): Promise<User | undefined> =>
  Employee.of(garage)
    .select('username', 'emailaddress')
    .modify(named, 'username', username)
    .first()
    .execute();

/** For `modify`: the employees whose username, in this column, a text may mean; the likelier first. */
export function named(query: AnyQueryBuilder, column: string, username: string): void {
  const forms = usernamesOf(username);
  query.whereIn(column, forms).orderBy(valueFirst(column, forms[0] ?? ''));
}
