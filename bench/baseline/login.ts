// POST /authenticate written by hand: the key, the user, the password's hash, and a new token.
import { randomBytes } from 'node:crypto';
import { verify } from '@node-rs/argon2';
import { databaseTime } from '../../src/core/trade/time/timestamp.ts';
import { digest } from '../../src/platform/auth/secret.ts';
import { type Baseline, Refused } from './database.ts';

const TOKEN_MS = 30 * 60 * 1000;
const FIND_KEY = 'SELECT id FROM api_keys WHERE key_hash = ? AND revoked_at IS NULL';
const FIND_USER =
  'SELECT id, owner_id, password_hash FROM employees WHERE username = ? AND is_blocked = 0 AND is_archived = 0';
const NOTE_LOGIN = 'UPDATE employees SET last_login_at = ? WHERE owner_id = ? AND id = ?';
const INSERT_TOKEN =
  'INSERT INTO tokens (token_hash, owner_id, employee_id, api_key_id, issued_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)';

export async function login(baseline: Baseline, body: Readonly<Record<string, unknown>>): Promise<string> {
  const { api_key, username, password } = body;
  const [key] = await baseline.execute(FIND_KEY, [digest(String(api_key))]);
  const [user] = await baseline.execute(FIND_USER, [String(username)]);
  if (!key || !user || !(await verify(String(user.password_hash), String(password))))
    throw new Refused(401, 'Not authorized');
  const token = randomBytes(32).toString('base64url');
  const now = Date.now();
  const [issued, expires] = [now, now + TOKEN_MS].map((at) => new Date(at)) as [Date, Date];
  await baseline.transaction(async (execute) => {
    await execute(NOTE_LOGIN, [databaseTime(issued), user.owner_id ?? null, user.id ?? null]);
    await execute(INSERT_TOKEN, [
      digest(token),
      user.owner_id ?? null,
      user.id ?? null,
      key.id ?? null,
      databaseTime(issued),
      databaseTime(expires),
    ]);
  });
  return JSON.stringify({ token, expires_at: expires.toISOString() });
}
