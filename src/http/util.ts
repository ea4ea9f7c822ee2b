// What integrators look up: lists, the environment of a user, the description of a model.
import { problem } from '../errors.ts';
import { describeFields } from '../model/describe.ts';
import { findResource } from '../model/registry.ts';
import { isListName, LISTS } from '../trade/lists.ts';
import { type Answer, plain, success } from './answer.ts';
import { readBodyIfAny } from './body.ts';
import { PREFIX, requireParameters } from './dispatch.ts';
import type { Call, Endpoint } from './endpoint.ts';

const TIMEZONE = 'Europe/Amsterdam';

export const utilEndpoints: Endpoint[] = [
  { path: '/util/list', methods: { GET: { parameters: ['list'], handle: readList } } },
  { path: '/util/environment', methods: { GET: { parameters: ['username'], handle: readEnvironment } } },
  { path: '/model', byId: true, methods: { GET: { handle: readModel } } },
];

async function readList({ parameters }: Call): Promise<Answer> {
  const [list = ''] = requireParameters(parameters, ['list']);
  if (!isListName(list)) throw problem('value_invalid', { field: 'list', value: list, validation: 'lists' });
  return plain({ [list]: LISTS[list] });
}

async function readEnvironment({ parts, identity, parameters }: Call): Promise<Answer> {
  const [username = ''] = requireParameters(parameters, ['username']);
  const [owner] = await parts.database.rows(
    'SELECT o.name, o.timezone FROM employees e JOIN owners o ON o.id = e.owner_id WHERE e.owner_id = ? AND e.username = ?',
    [identity.owner, username.toLowerCase()],
  );
  if (!owner) throw problem('record_unknown', { field: 'username', value: username });
  return success({
    environment: parts.config.environment,
    version: parts.version,
    base_url: `${parts.publicUrl}${PREFIX}`,
    owner: owner.name,
    timezone: owner.timezone ?? TIMEZONE,
  });
}

async function readModel({ ctx, pathId }: Call): Promise<Answer> {
  if (pathId === undefined) throw problem('parameters_required', { fields: ['name'] });
  // A body is not needed here; one that is sent all the same must be JSON, says the specification.
  await readBodyIfAny(ctx.req);
  const resource = findResource(pathId);
  if (!resource) throw problem('record_unknown', { field: 'name', value: pathId });
  return success({ name: resource.name, fields: describeFields(resource) });
}
