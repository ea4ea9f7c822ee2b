// POST /authenticate/forgotpassword: mails a link to the page where a user sets a new password.
import { requestReset } from '../auth/reset.ts';
import { violation } from '../errors.ts';
import { text } from '../model/field.ts';
import { form } from '../model/form.ts';
import { type Answer, success } from './answer.ts';
import type { Call, Endpoint } from './endpoint.ts';
import { text as anyText, type OperationDoc } from './openapi/operation.ts';
import { bodyErrors } from './openapi/record-errors.ts';
import { formSchema, object } from './openapi/schema.ts';
import { RESET_PATH } from './password-reset.ts';

const FORGOT = form('forgotpassword', { username: text() });

export const forgotPasswordEndpoint: Endpoint = {
  path: '/authenticate/forgotpassword',
  methods: {
    POST: {
      refusal: { missing: 'token_invalid', dead: 'token_invalid' },
      body: 'optional',
      handle: forgotPassword,
      doc: forgotPasswordDoc,
    },
  },
};

/** Neither the answer nor the time that it takes tells whether the user exists. */
async function forgotPassword({ parts, identity, body }: Call): Promise<Answer> {
  const username = FORGOT.read(body).username || identity.username;
  const reset = await requestReset(parts.database, identity.owner, username);
  if (reset) {
    const text =
      'Somebody asked for a new password for your account. Set it within 60 minutes at\n\n' +
      `${parts.publicUrl}${RESET_PATH}?token=${reset.secret}\n\n` +
      'If that was not you, nothing needs to be done.\n';
    parts.mail({ to: reset.emailaddress, subject: 'A new password', text }).catch((error) => {
      parts.log.error({ err: error }, 'mailing a reset link failed');
    });
  }
  return success({ message: 'If the user exists, a link to set a new password was mailed' });
}

function forgotPasswordDoc(): OperationDoc {
  return {
    tag: 'authentication',
    operationId: 'forgotPassword',
    summary: 'Mail a link to set a new password',
    description:
      "For the caller's own user where no username is given. The answer is the same whether or not the user exists.",
    body: formSchema(FORGOT),
    data: object({ message: anyText }),
    errors: [violation('token_invalid'), ...bodyErrors(Object.entries(FORGOT.fields))],
  };
}
