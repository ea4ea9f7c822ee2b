// Somebody who works at the garage and may log in.
import { choice, flag, money, text, timestamp, varchar } from '../model/fields/field.ts';
import { PASSWORD, USERNAME } from '../model/fields/validation.ts';
import { type ChangeOf, type RowIn, record } from '../model/records/record.ts';

export class Employee extends record(
  'employee',
  {
    username: varchar(60, {
      personal: true,
      unique: 'all',
      validation: USERNAME,
      description:
        'Unique over all owners. Letters of one script, digits and `. _ - @ +`; stored after NFKC and in lower case',
    }),
    password: varchar(200, {
      writeOnly: true,
      validation: PASSWORD,
      same: (password, { password_hash }) => password === null && password_hash === null,
    }),
    emailaddress: varchar(150, {
      personal: true,
      ignoresCase: true,
      description: 'Checked at login, not here',
    }),
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
    end_date: timestamp({
      after: 'start_date',
      description: 'The instant at which access ends: `2026-05-01` is midnight UTC, when that day begins',
    }),
    hourly_rate: money({ min: 0, personal: true }),
    last_login_at: timestamp({ readonly: true }),
    notes: text({ personal: true }),
  },
  {
    description: 'An employee of the garage; with a username and a password also a user of this service',
    needs: { POST: 'ADMIN', PUT: 'ADMIN', DELETE: 'ADMIN' },
    personalKey: true,
    hasTokens: true,
    hidden: ['password_hash'],
  },
) {}

export type EmployeeRow = RowIn<typeof Employee>;
export type EmployeeChange = ChangeOf<typeof Employee>;
