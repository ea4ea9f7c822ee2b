// The access of an employee. A password is stored as an argon2id hash. A change that ends the access of an employee
// ends all tokens and reset links in the same transaction. An owner keeps an ADMIN.

import { violation } from '../../core/errors.ts';
import { rulesOf } from '../../core/model/records/record.ts';
import { Employee, type EmployeeChange } from '../../core/resources/employee.ts';
import { isFit } from '../../platform/auth/fit.ts';
import { refuseLastAdmin } from '../../platform/auth/last-admin.ts';
import { hashPassword } from '../../platform/auth/password.ts';
import { endAccess } from '../../platform/auth/reset.ts';

rulesOf(Employee, {
  rules: [keepAdmin],
  keeps: (row, garage) => refuseLastAdmin(garage, row, undefined),
  refuses: {
    write: [violation('too_many_attempts')],
    change: [violation('admin_needed')],
    delete: [violation('admin_needed')],
  },
  before: keepPassword,
  after: endOldAccess,
});

function keepAdmin({ next, previous, given, garage }: EmployeeChange) {
  if (!previous) return undefined;
  // The hash is computed later, since hashing takes the longest.
  const row = given('password') === null ? { ...next, password_hash: null } : next;
  return refuseLastAdmin(garage, previous, row);
}

async function keepPassword({ next, given, garage }: EmployeeChange): Promise<void> {
  const password = given('password');
  if (password === undefined) return;
  next.password_hash =
    typeof password === 'string' ? await hashPassword(password, `owner ${garage.owner}`) : null;
}

async function endOldAccess({ next, previous, garage }: EmployeeChange): Promise<void> {
  if (!previous) return;
  const isKnown =
    next.password_hash === previous.password_hash && next.emailaddress === previous.emailaddress;
  if (!isKnown || next.is_external === 1 || !isFit(next)) await endAccess(garage, next.id);
}
