// The commands `forecourt employee create`, `forecourt employee username` and `forecourt employee password`. All pass the
// checks of the API.

import { randomSecret } from '../auth/secret.ts';
import { problem } from '../errors.ts';
import type { Database } from '../model/session.ts';
import { changeRecord } from '../model/store.ts';
import { Employee } from '../resources/employee.ts';
import { LISTS } from '../trade/lists.ts';
import { type CliCommand, parseWholeNumber, requireOwner, UsageError } from './command.ts';
import { createEmployee, type NewEmployee } from './owner.ts';

export const employeeCreate: CliCommand = {
  words: 'employee create',
  summary: 'Create an employee who can log in',
  required: [
    ['--owner <id>', 'the garage'],
    ['--username <name>', 'unique over all garages'],
    ['--password <password>', 'at least 12 characters'],
    ['--email <address>', 'needed to log in'],
    ['--role <role>', 'ADMIN, USER or READONLY'],
  ],
  options: [
    ['--first-name <name>', 'default: the username'],
    ['--last-name <name>', 'default: the username'],
    ['--external', 'an external user, who cannot log in'],
  ],
  example:
    "employee create --owner 1 --username anna --password 'a long password' --email anna@garage.example --role ADMIN",
  run: async (base, { owner: given, username, password, email, role, firstName, lastName, external }) => {
    if (!isRole(role)) throw new UsageError(`--role must be ADMIN, USER or READONLY, not "${role}"`);
    const owner = parseWholeNumber('--owner', given);
    await requireOwner(base, owner);
    const id = await createEmployee(base.database, {
      owner,
      username: String(username),
      password: String(password),
      emailaddress: String(email),
      role,
      firstName: firstName as string | undefined,
      lastName: lastName as string | undefined,
      external: external === true,
    });
    return { json: { id }, text: `Employee ${id} was made.` };
  },
};

const isRole = (role: unknown): role is NewEmployee['role'] =>
  typeof role === 'string' && Object.hasOwn(LISTS.rolekinds, role);

export const employeeUsername: CliCommand = {
  words: 'employee username <id> <name>',
  summary: 'Give an employee a username, for example after a restore',
  example: 'employee username 12 anna',
  run: async ({ database }, _options, [given, name = '']) => {
    const id = parseWholeNumber('id', given);
    const username = await setUsername(database, id, name.trim());
    return { json: { id, username }, text: `Employee ${id} has the username ${username}.` };
  },
};

/** Returns the username as it is stored: in lower case. */
function setUsername(database: Database, id: number, username: string): Promise<string> {
  // The API takes an empty username for none. This command gives one.
  if (username === '') throw problem('field_empty', { field: 'username' });
  return database.transaction(async (session) => {
    const row = await Employee.ofAllOwners(session).select('owner_id').findById(id);
    if (!row) throw problem('record_unknown', { field: 'id', value: id });
    const owner = Number(row.owner_id);
    const changed = await changeRecord(session, Employee.resource, owner, id, { username });
    return String(changed.username);
  });
}

export const employeePassword: CliCommand = {
  words: 'employee password <username>',
  summary: 'Set a password, or make a new password and show it once',
  options: [['--password <password>', 'at least 12 characters']],
  example: 'employee password anna',
  run: async ({ database }, { password }, [name = '']) => {
    const username = name.trim();
    const set = password === undefined ? randomSecret(15) : String(password);
    await setPassword(database, username, set);
    const shown = password === undefined ? { username, password: set } : { username };
    const text = `The password of ${username} is set. Older tokens and reset links have ended.`;
    return { json: shown, text: password === undefined ? `${text} This is shown once:\n  ${set}` : text };
  },
};

async function setPassword(database: Database, username: string, password: string): Promise<void> {
  await database.transaction(async (session) => {
    const row = await Employee.ofAllOwners(session)
      .select('id', 'owner_id')
      .findOne('username', username.toLowerCase());
    if (!row) throw problem('record_unknown', { field: 'username', value: username });
    const { owner_id: owner, id } = row;
    await changeRecord(session, Employee.resource, Number(owner), Number(id), { password });
  });
}
