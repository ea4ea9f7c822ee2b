// Removes tokens, reset links and counts of failed logins that have ended.
import { retried } from '../../core/model/statements/retried.ts';
import type { Tidier } from '../../core/model/statements/tidier.ts';
import { databaseTime } from '../../core/trade/time/timestamp.ts';
import { endAhead } from './ahead.ts';
import { PasswordReset } from './reset.ts';
import { LoginFailure } from './throttle.ts';
import { Token } from './token.ts';

export const AUTH_TIDIERS: readonly Tidier[] = [
  {
    name: 'tokens',
    byAge: true,
    remove: ({ database, at }) =>
      retried(() =>
        Token.ofAllOwners('tidying', database).delete().where('expires_at', '<', databaseTime(at)),
      ),
  },
  {
    name: 'password_resets',
    byAge: true,
    remove: ({ database, at }) =>
      retried(() =>
        PasswordReset.ofAllOwners('tidying', database).delete().where('expires_at', '<', databaseTime(at)),
      ),
  },
  {
    name: 'login_failures',
    byAge: true,
    remove: ({ database: { knex }, at }) =>
      retried(() => LoginFailure.query(knex).delete().where('expire', '<', at.getTime())),
  },
  // Nobody takes these for valid, whatever the clock says. Later their ends would look right.
  { name: 'ended_ahead', byAge: false, remove: ({ database }) => endAhead(database) },
];
