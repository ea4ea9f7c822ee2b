// Shows the rights and the user of a token: endpoints, resources, modules and the fingerprint.

import { violation } from '../../errors.ts';
import { findRecord } from '../../model/find.ts';
import { garageOf } from '../../model/garage.ts';
import type { Method } from '../../model/record.ts';
import { allResources } from '../../model/registry.ts';
import { Owner } from '../../resources/owner.ts';
import { type Answer, success } from '../answer.ts';
import { type Call, type Endpoint, forbiddenAt } from '../endpoint.ts';
import { flag, instant, integer, type OperationDoc, text } from '../openapi/operation.ts';
import { object } from '../openapi/schema.ts';

/** `all` gives every endpoint of the service, including these. */
export const accessEndpoints = (all: () => readonly Endpoint[]): Endpoint[] => [
  {
    path: '/authenticate/acces',
    methods: { GET: { handle: async (call) => success(usable(call, all())), doc: accessDoc } },
  },
  {
    path: '/authenticate/component',
    methods: { GET: { handle: async (call) => success(components(call)), doc: componentsDoc } },
  },
  { path: '/authenticate/modules', methods: { GET: { handle: modules, doc: modulesDoc } } },
  {
    path: '/authenticate/fingerprint',
    methods: {
      GET: { refusal: { missing: 'authorization_missing' }, handle: fingerprint, doc: fingerprintDoc },
    },
  },
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

const may = (
  { identity }: Call,
  method: Method,
  endpoint: Pick<Endpoint, 'path' | 'countsAs' | 'impliedBy'>,
) => !forbiddenAt(identity, method, endpoint);

function usable(call: Call, endpoints: readonly Endpoint[]): { method: string; endpoint: string }[] {
  return endpoints.flatMap((endpoint) =>
    (Object.keys(endpoint.methods) as Method[])
      .filter((method) => may(call, method, endpoint))
      .map((method) => ({ method, endpoint: endpoint.path })),
  );
}

function components(call: Call): object[] {
  return allResources()
    .filter(({ methods }) => methods.length > 0)
    .map(({ name, methods }) => {
      const can = (method: Method) =>
        methods.includes(method) && may(call, method, { path: `/${name}` }) ? 1 : 0;
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

function accessDoc(): OperationDoc {
  return {
    tag: 'authentication',
    operationId: 'readAccess',
    summary: 'The endpoints that this token may use',
    data: { type: 'array', items: object({ method: text, endpoint: text }) },
  };
}

function componentsDoc(): OperationDoc {
  return {
    tag: 'authentication',
    operationId: 'readComponents',
    summary: 'The resources that this token may use',
    data: {
      type: 'array',
      items: object({ name: text, can_read: flag, can_add: flag, can_update: flag, can_delete: flag }),
    },
  };
}

function modulesDoc(): OperationDoc {
  return {
    tag: 'authentication',
    operationId: 'readModules',
    summary: 'The modules of the garage',
    data: { type: 'object', additionalProperties: flag },
  };
}

function fingerprintDoc(): OperationDoc {
  return {
    tag: 'authentication',
    operationId: 'readFingerprint',
    summary: 'The garage, the user and the rights of this token',
    data: object({
      fingerprint: text,
      username: text,
      owner_id: integer,
      issued_at: instant,
      expires_at: instant,
    }),
    errors: [violation('authorization_missing'), violation('not_authorized')],
  };
}
