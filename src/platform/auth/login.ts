// Login: the API key of a third party, and the username and password of an employee, give a token. Whichever of them is
// wrong, the answer is the same and takes the same time: each case runs the same statements and computes one hash.

import { type Problem, problem } from '../../core/errors.ts';
import { oneRow } from '../../core/model/statements/fragment.ts';
import { garageOf } from '../../core/model/statements/garage.ts';
import { columns, type Selected, selected, text } from '../../core/model/statements/selected.ts';
import type { Database, Session } from '../../core/model/statements/session.ts';
import { Employee } from '../../core/resources/employee.ts';
import { Owner } from '../../core/resources/owner.ts';
import { isEmail } from '../../core/trade/identity/identifiers.ts';
import { comparableUsername, withoutLastBlanks } from '../../core/trade/identity/username.ts';
import { databaseNow } from '../../core/trade/time/timestamp.ts';
import { fit } from './fit.ts';
import { ApiKey, keyLike } from './key.ts';
import { verifyPassword } from './password.ts';
import { type Counted, LoginFailure, networkOf, reached, type Throttle } from './throttle.ts';
import type { IssuedToken, Tokens } from './token.ts';
import { named } from './user.ts';

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
  const { apiKey, user } = await findCaller(database, credentials.api_key, credentials.username);
  const username = comparableUsername(credentials.username);
  const counted = countedFor(throttle, { apiKey, user, username, network });
  await throttle.check(...counted);
  const hash = user?.password_hash as string | null | undefined;
  const known = await verifyPassword(hash, credentials.password, network);
  if (!known || !user || apiKey === undefined || !belongsTo(user, credentials.organization_name)) {
    for (const [limit, whom] of counted.toReversed()) await limit.count(whom);
    throw problem('not_authorized');
  }
  const { owner_id: owner, id: employee } = user;
  const unfit = unfitness(user);
  const issued =
    !unfit &&
    (await database.transaction((session) => issueToken(session, tokens, { user, apiKey, counted }), {
      owner,
      employee,
      apiKey,
      requestId,
    }));
  if (issued) return issued;
  // Many guesses may run at the same time, and none may show that it was right after the limit is reached.
  await throttle.check(...counted);
  throw unfit ?? problem('not_authorized');
}

interface Attempt {
  readonly apiKey: number | undefined;
  readonly user: User | undefined;
  readonly username: string;
  readonly network: string;
}

/** Failures count towards a user only if the key is valid: nobody without a key can lock a user out. */
function countedFor(
  { users, keyless, addresses }: Throttle,
  { apiKey, user, username, network }: Attempt,
): readonly [Counted, Counted] {
  // The database takes names that differ in blanks at the end for the same. So a known user counts by ID, and an
  // unknown one by the name without the blanks: otherwise such names would tell the two apart.
  const who = user ? `id ${user.id}` : `name ${withoutLastBlanks(username)}`;
  return [[addresses, network], apiKey === undefined ? [keyless, `${who} from ${network}`] : [users, who]];
}

/** An employee, with the name of the garage. */
const USER = {
  ...columns(Employee, 'e', 'id', 'owner_id', 'password_hash', 'emailaddress', 'is_external'),
  owner_name: text('o.name'),
};
type User = Selected<typeof USER>;

interface Caller {
  /** Undefined: there is no such key, or it is revoked. */
  readonly apiKey: number | undefined;
  /** Undefined: no such employee may log in. */
  readonly user: User | undefined;
}

/** Finds key and user by one statement, whichever of them is there. */
async function findCaller(session: Session, apiKey: string, username: string): Promise<Caller> {
  const [found] = await ApiKey.query(session.knex)
    .from(oneRow())
    .leftJoin(keyLike(session, apiKey).as('k'), (on) => on.onNotNull('k.id'))
    .leftJoin(userLike(session, username).as('u'), (on) => on.onNotNull('u.id'))
    .select('k.id as api_key', 'u.*')
    // All columns of a user who was not found are empty, which a declaration of single columns can't say.
    .castTo<({ readonly api_key: number | null } & (User | { readonly id: null }))[]>();
  return {
    apiKey: found?.api_key ?? undefined,
    user: found && found.id !== null ? found : undefined,
  };
}

/** The query for the employee of that username who may log in. */
const userLike = (session: Session, username: string) =>
  selected(Employee.ofAllOwners('login', session).alias('e'), USER)
    .join(`${Owner.tableName} as o`, 'o.id', 'e.owner_id')
    .modify(named, 'e.username', username)
    .modify(fit, 'e')
    // The likelier name only, where two forms are there.
    .limit(1);

function belongsTo(user: User, organization: string | undefined): boolean {
  return !organization || organization.toLowerCase() === user.owner_name.toLowerCase();
}

/** Why a known user may not log in. */
function unfitness({ id, is_external, emailaddress }: User): Problem | undefined {
  if (is_external === 1) return problem('external_user');
  if (emailaddress == null || emailaddress === '') return problem('emailaddress_missing', { id });
  if (!isEmail(emailaddress))
    return problem('emailaddress_invalid', { field: 'emailaddress', value: emailaddress });
  return undefined;
}

interface Known {
  readonly user: User;
  readonly apiKey: number;
  readonly counted: readonly Counted[];
}

/**
 * Issues a token. Undefined: since the password was compared, what a login needs has changed, or a limit was reached.
 * Such a change of the employee ends all tokens, and must not miss this one, so this writes the employee's row first.
 */
async function issueToken(
  session: Session,
  tokens: Tokens,
  { user, apiKey, counted }: Known,
): Promise<IssuedToken | undefined> {
  const { owner_id: owner, id: employee } = user;
  // A login is no change of the employee: no row of the log, no version, no event.
  const isStillFit = await Employee.of(garageOf(session, owner))
    .patch({ last_login_at: databaseNow() })
    .where({ id: employee, password_hash: user.password_hash })
    .where({ emailaddress: user.emailaddress, is_external: user.is_external })
    .modify(fit, Employee.tableName)
    .whereNotExists(LoginFailure.query().modify(reached, counted));
  return isStillFit === 1 ? tokens.issue({ owner, employee, apiKey }, session) : undefined;
}
