// GET /empoyee/email, spelled as the specification has it, and spelled right.
import { problem } from '../errors.ts';
import { type Answer, success } from './answer.ts';
import type { Call, Endpoint } from './endpoint.ts';

export const employeeEndpoints: Endpoint[] = ['/empoyee/email', '/employee/email'].map((path) => ({
  path,
  methods: { GET: { parameters: ['username'], handle: readEmail } },
}));

async function readEmail({ parts, identity, parameters }: Call): Promise<Answer> {
  const username = parameters.get('username');
  if (!username) throw problem('username_missing');
  const [row] = await parts.database.rows(
    'SELECT username, emailaddress FROM employees WHERE owner_id = ? AND username = ?',
    [identity.owner, username.toLowerCase()],
  );
  if (!row) throw problem('record_unknown', { field: 'username', value: username });
  return success({ username: row.username, emailaddress: row.emailaddress });
}
