// Look-ups for integrators: the values of a list, the environment of a user, the fields of a resource.

import { problem, violation } from '../../core/errors.ts';
import { BODY_LIMIT } from '../../core/model/bodies/body-limit.ts';
import { findRecord } from '../../core/model/lists/find.ts';
import { describeFields } from '../../core/model/records/describe.ts';
import { findResource } from '../../core/model/records/registry.ts';
import { garageOf } from '../../core/model/statements/garage.ts';
import { Owner } from '../../core/resources/owner.ts';
import { isListName, LISTS, type ListName } from '../../core/trade/lists.ts';
import { findUser } from '../../platform/auth/user.ts';
import { type Answer, plain, success } from '../answer.ts';
import { type Address, type Call, type Endpoint, get, PREFIX } from '../endpoint.ts';
import { address, flag, integer, optionalInteger, optionalText, text } from '../openapi/operation.ts';
import { list, object } from '../openapi/schema.ts';
import { anyText, query } from '../query.ts';

const TAG = 'look-up';
/** A field in the answer. */
const FIELD = {
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
};
/** For personal data only. */
const PERSONAL = { type: 'boolean', const: true };

const TIMEZONE = 'Europe/Amsterdam';
const LIST = query({
  list: anyText({
    required: true,
    description: 'Name of the list',
    example: 'ordertypes',
    validation: { name: 'lists', normalise: (name) => (isListName(name) ? name : undefined) },
  }),
});
const USER = query({ username: anyText({ required: true, description: 'A user of this garage' }) });

export const utilEndpoints: Endpoint[] = [
  get('/util/list', {
    needs: 'READONLY',
    query: LIST,
    handle: readList,
    doc: {
      tag: TAG,
      operationId: 'readList',
      summary: 'The names and values of a list',
      description:
        'Fields such as `order_type` hold a number of a list. `GET /model/{name}` names the list of each field.',
      answer: { type: 'object', additionalProperties: { type: 'object', additionalProperties: integer } },
      errors: [violation('value_invalid', { field: 'list', value: 'x', validation: 'lists' })],
    },
  }),
  get('/util/environment', {
    needs: 'READONLY',
    query: USER,
    handle: readEnvironment,
    doc: {
      tag: TAG,
      operationId: 'readEnvironment',
      summary: 'Where a user works',
      description:
        'Name and version of the installation, its base address, and the name and time zone of the garage.',
      data: object({ environment: text, version: text, base_url: address, owner: text, timezone: text }),
      errors: [violation('record_unknown', { field: 'username', value: 'anna' })],
    },
  }),
  {
    path: '/model',
    byId: true,
    methods: {
      GET: {
        needs: 'READONLY',
        readId: requireName,
        // The request needs no body. If it has one, the specification still demands valid JSON.
        body: 'optional',
        handle: readModel,
        doc: {
          tag: TAG,
          operationId: 'readModel',
          summary: 'The fields of a resource',
          description:
            'Type, length and rules of each field, from the definitions that also check the requests. `list` is the name for ' +
            '`GET /util/list`, and `reference` the resource that the field refers to.',
          parameters: { name: { description: 'Name of a resource', example: 'order' } },
          data: object({
            name: text,
            fields: list({ ...FIELD, personal: PERSONAL }, { required: Object.keys(FIELD) }),
          }),
          errors: [
            violation('parameters_required', { fields: ['name'] }),
            violation('body_not_json'),
            violation('body_not_object'),
            violation('body_too_large', { limit: BODY_LIMIT }),
            violation('request_timeout'),
            violation('record_unknown', { field: 'name', value: 'x' }),
          ],
        },
      },
    },
  },
];

function requireName({ pathId }: Address): undefined {
  if (pathId === undefined) throw problem('parameters_required', { fields: ['name'] });
}

async function readList({ parameters }: Call): Promise<Answer> {
  const { list } = LIST.read(parameters);
  return plain({ [list]: LISTS[list as ListName] });
}

async function readEnvironment({ services, identity, parameters }: Call): Promise<Answer> {
  const { username } = USER.read(parameters);
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
