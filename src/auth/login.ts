// Login: the API key of a third party, and the username and password of an employee, give a token. Whichever of them is
// wrong, the answer is the same and takes the same time: each case runs the same statements and computes one hash.

import { problem } from '../errors.ts';
import { lockRecord } from '../model/find.ts';
import { garageOf } from '../model/garage.ts';
import type { Database, Session } from '../model/session.ts';
import { Employee } from '../resources/employee.ts';
import { Owner } from '../resources/owner.ts';
import { isEmail } from '../trade/identifiers.ts';
import { databaseNow } from '../trade/timestamp.ts';
import { fit, isFit } from './fit.ts';
import { findKey } from './key.ts';
import { verifyPassword } from './password.ts';
import { networkOf, type Throttle } from './throttle.ts';
import type { IssuedToken, Tokens } from './token.ts';

interface Credentials {
  api_key: string;
  username: string;
  password: string;
  organization_name?: string;
}

/** Answers a token. Throws Problem: 401 not authorized, 403 external user, 400 or 403 e-mail address, 429. */
export async function login(
  { database, tokens, throttle }: { database: Database; tokens: Tokens; throttle: Throttle },
  credentials: Credentials,
  { address, requestId }: { address: string; requestId?: string },
): Promise<IssuedToken> {
  const network = networkOf(address);
  await throttle.addresses.check(network);
  const username = credentials.username.toLowerCase();
  const [apiKey, user] = await Promise.all([
    findKey(database, credentials.api_key),
    findUser(database, username),
  ]);
  const failures = failuresOf(throttle, { apiKey, user, username, network });
  await failures.check();
  const hash = user?.password_hash as string | null | undefined;
  const known = await verifyPassword(hash, credentials.password, network);
  if (!known || !user || apiKey === undefined || !belongsTo(user, credentials.organization_name)) {
    await failures.count();
    throw problem('not_authorized');
  }
  // Check again: many guesses may run at the same time, and none may succeed after the limit is reached.
  await failures.check();
  refuseUnfit(user);
  const { owner_id: owner, id: employee } = user;
  return database.transaction((session) => issueToken(session, tokens, user, apiKey), {
    owner,
    employee,
    apiKey,
    requestId,
  });
}

interface Attempt {
  readonly apiKey: number | undefined;
  readonly user: User | undefined;
  readonly username: string;
  readonly network: string;
}

/** Failures count towards a user only if the key is valid: nobody without a key can lock a user out. */
function failuresOf(
  { users, keyless, addresses }: Throttle,
  { apiKey, user, username, network }: Attempt,
): { check(): Promise<void>; count(): Promise<void> } {
  // The database takes names that differ in blanks at the end for the same, so a known user counts by ID.
  const who = user ? `id ${user.id}` : `name ${username}`;
  const [limit, whom] = apiKey === undefined ? [keyless, `${who} from ${network}`] : [users, who];
  return {
    check: async () => {
      await addresses.check(network);
      await limit.check(whom);
    },
    count: async () => {
      await limit.count(whom);
      await addresses.count(network);
    },
  };
}

/** An employee, with the name of the garage. */
type User = Pick<Employee, 'id' | 'owner_id' | 'password_hash' | 'emailaddress' | 'is_external'> & {
  readonly owner_name: string;
};

/** The employee of that username who may log in. */
const findUser = (session: Session, username: string): Promise<User | undefined> =>
  Employee.ofAllOwners(session)
    .alias('e')
    .select(
      'e.id',
      'e.owner_id',
      'e.password_hash',
      'e.emailaddress',
      'e.is_external',
      'o.name as owner_name',
    )
    .join(`${Owner.tableName} as o`, 'o.id', 'e.owner_id')
    .where('e.username', username)
    .modify(fit, 'e')
    .first()
    .castTo<User | undefined>()
    .execute();

function belongsTo(user: User, organization: string | undefined): boolean {
  return !organization || organization.toLowerCase() === user.owner_name.toLowerCase();
}

function refuseUnfit(user: User): void {
  const { emailaddress } = user;
  if (user.is_external === 1) throw problem('external_user');
  if (emailaddress == null || emailaddress === '') throw problem('emailaddress_missing', { id: user.id });
  if (!isEmail(emailaddress))
    throw problem('emailaddress_invalid', { field: 'emailaddress', value: emailaddress });
}

/**
 * Issues a token, unless the password has changed or the user was blocked since the password was compared: such a
 * change ends all tokens, and must not miss this one.
 */
async function issueToken(
  session: Session,
  tokens: Tokens,
  user: User,
  apiKey: number,
): Promise<IssuedToken> {
  const { owner_id: owner, id: employee } = user;
  const row = await lockRecord(garageOf(session, owner), Employee.resource, employee);
  if (!row || row.password_hash !== user.password_hash || !isFit(row)) throw problem('not_authorized');
  // A login is no change of the employee: no row of the log, no version, no event.
  await Employee.of(garageOf(session, owner)).patch({ last_login_at: databaseNow() }).where('id', employee);
  return tokens.issue({ owner, employee, apiKey }, session);
}
