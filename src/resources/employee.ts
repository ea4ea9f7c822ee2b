// Somebody who works at the garage and may log in. A password is stored as an argon2id hash. Blocking or archiving an
// employee ends all tokens of the employee in the same transaction.
import { endTokensOf } from '../auth/token.ts';
import { choice, flag, money, text, timestamp, varchar } from '../model/field.ts';
import { type Change, record } from '../model/record.ts';
import { PASSWORD, USERNAME } from '../model/validation.ts';
import { hashPassword } from '../trade/password.ts';

export class Employee extends record(
  'employee',
  {
    username: varchar(60, {
      unique: 'all',
      validation: USERNAME,
      description: 'Unique over all owners, lower case',
    }),
    password: varchar(200, { writeOnly: true, validation: PASSWORD }),
    emailaddress: varchar(150, { description: 'Checked at login, not here' }),
    first_name: varchar(60, { required: true }),
    prefix: varchar(15),
    last_name: varchar(80, { required: true, indexed: true }),
    initials: varchar(15),
    phone: varchar(25),
    mobile: varchar(25),
    role_kind: choice('rolekinds', { required: true, indexed: true }),
    function_kind: choice('functionkinds'),
    is_external: flag(),
    start_date: timestamp(),
    end_date: timestamp({ after: 'start_date' }),
    hourly_rate: money({ min: 0 }),
    last_login_at: timestamp({ readonly: true }),
    notes: text(),
  },
  {
    description: 'An employee of the garage; with a username and a password also a user of this service',
    hidden: ['password_hash'],
    before: keepPassword,
    after: endTokens,
  },
) {}

async function keepPassword({ next, given }: Change<object>): Promise<void> {
  const password = given('password');
  if (password === undefined) return;
  Object.assign(next, { password_hash: typeof password === 'string' ? await hashPassword(password) : null });
}

async function endTokens({
  next,
  owner,
  session,
}: Change<{ id: number; is_blocked: number; is_archived: number }>): Promise<void> {
  if (next.is_blocked === 1 || next.is_archived === 1) await endTokensOf(session, owner, next.id);
}
