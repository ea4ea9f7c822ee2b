// POST /authenticate written by hand: the key, the user, the password's hash, and a new token.
import { randomBytes } from 'node:crypto';
import { verify } from '@node-rs/argon2';
import { databaseTime } from '../../src/core/trade/time/timestamp.ts';
import { digest } from '../../src/platform/auth/secret.ts';
import { type Baseline, Refused, type Written } from './database.ts';

const TOKEN_MS = 30 * 60 * 1000;
/** Failures of a user and of an address that stop logins. */
const [OF_USER, OF_ADDRESS] = [5, 20];

const FIND_CALLER =
  'SELECT k.id AS api_key, e.id, e.owner_id, e.password_hash FROM api_keys k ' +
  'JOIN employees e ON e.username = ? AND e.is_blocked = 0 AND e.is_archived = 0 ' +
  'JOIN owners o ON o.id = e.owner_id WHERE k.key_hash = ? AND k.revoked_at IS NULL';
/** Has three values: now, in milliseconds since 1970, and the keys of both counts. */
const REACHED =
  'SELECT 1 FROM login_failures WHERE expire > ? ' +
  `AND (\`key\` = ? AND points >= ${OF_USER} OR \`key\` = ? AND points >= ${OF_ADDRESS})`;
const NOTE_LOGIN =
  'UPDATE employees SET last_login_at = ? WHERE owner_id = ? AND id = ? AND password_hash = ? ' +
  `AND is_blocked = 0 AND is_archived = 0 AND NOT EXISTS (${REACHED})`;
const INSERT_TOKEN =
  'INSERT INTO tokens (token_hash, owner_id, employee_id, api_key_id, issued_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)';

/** `address`: where the request comes from. Refuses a login after too many failures, as the service does. */
export async function login(
  baseline: Baseline,
  body: Readonly<Record<string, unknown>>,
  address: string,
): Promise<string> {
  const { api_key, username, password } = body;
  const [caller] = await baseline.execute(FIND_CALLER, [String(username), digest(String(api_key))]);
  const counts = [`user:${digest(`id ${caller?.id}`)}`, `address:${digest(address)}`];
  const [reached] = await baseline.execute(REACHED, [Date.now(), ...counts]);
  if (reached) throw new Refused(429, 'Too many attempts');
  if (!caller || !(await verify(String(caller.password_hash), String(password))))
    throw new Refused(401, 'Not authorized');
  const { id = null, owner_id = null, api_key: key = null, password_hash = null } = caller;
  const token = randomBytes(32).toString('base64url');
  const now = Date.now();
  const [issued, expires] = [now, now + TOKEN_MS].map((at) => databaseTime(new Date(at))) as [string, string];
  await baseline.transaction(async (execute) => {
    const noted = await execute<Written>(NOTE_LOGIN, [issued, owner_id, id, password_hash, now, ...counts]);
    if (noted.affectedRows !== 1) throw new Refused(401, 'Not authorized');
    await execute(INSERT_TOKEN, [digest(token), owner_id, id, key, issued, expires]);
  });
  return JSON.stringify({ token, expires_at: new Date(now + TOKEN_MS).toISOString() });
}
