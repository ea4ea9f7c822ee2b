// Login: the API key of a third party, and the username and password of an employee, give a token. Whichever of them is
// wrong, the answer is the same and takes the same time.
import { problem } from '../errors.ts';
import type { Row } from '../model/field.ts';
import { modelNamed } from '../model/registry.ts';
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
  const attempt = { username: credentials.username.toLowerCase(), address };
  await throttle.check(attempt);
  const [apiKey, user] = await Promise.all([
    findKey(session, credentials.api_key),
    findUser(session, attempt.username),
  ]);
  const known = await verifyPassword(user?.password_hash as string | null | undefined, credentials.password);
  if (!known || !user || apiKey === undefined || !belongsTo(user, credentials.organization_name)) {
    await throttle.fail(attempt);
    throw problem('not_authorized');
  }
  // Of many guesses at the same time, none may succeed after the limit is reached.
  await throttle.check(attempt);
  refuseUnfit(user);
  const [owner, employee] = [Number(user.owner_id), Number(user.id)];
  await modelNamed('employee')
    .query(session.knex)
    .patch({ last_login_at: databaseNow() })
    .modify('owned', owner)
    .where('id', employee);
  return tokens.issue({ owner, employee, apiKey });
}

/** The employee of that username who may log in, with `owner_name`. */
const findUser = (session: Session, username: string): Promise<Row | undefined> =>
  modelNamed('employee')
    .query(session.knex)
    .alias('e')
    .select(
      'e.id',
      'e.owner_id',
      'e.password_hash',
      'e.emailaddress',
      'e.is_external',
      'o.name as owner_name',
    )
    .join(`${modelNamed('owner').tableName} as o`, 'o.id', 'e.owner_id')
    .where('e.username', username)
    .where('e.is_blocked', 0)
    .where('e.is_archived', 0)
    .first()
    .execute();

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
