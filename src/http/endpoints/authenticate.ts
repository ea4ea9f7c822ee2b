// GET and POST /authenticate get a token; GET /authenticate/logout ends it.

import { violation } from '../../core/errors.ts';
import { form } from '../../core/model/bodies/form.ts';
import { text } from '../../core/model/fields/field.ts';
import { login } from '../../platform/auth/login.ts';
import { type Answer, plain } from '../answer.ts';
import { type Call, type Endpoint, get } from '../endpoint.ts';
import { requireParameters } from '../middleware/query-parameters.ts';
import { text as anyText, instant, optionalText, uuid } from '../openapi/operation.ts';
import { bodyErrors } from '../openapi/record-errors.ts';
import { object, type SchemaObject } from '../openapi/schema.ts';
import { accessEndpoints } from './access.ts';
import { forgotPasswordEndpoint } from './forgot-password.ts';

const REQUIRED = ['api_key', 'username', 'password'];
const CREDENTIALS = form('authenticate', {
  // Secrets are write-only, so that no refusal shows them.
  api_key: text({ writeOnly: true }),
  organization_name: text(),
  username: text(),
  password: text({ writeOnly: true }),
});

const credentials: Record<string, SchemaObject> = {
  api_key: { ...uuid, description: 'Issued once per third party' },
  username: { ...anyText, description: 'A user of the garage; case does not count' },
  password: { ...anyText, format: 'password', description: 'The password of that user' },
};
const ORGANIZATION = "Left empty, or the name of the user's garage";
const TAG = 'authentication';
const token = object({ token: anyText, expires_at: instant });
const loginErrors = [
  violation('parameters_required', { fields: ['api_key', 'username'] }),
  violation('not_authorized'),
  violation('external_user'),
  violation('emailaddress_missing', { id: 7 }),
  violation('emailaddress_invalid', { field: 'emailaddress', value: 'nobody' }),
  violation('too_many_attempts'),
];

/** `all` gives every endpoint of the service, including these. */
export const authenticateEndpoints = (all: () => readonly Endpoint[]): Endpoint[] => [
  {
    path: '/authenticate',
    methods: {
      GET: {
        needs: 'nothing',
        unsafe: true,
        parameters: [...REQUIRED, 'organization_name'],
        handle: (call) => authenticate(call, call.parameters),
        doc: {
          tag: TAG,
          operationId: 'authenticate',
          summary: 'Get a token',
          description: 'Prefer POST: it keeps the password out of addresses.',
          parameters: {
            ...Object.fromEntries(
              Object.entries(credentials).map(([name, schema]) => [
                name,
                { description: String(schema.description), required: true, schema },
              ]),
            ),
            organization_name: { description: ORGANIZATION },
          },
          answer: token,
          errors: loginErrors,
        },
      },
      POST: {
        needs: 'nothing',
        body: 'required',
        handle: authenticateByBody,
        doc: {
          tag: TAG,
          operationId: 'authenticateByBody',
          summary: 'Get a token, the password in the body',
          description:
            'Send the token in the header `token` of each other request. It is valid for 30 minutes from now, and use does not extend it. ' +
            'Five wrong passwords within 15 minutes lock the user out for a while (429).',
          body: object(
            { ...credentials, organization_name: { ...optionalText, description: ORGANIZATION } },
            { required: REQUIRED },
          ),
          answer: token,
          errors: [...loginErrors, ...bodyErrors(CREDENTIALS.fields)],
        },
      },
    },
  },
  ...accessEndpoints(all),
  forgotPasswordEndpoint,
  get('/authenticate/logout', {
    // A dead token is no error here.
    needs: 'nothing',
    takesToken: true,
    unsafe: true,
    handle: logout,
    doc: {
      tag: TAG,
      operationId: 'logout',
      summary: 'End the token',
      description: 'A token that is dead already is answered 200 with the message `Not authorized`.',
      answer: object({ successCode: { type: 'integer', const: 200 }, message: anyText }),
      errors: [violation('not_authorized')],
    },
  }),
];

async function authenticateByBody(call: Call): Promise<Answer> {
  const given = Object.entries(CREDENTIALS.read(call.body));
  return authenticate(call, new Map(given.map(([name, value]) => [name, value ?? ''])));
}

async function authenticate({ services, ctx }: Call, given: ReadonlyMap<string, string>): Promise<Answer> {
  const [api_key = '', username = '', password = ''] = requireParameters(given, REQUIRED);
  const { tokens, throttle, database } = services;
  const credentials = { api_key, username, password, organization_name: given.get('organization_name') };
  ctx.state.headers['Cache-Control'] = 'no-store';
  return plain(
    await login({ database, tokens, throttle }, credentials, {
      address: ctx.ip,
      requestId: ctx.state.requestId,
    }),
  );
}

async function logout({ services, ctx }: Call): Promise<Answer> {
  const token = String(ctx.req.headers.token);
  if (!(await services.tokens.find(token))) return plain({ successCode: 200, message: 'Not authorized' });
  await services.tokens.end(token);
  return plain({ successCode: 200, message: 'Logged out' });
}
