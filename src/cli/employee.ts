// The commands `forecourt employee create`, `forecourt employee username` and `forecourt employee password`. All pass
// the checks of the API.

import { problem } from '../core/errors.ts';
import type { Database } from '../core/model/statements/session.ts';
import { LISTS } from '../core/trade/lists.ts';
import {
  command,
  flag,
  optional,
  parseWholeNumber,
  required,
  requiredNumber,
  requireOwner,
  UsageError,
} from './command.ts';
import type { NewEmployee } from './new-garage.ts';
import { givenPassword, PASSWORD_OPTIONS } from './password.ts';

export const employeeCreate = command({
  words: 'employee create',
  summary: 'Create an employee who can log in',
  options: {
    owner: requiredNumber('--owner <id>', 'the garage'),
    username: required('--username <name>', 'unique over all garages'),
    ...PASSWORD_OPTIONS,
    email: required('--email <address>', 'needed to log in'),
    role: required('--role <role>', 'ADMIN, USER or READONLY'),
    firstName: optional('--first-name <name>', 'default: the username'),
    lastName: optional('--last-name <name>', 'default: the username'),
    external: flag('--external', 'an external user, who cannot log in'),
  },
  example:
    'employee create --owner 1 --username anna --email anna@garage.example --role ADMIN --password-stdin < password.txt',
  run: async (base, { email, role, passwordStdin, ...employee }, _args, context) => {
    if (!isRole(role)) throw new UsageError(`--role must be ADMIN, USER or READONLY, not "${role}"`);
    const password = await givenPassword({ ...employee, passwordStdin }, context);
    if (password === undefined) throw new UsageError('Give --password-stdin or --password, one of them');
    await requireOwner(base, employee.owner);
    const { createEmployee } = await import('./new-garage.ts');
    const id = await createEmployee(base.database, { ...employee, password, emailaddress: email, role });
    return { json: { id }, text: `Employee ${id} was made.` };
  },
});

const isRole = (role: string): role is NewEmployee['role'] => Object.hasOwn(LISTS.rolekinds, role);

export const employeeUsername = command({
  words: 'employee username <id> <name>',
  summary: 'Give an employee a username, for example after a restore',
  example: 'employee username 12 anna',
  run: async ({ database }, _options, [given, name = '']) => {
    const id = parseWholeNumber('id', given);
    const username = await setUsername(database, id, name.trim());
    return { json: { id, username }, text: `Employee ${id} has the username ${username}.` };
  },
});

/** Returns the username as it is stored. */
async function setUsername(database: Database, id: number, username: string): Promise<string> {
  // The API takes an empty username for none. This command gives one.
  if (username === '') throw problem('field_empty', { field: 'username' });
  const { garageOf } = await import('../core/model/statements/garage.ts');
  const { changeRecord } = await import('../core/model/writes/store.ts');
  const { Employee } = await import('../core/resources/employee.ts');
  return database.transaction(async (session) => {
    const row = await Employee.ofAllOwners('operator', session).select('owner_id').findById(id);
    if (!row) throw problem('record_unknown', { field: 'id', value: id });
    const changed = await changeRecord(garageOf(session, row.owner_id), Employee.resource, id, { username });
    return changed.username ?? '';
  });
}

export const employeePassword = command({
  words: 'employee password <username>',
  summary: 'Set a password, or make a new password and show it once',
  options: PASSWORD_OPTIONS,
  example: 'employee password anna',
  run: async ({ database }, options, [name = ''], context) => {
    const { randomSecret } = await import('../platform/auth/secret.ts');
    const password = await givenPassword(options, context);
    const username = name.trim();
    const set = password ?? randomSecret(15);
    await setPassword(database, username, set);
    const shown = password === undefined ? { username, password: set } : { username };
    const text = `The password of ${username} is set. Older tokens and reset links have ended.`;
    return { json: shown, text: password === undefined ? `${text} This is shown once:\n  ${set}` : text };
  },
});

async function setPassword(database: Database, username: string, password: string): Promise<void> {
  const { named } = await import('../platform/auth/user.ts');
  const { garageOf } = await import('../core/model/statements/garage.ts');
  const { changeRecord } = await import('../core/model/writes/store.ts');
  const { Employee } = await import('../core/resources/employee.ts');
  await database.transaction(async (session) => {
    const row = await Employee.ofAllOwners('operator', session)
      .select('id', 'owner_id')
      .modify(named, 'username', username)
      .first();
    if (!row) throw problem('record_unknown', { field: 'username', value: username });
    await changeRecord(garageOf(session, row.owner_id), Employee.resource, row.id, { password });
  });
}
