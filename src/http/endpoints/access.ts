// Shows the rights and the user of a token: endpoints, resources, modules and the fingerprint.

import { violation } from '../../core/errors.ts';
import { findRecord } from '../../core/model/lists/find.ts';
import type { Method } from '../../core/model/records/record.ts';
import { allResources } from '../../core/model/records/registry.ts';
import { garageOf } from '../../core/model/statements/garage.ts';
import { Owner } from '../../core/resources/owner.ts';
import { type Answer, success } from '../answer.ts';
import { type Call, type Endpoint, get } from '../endpoint.ts';
import { flag, instant, integer, text } from '../openapi/operation.ts';
import { list, object } from '../openapi/schema.ts';

const TAG = 'authentication';

/** `all` gives every endpoint of the service, including these. */
export const accessEndpoints = (all: () => readonly Endpoint[]): Endpoint[] => [
  get('/authenticate/acces', {
    needs: 'token',
    handle: async (call) => success(usable(call, all())),
    doc: {
      tag: TAG,
      operationId: 'readAccess',
      summary: 'The endpoints that this token may use',
      description:
        'The rights of the API key and the role of the user together: other requests are refused with 403.',
      data: list({ method: text, endpoint: text }),
    },
  }),
  get('/authenticate/component', {
    needs: 'token',
    handle: async (call) => success(components(call)),
    doc: {
      tag: TAG,
      operationId: 'readComponents',
      summary: 'The resources that this token may use',
      description: 'For each resource, whether its records can be read, added, changed and deleted: 1 or 0.',
      data: list({ name: text, can_read: flag, can_add: flag, can_update: flag, can_delete: flag }),
    },
  }),
  get('/authenticate/modules', {
    needs: 'token',
    handle: modules,
    doc: {
      tag: TAG,
      operationId: 'readModules',
      summary: 'The modules of the garage',
      description: 'Whether the garage has each module: 1 or 0. No endpoint depends on it.',
      data: { type: 'object', additionalProperties: flag },
    },
  }),
  get('/authenticate/fingerprint', {
    needs: 'token',
    refusal: { missing: 'authorization_missing' },
    handle: fingerprint,
    doc: {
      tag: TAG,
      operationId: 'readFingerprint',
      summary: 'The garage and the user of this token',
      description: '`fingerprint` names the token and gives no access, so a log may keep it.',
      data: object({
        fingerprint: text,
        username: text,
        owner_id: integer,
        issued_at: instant,
        expires_at: instant,
      }),
      errors: [violation('authorization_missing'), violation('not_authorized')],
    },
  }),
];

async function fingerprint({ identity }: Call): Promise<Answer> {
  return success({
    fingerprint: identity.fingerprint,
    username: identity.username,
    owner_id: identity.owner,
    issued_at: identity.issuedAt,
    expires_at: identity.expiresAt,
  });
}

async function modules({ services, identity }: Call): Promise<Answer> {
  const { owner } = identity;
  const found = await findRecord(garageOf(services.database, owner), Owner.resource, owner, ['modules']);
  return success(JSON.parse(found?.modules ?? '{}'));
}

function usable({ forbids }: Call, endpoints: readonly Endpoint[]): { method: string; endpoint: string }[] {
  return endpoints.flatMap(({ path, methods }) =>
    Object.keys(methods)
      .filter((method) => !forbids(`${method} ${path}`))
      .map((method) => ({ method, endpoint: path })),
  );
}

function components({ forbids }: Call): object[] {
  return allResources()
    .filter(({ methods }) => methods.length > 0)
    .map(({ name, methods }) => {
      const can = (method: Method) => (methods.includes(method) && !forbids(`${method} /${name}`) ? 1 : 0);
      return {
        name,
        can_read: can('GET'),
        can_add: can('POST'),
        can_update: can('PUT'),
        can_delete: can('DELETE'),
      };
    })
    .filter(({ name: _, ...can }) => Object.values(can).includes(1));
}
