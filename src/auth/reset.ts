// Password resets: the secret of a link that works once, within 60 minutes, for one employee. It is stored as a hash.
import { plusOne } from '../model/fragment.ts';
import { Table } from '../model/prepared.ts';
import { modelNamed } from '../model/registry.ts';
import type { Database, Session } from '../model/session.ts';
import { isEmail } from '../trade/identifiers.ts';
import { hashPassword } from '../trade/password.ts';
import { databaseNow, databaseTime } from '../trade/timestamp.ts';
import { digest, randomSecret } from './secret.ts';
import { endTokensOf } from './token.ts';

const VALID_MS = 60 * 60 * 1000;

export class PasswordReset extends Table {
  static override tableName = 'password_resets';
  static override idColumn = 'reset_hash';
  declare reset_hash: string;
  declare owner_id: number;
  declare employee_id: number;
  declare expires_at: string;
}

export interface Reset {
  readonly secret: string;
  readonly emailaddress: string;
}

/** A new link for a user of this owner; undefined: there is no such user, or the user has no usable e-mail address. */
export async function requestReset(
  session: Session,
  owner: number,
  username: string,
): Promise<Reset | undefined> {
  const user = await modelNamed('employee')
    .query(session.knex)
    .select('id', 'emailaddress')
    .modify('owned', owner)
    .where('username', username.toLowerCase())
    .where('is_blocked', 0)
    .where('is_archived', 0)
    .first();
  // The address was not validated when it was stored; a mailer might read several addresses in it, or headers.
  const emailaddress = String(user?.emailaddress ?? '');
  if (!user || !isEmail(emailaddress)) return undefined;
  const secret = randomSecret();
  await PasswordReset.query(session.knex).insert({
    reset_hash: digest(secret),
    owner_id: owner,
    employee_id: Number(user.id),
    expires_at: databaseTime(new Date(Date.now() + VALID_MS)),
  });
  return { secret, emailaddress };
}

/** Whether a link still works. */
export async function isResetOpen(session: Session, secret: string): Promise<boolean> {
  return (await openReset(session, secret).first()) !== undefined;
}

const openReset = ({ knex }: Session, secret: string) =>
  PasswordReset.query(knex)
    .select('owner_id', 'employee_id')
    .where('reset_hash', digest(secret))
    .where('expires_at', '>', databaseNow());

/** Sets the password and ends all links and tokens of the employee. False: the link does not work, or no longer. */
export async function resetPassword(database: Database, secret: string, password: string): Promise<boolean> {
  const passwordHash = await hashPassword(password);
  return database.transaction(async (session) => {
    const reset = await openReset(session, secret).forUpdate().first();
    if (!reset) return false;
    const { owner_id, employee_id } = reset;
    await modelNamed('employee')
      .query(session.knex)
      .patch({ password_hash: passwordHash, modified_at: databaseNow(), version: plusOne('version') })
      .modify('owned', owner_id)
      .where('id', employee_id);
    await PasswordReset.query(session.knex)
      .delete()
      .where('owner_id', owner_id)
      .where('employee_id', employee_id);
    await endTokensOf(session, owner_id, employee_id);
    return true;
  });
}
