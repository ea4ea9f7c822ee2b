// The audit: the log of changes as a list, with old and new values, for an ADMIN.
import { auditResource } from '../../changes/audit-resource.ts';
import { LIST_PARAMETERS } from '../../model/list-query.ts';
import type { Answer } from '../answer.ts';
import type { Call, Endpoint } from '../endpoint.ts';
import { auditDoc } from '../openapi/changes.ts';
import { list } from './records.ts';

export const auditEndpoints: Endpoint[] = [
  {
    path: '/audit',
    methods: {
      GET: {
        // A logged change has no relations.
        parameters: LIST_PARAMETERS.filter((name) => name !== 'expand'),
        handle: readAudit,
        doc: auditDoc,
      },
    },
  },
];

async function readAudit(call: Call): Promise<Answer> {
  const { parameters, services, identity } = call;
  // The list has changes with a place only.
  await services.feed.place(identity.owner);
  const sorted = parameters.has('sort') ? parameters : new Map([...parameters, ['sort', '-seq']]);
  return list(auditResource, call, sorted);
}
