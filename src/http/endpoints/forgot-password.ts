// POST /authenticate/forgotpassword: mails a link to the page where a user sets a new password.

import { Problem, violation } from '../../core/errors.ts';
import { form } from '../../core/model/bodies/form.ts';
import { text } from '../../core/model/fields/field.ts';
import { garageOf } from '../../core/model/statements/garage.ts';
import { comparableUsername } from '../../core/trade/identity/username.ts';
import { findResettable, openReset } from '../../platform/auth/reset.ts';
import type { Services } from '../../work/services.ts';
import { type Answer, success } from '../answer.ts';
import { type Call, post } from '../endpoint.ts';
import { once } from '../idempotency.ts';
import { text as anyText } from '../openapi/operation.ts';
import { object } from '../openapi/schema.ts';
import { RESET_PATH } from './password-reset.ts';

const FORGOT = form('forgotpassword', { username: text() });

export const forgotPasswordEndpoint = post('/authenticate/forgotpassword', {
  needs: 'token',
  refusal: { missing: 'token_invalid', dead: 'token_invalid' },
  form: FORGOT,
  handle: forgotPassword,
  doc: {
    tag: 'authentication',
    operationId: 'forgotPassword',
    summary: 'Mail a link to set a new password',
    description:
      "For the caller's own user where no username is given. The answer is the same whether or not the user exists. " +
      'A user gets at most one link a minute and five an hour.',
    data: object({ message: anyText }),
    errors: [violation('token_invalid')],
  },
});

/**
 * Neither the answer nor its time tells whether the user exists: work that only a known user causes is done after the
 * answer.
 */
function forgotPassword(call: Call): Promise<Answer> {
  const { ctx, services, identity, body } = call;
  // For an Idempotency-Key: without a name the same body of another caller is another request.
  const withCaller = { ...body, username: body.username || identity.username };
  return once(call, withCaller, async (session) => {
    const username = FORGOT.read(body).username || identity.username;
    const employee = await findResettable(garageOf(session, identity.owner), username);
    // The database takes names that differ in blanks at the end for the same, so a known user counts by ID.
    const whom =
      employee === undefined ? `${identity.owner} ${comparableUsername(username)}` : `id ${employee}`;
    if ((await mayMail(services, whom)) && employee !== undefined) {
      mailLink(services, identity.owner, employee).catch((error) => {
        services.log.error({ err: error, request_id: ctx.state.requestId }, 'mailing a reset link failed');
      });
    }
    return success({ message: 'If the user exists, a link to set a new password was mailed' });
  });
}

async function mayMail({ throttle }: Services, whom: string): Promise<boolean> {
  try {
    await throttle.mailsAMinute.count(whom);
    await throttle.mailsAnHour.count(whom);
    return true;
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}

async function mailLink(services: Services, owner: number, employee: number): Promise<void> {
  const reset = await openReset(services.database, owner, employee);
  if (!reset) return;
  const text =
    'Somebody asked for a new password for your account. Set it within 60 minutes at\n\n' +
    `${services.publicUrl}${RESET_PATH}?token=${reset.secret}\n\n` +
    'If that was not you, nothing needs to be done.\n';
  await services.mail({ to: reset.emailaddress, subject: 'A new password', text });
}
