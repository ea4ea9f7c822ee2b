// Removes what a clock that ran ahead for a moment has left: tokens, reset links and counts that end further ahead than
// they can last. A reader takes such a row for ended, but later its end would look right.
import type { AnyQueryBuilder } from 'objection';
import { secondsFromNow } from '../../core/model/statements/fragment.ts';
import { retried } from '../../core/model/statements/retried.ts';
import type { Session } from '../../core/model/statements/session.ts';
import { CLOCKS_APART_MS, databaseTime, latestEnd } from '../../core/trade/time/timestamp.ts';
import { PasswordReset, RESET_MS } from './reset.ts';
import { countedAhead, LoginFailure } from './throttle.ts';
import { TOKEN_MS, Token } from './token.ts';

/** Answers how many rows it has removed. */
export async function endAhead(session: Session): Promise<number> {
  const { knex } = session;
  const ended = [
    await retried(() => Token.ofAllOwners('login', { knex }).delete().modify(endsAfter, TOKEN_MS)),
    await retried(() => PasswordReset.ofAllOwners('login', { knex }).delete().modify(endsAfter, RESET_MS)),
    await retried(() => LoginFailure.query(knex).delete().modify(countedAhead)),
  ];
  return ended.reduce((sum, rows) => sum + rows, 0);
}

/** By both clocks: a process whose own clock is late must not end the tokens of the others. */
function endsAfter(query: AnyQueryBuilder, length: number): void {
  query
    .where('expires_at', '>', databaseTime(new Date(latestEnd(length))))
    .where('expires_at', '>', secondsFromNow((length + CLOCKS_APART_MS) / 1000));
}
