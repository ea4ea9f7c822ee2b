// Forgotten passwords: a link that works once, within 60 minutes, for one employee.
import type { Database, Session } from '../model/session.ts';
import { isEmail } from '../trade/identifiers.ts';
import { hashPassword } from '../trade/password.ts';
import { databaseNow, databaseTime } from '../trade/timestamp.ts';
import { digest, randomSecret } from './secret.ts';

const VALID_MS = 60 * 60 * 1000;

export interface Reset {
  readonly secret: string;
  readonly emailaddress: string;
}

/** A new link for a user of this owner; undefined where there is none who could be mailed. */
export async function requestReset(
  session: Session,
  owner: number,
  username: string,
): Promise<Reset | undefined> {
  const [user] = await session.rows(
    'SELECT id, emailaddress FROM employees WHERE owner_id = ? AND username = ? AND is_blocked = 0 AND is_archived = 0',
    [owner, username.toLowerCase()],
  );
  // Not validated when it was stored: what is none might be read as several, or as more than an address.
  const emailaddress = String(user?.emailaddress ?? '');
  if (!user || !isEmail(emailaddress)) return undefined;
  const secret = randomSecret();
  await session.run(
    'INSERT INTO password_resets (reset_hash, owner_id, employee_id, expires_at) VALUES (?, ?, ?, ?)',
    [digest(secret), owner, user.id ?? null, databaseTime(new Date(Date.now() + VALID_MS))],
  );
  return { secret, emailaddress };
}

/** Whether a link still works. */
export async function isResetOpen(session: Session, secret: string): Promise<boolean> {
  const rows = await session.rows(
    'SELECT employee_id FROM password_resets WHERE reset_hash = ? AND expires_at > ?',
    [digest(secret), databaseNow()],
  );
  return rows.length > 0;
}

/** Sets the password and ends all links and tokens of the employee. False: the link does not work (any more). */
export async function resetPassword(database: Database, secret: string, password: string): Promise<boolean> {
  const passwordHash = await hashPassword(password);
  return database.transaction(async (session) => {
    const [reset] = await session.rows(
      'SELECT owner_id, employee_id FROM password_resets WHERE reset_hash = ? AND expires_at > ? FOR UPDATE',
      [digest(secret), databaseNow()],
    );
    if (!reset) return false;
    const who = [reset.owner_id ?? null, reset.employee_id ?? null];
    await session.run(
      'UPDATE employees SET password_hash = ?, modified_at = ?, version = version + 1 WHERE owner_id = ? AND id = ?',
      [passwordHash, databaseNow(), ...who],
    );
    await session.run('DELETE FROM password_resets WHERE owner_id = ? AND employee_id = ?', who);
    await session.run('DELETE FROM tokens WHERE owner_id = ? AND employee_id = ?', who);
    return true;
  });
}
