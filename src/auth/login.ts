// Getting a token: a key of a third party, and a username and password of a garage. Whatever is wrong, the
// answer and its time are the same.
import { problem } from '../errors.ts';
import type { Row } from '../model/field.ts';
import type { Session } from '../model/session.ts';
import { isEmail } from '../trade/identifiers.ts';
import { verifyPassword } from '../trade/password.ts';
import { databaseNow } from '../trade/timestamp.ts';
import { findKey } from './key.ts';
import type { Throttle } from './throttle.ts';
import type { Tokens } from './token.ts';

export interface Credentials {
  api_key: string;
  username: string;
  password: string;
  organization_name?: string;
}

/** Answers a token. Throws Problem: 401 not authorized, 403 external user, 400 or 403 e-mail address, 429. */
export async function login(
  { session, tokens, throttle }: { session: Session; tokens: Tokens; throttle: Throttle },
  credentials: Credentials,
  address: string,
): Promise<{ token: string; expires_at: string }> {
  const who = { username: credentials.username.toLowerCase(), address };
  await throttle.check(who);
  const [apiKey, user] = await Promise.all([
    findKey(session, credentials.api_key),
    findUser(session, who.username),
  ]);
  const known = await verifyPassword(user?.password_hash as string | null | undefined, credentials.password);
  if (!known || !user || apiKey === undefined || !belongsTo(user, credentials.organization_name)) {
    await throttle.fail(who);
    throw problem('not_authorized');
  }
  // Guesses that ran at the same time must not have found the password after the door was shut.
  await throttle.check(who);
  refuseUnfit(user);
  const [owner, employee] = [Number(user.owner_id), Number(user.id)];
  await session.run('UPDATE employees SET last_login_at = ? WHERE owner_id = ? AND id = ?', [
    databaseNow(),
    owner,
    employee,
  ]);
  return tokens.issue({ owner, employee, apiKey });
}

async function findUser(session: Session, username: string): Promise<Row | undefined> {
  const [row] = await session.rows(
    'SELECT e.id, e.owner_id, e.password_hash, e.emailaddress, e.is_external, o.name AS owner_name ' +
      'FROM employees e JOIN owners o ON o.id = e.owner_id ' +
      'WHERE e.username = ? AND e.is_blocked = 0 AND e.is_archived = 0',
    [username],
  );
  return row;
}

function belongsTo(user: Row, organization: string | undefined): boolean {
  return !organization || organization.toLowerCase() === String(user.owner_name).toLowerCase();
}

function refuseUnfit(user: Row): void {
  const { emailaddress } = user;
  if (user.is_external === 1) throw problem('external_user');
  if (emailaddress == null || emailaddress === '')
    throw problem('emailaddress_missing', { id: Number(user.id) });
  if (!isEmail(String(emailaddress)))
    throw problem('emailaddress_invalid', { field: 'emailaddress', value: emailaddress });
}
