// Somebody who works at the garage and may log in. A password is stored as an argon2id hash. A change that ends the
// access of an employee ends all tokens and reset links in the same transaction.
import { endAccess } from '../auth/end-access.ts';
import { isFit } from '../auth/fit.ts';
import { refuseLastAdmin } from '../auth/last-admin.ts';
import { hashPassword } from '../auth/password.ts';
import { violation } from '../errors.ts';
import { choice, flag, money, type Row, text, timestamp, varchar } from '../model/field.ts';
import { type Change, record } from '../model/record.ts';
import { PASSWORD, USERNAME } from '../model/validation.ts';

export class Employee extends record(
  'employee',
  {
    username: varchar(60, {
      personal: true,
      unique: 'all',
      validation: USERNAME,
      description: 'Unique over all owners, lower case',
    }),
    password: varchar(200, { writeOnly: true, validation: PASSWORD }),
    emailaddress: varchar(150, { personal: true, description: 'Checked at login, not here' }),
    first_name: varchar(60, { required: true, personal: true }),
    prefix: varchar(15, { personal: true }),
    last_name: varchar(80, { required: true, personal: true, indexed: true }),
    initials: varchar(15, { personal: true }),
    phone: varchar(25, { personal: true }),
    mobile: varchar(25, { personal: true }),
    role_kind: choice('rolekinds', { required: true, indexed: true }),
    function_kind: choice('functionkinds'),
    is_external: flag(),
    start_date: timestamp(),
    end_date: timestamp({ after: 'start_date' }),
    hourly_rate: money({ min: 0, personal: true }),
    last_login_at: timestamp({ readonly: true }),
    notes: text({ personal: true }),
  },
  {
    description: 'An employee of the garage; with a username and a password also a user of this service',
    personalKey: true,
    hidden: ['password_hash'],
    rules: [keepAdmin],
    keeps: (row, session, owner) => refuseLastAdmin(session, owner, row as unknown as Row, undefined),
    refuses: {
      write: [violation('too_many_attempts')],
      change: [violation('admin_needed')],
      delete: [violation('admin_needed')],
    },
    before: keepPassword,
    after: endOldAccess,
  },
) {}

function keepAdmin({ next, previous, given, owner, session }: Change<object>) {
  if (!previous) return undefined;
  // The hash is computed later, since hashing takes the longest.
  const row: Row = { ...next };
  if (given('password') === null) row.password_hash = null;
  return refuseLastAdmin(session, owner, previous as Row, row);
}

async function keepPassword({ next, given, owner }: Change<object>): Promise<void> {
  const password = given('password');
  if (password === undefined) return;
  const hash = typeof password === 'string' ? await hashPassword(password, `owner ${owner}`) : null;
  Object.assign(next, { password_hash: hash });
}

async function endOldAccess({ next, previous, owner, session }: Change<object>): Promise<void> {
  const [row, before] = [next as Row, previous as Row | undefined];
  if (!before) return;
  const isKnown = row.password_hash === before.password_hash && row.emailaddress === before.emailaddress;
  if (!isKnown || row.is_external === 1 || !isFit(row)) await endAccess(session, owner, Number(row.id));
}
