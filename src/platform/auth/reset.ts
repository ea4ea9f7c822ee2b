// Password resets: the secret of a link that works once, within 60 minutes, for one employee who may log in. It is
// stored as a hash. The end of an employee's access ends these links, too.

import { claimRecord } from '../../core/model/lists/find.ts';
import { OwnedModel } from '../../core/model/statements/base-model.ts';
import { type Garage, garageOf } from '../../core/model/statements/garage.ts';
import type { Database, Session } from '../../core/model/statements/session.ts';
import { changeRecord } from '../../core/model/writes/store.ts';
import { Employee } from '../../core/resources/employee.ts';
import { isEmail } from '../../core/trade/identity/identifiers.ts';
import { HOUR_MS } from '../../core/trade/time/duration.ts';
import { databaseNow, databaseTime, latestEnd } from '../../core/trade/time/timestamp.ts';
import { fit } from './fit.ts';
import { digest, randomSecret } from './secret.ts';
import { Token } from './token.ts';
import { named } from './user.ts';

export const RESET_MS = HOUR_MS;

export class PasswordReset extends OwnedModel {
  static override tableName = 'password_resets';
  static override idColumn = 'reset_hash';
  declare reset_hash: string;
  declare owner_id: number;
  declare employee_id: number;
  declare expires_at: string;
}

interface Reset {
  readonly secret: string;
  readonly emailaddress: string;
}

/** The ID of the user of this owner who may get a link; undefined: there is no such user. */
export async function findResettable(garage: Garage, username: string): Promise<number | undefined> {
  const user = await fitEmployee(garage).modify(named, 'e.username', username).first();
  return user?.id;
}

/** A new link for a user; undefined: by now the user may not log in, or has no usable e-mail address. */
export function openReset(database: Database, owner: number, employee: number): Promise<Reset | undefined> {
  return database.transaction(async (session) => {
    // A block at the same time ends all links, and must not miss this one.
    await claimRecord(garageOf(session, owner), Employee.resource, employee);
    const user = await fitEmployee(garageOf(session, owner)).where('e.id', employee).first();
    // The address was not validated when it was stored; a mailer might read several addresses in it, or headers.
    const emailaddress = user?.emailaddress ?? '';
    if (!isEmail(emailaddress)) return undefined;
    const secret = randomSecret();
    await PasswordReset.ofAllOwners('insert', session).insert({
      reset_hash: digest(secret),
      owner_id: owner,
      employee_id: employee,
      expires_at: databaseTime(new Date(Date.now() + RESET_MS)),
    });
    return { secret, emailaddress };
  });
}

const fitEmployee = (garage: Garage) =>
  Employee.of(garage, 'e').select('e.id', 'e.emailaddress').modify(fit, 'e');

/** Whether a link still works. */
export async function isResetOpen(session: Session, secret: string): Promise<boolean> {
  return (await findReset(session, secret).first()) !== undefined;
}

const findReset = ({ knex }: Session, secret: string) =>
  PasswordReset.ofAllOwners('login', { knex })
    .alias('r')
    .select('r.owner_id', 'r.employee_id')
    .join(`${Employee.tableName} as e`, (on) => on.on('e.owner_id', 'r.owner_id').on('e.id', 'r.employee_id'))
    .where('r.reset_hash', digest(secret))
    .where('r.expires_at', '>', databaseNow())
    .where('r.expires_at', '<=', databaseTime(new Date(latestEnd(RESET_MS))))
    .modify(fit, 'e');

/** Sets the password, which ends all links and tokens of the employee. False: the link does not work, or no longer. */
export function resetPassword(database: Database, secret: string, password: string): Promise<boolean> {
  return database.transaction(async (session) => {
    const reset = await findReset(session, secret).forUpdate().first();
    if (!reset) return false;
    await changeRecord(garageOf(session, reset.owner_id), Employee.resource, reset.employee_id, { password });
    return true;
  });
}

/**
 * Ends all that gives access as one employee: tokens and open links. Other processes may accept the tokens for another
 * second.
 */
export async function endAccess({ knex, owner }: Garage, employee: number): Promise<void> {
  const theirs = { owner_id: owner, employee_id: employee };
  await Token.ofAllOwners('login', { knex }).delete().where(theirs);
  await PasswordReset.ofAllOwners('login', { knex }).delete().where(theirs);
}
