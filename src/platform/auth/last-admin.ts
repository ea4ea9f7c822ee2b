// An owner always has an ADMIN who can log in: nobody else can change employees. Changes that take an ADMIN away wait
// for one another, so that two of them at the same time can't take the last two.

import { type Violation, violation } from '../../core/errors.ts';
import { nextNumber } from '../../core/model/records/counter.ts';
import type { Garage } from '../../core/model/statements/garage.ts';
import { Employee, type EmployeeRow } from '../../core/resources/employee.ts';
import { isEmail } from '../../core/trade/identity/identifiers.ts';
import { LISTS } from '../../core/trade/lists.ts';
import { fit, isFit } from './fit.ts';

const { ADMIN } = LISTS.rolekinds;

/** The columns that decide whether an employee can log in as an ADMIN. */
type Login = Pick<
  EmployeeRow,
  | 'role_kind'
  | 'is_external'
  | 'username'
  | 'password_hash'
  | 'emailaddress'
  | 'is_blocked'
  | 'is_archived'
  | 'end_date'
>;

/**
 * Refuses a change or a deletion of the last ADMIN who can log in. `next` is the row after the change; without `next`
 * the row is deleted.
 */
export async function refuseLastAdmin(
  garage: Garage,
  row: EmployeeRow,
  next: EmployeeRow | undefined,
): Promise<Violation | undefined> {
  // A change of the address is no reason: addresses are not checked when they are stored.
  if (!isAdmin(row) || (next && isAdmin({ ...next, emailaddress: row.emailaddress }))) return undefined;
  // Counting locks a row of the owner and writes it. A Galera cluster compares written rows only.
  await nextNumber(garage, 'admin');
  const others = await Employee.of(garage, 'e')
    .modify(fit, 'e')
    .where('e.role_kind', ADMIN)
    .whereNot('e.id', row.id);
  return others.some((other) => isAdmin(other)) ? undefined : violation('admin_needed');
}

function isAdmin(row: Login): boolean {
  const { role_kind, is_external, username, password_hash, emailaddress } = row;
  const hasLogin = username != null && password_hash != null && isEmail(emailaddress ?? '');
  return role_kind === ADMIN && is_external !== 1 && hasLogin && isFit(row);
}
