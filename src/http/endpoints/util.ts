// Look-ups for integrators: the values of a list, the environment of a user, the fields of a resource.

import { findUser } from '../../auth/user.ts';
import { problem, violation } from '../../errors.ts';
import { describeFields } from '../../model/describe.ts';
import { findRecord } from '../../model/find.ts';
import { garageOf } from '../../model/garage.ts';
import { findResource } from '../../model/registry.ts';
import { Owner } from '../../resources/owner.ts';
import { isListName, LISTS } from '../../trade/lists.ts';
import { type Answer, plain, success } from '../answer.ts';
import { type Address, type Call, type Endpoint, PREFIX } from '../endpoint.ts';
import { requireParameters } from '../middleware/query-parameters.ts';
import {
  address,
  flag,
  integer,
  type OperationDoc,
  optionalInteger,
  optionalText,
  type ParameterDoc,
  text,
} from '../openapi/operation.ts';
import { object, type SchemaObject } from '../openapi/schema.ts';

const username: ParameterDoc = { description: 'A user of this garage', required: true };
const TIMEZONE = 'Europe/Amsterdam';

export const utilEndpoints: Endpoint[] = [
  {
    path: '/util/list',
    methods: { GET: { needs: 'READONLY', parameters: ['list'], handle: readList, doc: listDoc } },
  },
  {
    path: '/util/environment',
    methods: {
      GET: { needs: 'READONLY', parameters: ['username'], handle: readEnvironment, doc: environmentDoc },
    },
  },
  {
    path: '/model',
    byId: true,
    // The request needs no body. If it has one, the specification still demands valid JSON.
    methods: {
      GET: { needs: 'READONLY', readId: requireName, body: 'optional', handle: readModel, doc: modelDoc },
    },
  },
];

function requireName({ pathId }: Address): undefined {
  if (pathId === undefined) throw problem('parameters_required', { fields: ['name'] });
}

async function readList({ parameters }: Call): Promise<Answer> {
  const [list = ''] = requireParameters(parameters, ['list']);
  if (!isListName(list)) throw problem('value_invalid', { field: 'list', value: list, validation: 'lists' });
  return plain({ [list]: LISTS[list] });
}

async function readEnvironment({ services, identity, parameters }: Call): Promise<Answer> {
  const [username = ''] = requireParameters(parameters, ['username']);
  const { database } = services;
  const user = await findUser(garageOf(database, identity.owner), username);
  if (!user) throw problem('record_unknown', { field: 'username', value: username });
  const columns = ['name', 'timezone'];
  const owner = await findRecord(garageOf(database, identity.owner), Owner.resource, identity.owner, columns);
  return success({
    environment: services.config.environment,
    version: services.version,
    base_url: `${services.publicUrl}${PREFIX}`,
    owner: owner?.name,
    timezone: owner?.timezone ?? TIMEZONE,
  });
}

async function readModel({ pathId = '' }: Call): Promise<Answer> {
  const resource = findResource(pathId);
  if (!resource) throw problem('record_unknown', { field: 'name', value: pathId });
  return success({ name: resource.name, fields: describeFields(resource) });
}

function listDoc(): OperationDoc {
  return {
    tag: 'look-up',
    operationId: 'readList',
    summary: 'The names and values of a list',
    description:
      'Fields such as `order_type` hold a number of a list. `GET /model/{name}` names the list of each field.',
    parameters: { list: { description: 'Name of the list', required: true, example: 'ordertypes' } },
    answer: { type: 'object', additionalProperties: { type: 'object', additionalProperties: integer } },
    errors: [
      violation('parameters_required', { fields: ['list'] }),
      violation('value_invalid', { field: 'list', value: 'x', validation: 'lists' }),
    ],
  };
}

function environmentDoc(): OperationDoc {
  return {
    tag: 'look-up',
    operationId: 'readEnvironment',
    summary: 'Where a user works',
    description:
      'Name and version of the installation, its base address, and the name and time zone of the garage.',
    parameters: { username },
    data: object({ environment: text, version: text, base_url: address, owner: text, timezone: text }),
    errors: [
      violation('parameters_required', { fields: ['username'] }),
      violation('record_unknown', { field: 'username', value: 'anna' }),
    ],
  };
}

/** A field in the answer; `personal` is there for personal data only. */
const described = (properties: Record<string, SchemaObject>): SchemaObject =>
  object(
    { ...properties, personal: { type: 'boolean', const: true } },
    { required: Object.keys(properties) },
  );

function modelDoc(): OperationDoc {
  return {
    tag: 'look-up',
    operationId: 'readModel',
    summary: 'The fields of a resource',
    description:
      'Type, length and rules of each field, from the definitions that also check the requests. `list` is the name for ' +
      '`GET /util/list`, and `reference` the resource that the field refers to.',
    parameters: { name: { description: 'Name of a resource', example: 'order' } },
    data: object({
      name: text,
      fields: {
        type: 'array',
        items: described({
          name: text,
          datatype: text,
          length: optionalInteger,
          required: flag,
          readonly: flag,
          primary: flag,
          unique: flag,
          fixed: flag,
          reference: optionalText,
          list: optionalText,
          validation: optionalText,
        }),
      },
    }),
    errors: [
      violation('parameters_required', { fields: ['name'] }),
      violation('body_not_json'),
      violation('body_not_object'),
      violation('request_timeout'),
      violation('record_unknown', { field: 'name', value: 'x' }),
    ],
  };
}
