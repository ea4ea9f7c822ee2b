// Ends all that gives access as one employee: tokens and open reset links.
import type { Session } from '../model/session.ts';
import { PasswordReset } from './reset.ts';
import { Token } from './token.ts';

/** Other processes may accept the tokens for another second. */
export async function endAccess({ knex }: Session, owner: number, employee: number): Promise<void> {
  const theirs = { owner_id: owner, employee_id: employee };
  await Token.query(knex).delete().where(theirs);
  await PasswordReset.query(knex).delete().where(theirs);
}
