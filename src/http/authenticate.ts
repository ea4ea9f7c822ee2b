// Getting a token, ending it, and what it stands for.
import { login } from '../auth/login.ts';
import { forbidden } from '../auth/permission.ts';
import { requestReset } from '../auth/reset.ts';
import { problem } from '../errors.ts';
import { text } from '../model/field.ts';
import { findRecord } from '../model/find.ts';
import { form } from '../model/form.ts';
import type { Method } from '../model/record.ts';
import { allResources, resourceNamed } from '../model/registry.ts';
import { type Answer, plain, success } from './answer.ts';
import { readBody, readBodyIfAny } from './body.ts';
import { requireParameters } from './dispatch.ts';
import type { Call, Endpoint } from './endpoint.ts';
import { RESET_PATH } from './password-reset.ts';

const REQUIRED = ['api_key', 'username', 'password'];
export const CREDENTIALS = form('authenticate', {
  api_key: text(),
  organization_name: text(),
  username: text(),
  password: text(),
});

export const FORGOT = form('forgotpassword', { username: text() });

/** `all` is every endpoint of the service, these among them: what a token may use is told of all. */
export const authenticateEndpoints = (all: () => readonly Endpoint[]): Endpoint[] => [
  {
    path: '/authenticate',
    methods: {
      GET: {
        open: true,
        unsafe: true,
        parameters: [...REQUIRED, 'organization_name'],
        handle: (call) => authenticate(call, call.parameters),
      },
      POST: { open: true, handle: authenticateByBody },
    },
  },
  { path: '/authenticate/acces', methods: { GET: { handle: async (call) => success(usable(call, all())) } } },
  {
    path: '/authenticate/component',
    methods: { GET: { handle: async (call) => success(components(call)) } },
  },
  { path: '/authenticate/modules', methods: { GET: { handle: modules } } },
  {
    path: '/authenticate/fingerprint',
    methods: { GET: { refusal: { missing: 'authorization_missing' }, handle: fingerprint } },
  },
  {
    path: '/authenticate/forgotpassword',
    methods: {
      POST: { refusal: { missing: 'token_invalid', dead: 'token_invalid' }, handle: forgotPassword },
    },
  },
  // Whether the token is dead is this endpoint's own affair: that is no error here.
  { path: '/authenticate/logout', methods: { GET: { open: true, unsafe: true, handle: logout } } },
];

async function authenticateByBody(call: Call): Promise<Answer> {
  const given = Object.entries(CREDENTIALS.read(await readBody(call.ctx.req)));
  return authenticate(call, new Map(given.map(([name, value]) => [name, value ?? ''])));
}

async function authenticate({ parts, ctx }: Call, given: ReadonlyMap<string, string>): Promise<Answer> {
  const [api_key = '', username = '', password = ''] = requireParameters(given, REQUIRED);
  const { tokens, throttle, database } = parts;
  const credentials = { api_key, username, password, organization_name: given.get('organization_name') };
  ctx.state.headers['Cache-Control'] = 'no-store';
  return plain(await login({ session: database, tokens, throttle }, credentials, ctx.ip));
}

async function logout({ parts, ctx }: Call): Promise<Answer> {
  const { token } = ctx.req.headers;
  if (typeof token !== 'string' || token === '') throw problem('not_authorized');
  if (!(await parts.tokens.find(token))) return plain({ successCode: 200, message: 'Not authorized' });
  await parts.tokens.end(token);
  return plain({ successCode: 200, message: 'Logged out' });
}

/** Nothing in the answer, nor in the time that it takes, tells whether the user exists. */
async function forgotPassword({ parts, identity, ctx }: Call): Promise<Answer> {
  const username = (await readUsername(ctx.req)) ?? identity.username;
  const reset = await requestReset(parts.database, identity.owner, username);
  if (reset) {
    const text =
      'Somebody asked for a new password for your account. Set it within 60 minutes at\n\n' +
      `${parts.publicUrl}${RESET_PATH}?token=${reset.secret}\n\n` +
      'If that was not you, nothing needs to be done.\n';
    parts.mail({ to: reset.emailaddress, subject: 'A new password', text }).catch((error) => {
      parts.log.error({ err: error }, 'a reset link could not be mailed');
    });
  }
  return success({ message: 'If the user exists, a link to set a new password was mailed' });
}

async function readUsername(request: Call['ctx']['req']): Promise<string | undefined> {
  const body = await readBodyIfAny(request);
  return body && (FORGOT.read(body).username || undefined);
}

async function fingerprint({ identity }: Call): Promise<Answer> {
  return success({
    fingerprint: identity.fingerprint,
    username: identity.username,
    owner_id: identity.owner,
    issued_at: identity.issuedAt,
    expires_at: identity.expiresAt,
  });
}

async function modules({ parts, identity }: Call): Promise<Answer> {
  const owner = await findRecord(parts.database, resourceNamed('owner'), identity.owner, identity.owner, [
    'modules',
  ]);
  return success(JSON.parse(String(owner?.modules ?? '{}')));
}

const may = ({ identity }: Call, method: Method, path: string) =>
  !forbidden(identity.allow, identity.role, method, path);

function usable(call: Call, endpoints: readonly Endpoint[]): { method: string; endpoint: string }[] {
  return endpoints.flatMap(({ path, methods }) =>
    (Object.keys(methods) as Method[])
      .filter((method) => may(call, method, path))
      .map((method) => ({ method, endpoint: path })),
  );
}

function components(call: Call): object[] {
  return allResources()
    .filter(({ methods }) => methods.length > 0)
    .map(({ name, methods }) => {
      const can = (method: Method) => (methods.includes(method) && may(call, method, `/${name}`) ? 1 : 0);
      return {
        name,
        can_read: can('GET'),
        can_add: can('POST'),
        can_update: can('PUT'),
        can_delete: can('DELETE'),
      };
    })
    .filter(
      ({ can_read, can_add, can_update, can_delete }) => can_read + can_add + can_update + can_delete > 0,
    );
}
