// The audit: the log of changes as a list, with old and new values, for an ADMIN.

import { violation } from '../../core/errors.ts';
import type { Condition } from '../../core/model/lists/condition.ts';
import { LIST_PARAMETERS } from '../../core/model/lists/list-query.ts';
import { auditResource } from '../../platform/changes/audit-resource.ts';
import { feedResources } from '../../platform/changes/feed-page.ts';
import type { Answer } from '../answer.ts';
import { type Call, type Endpoint, get } from '../endpoint.ts';
import { listDoc } from '../openapi/records.ts';
import { readableResources } from './changes.ts';
import { list } from './records.ts';

export const auditEndpoints: Endpoint[] = [
  get('/audit', {
    needs: 'ADMIN',
    // A logged change has no relations.
    parameters: LIST_PARAMETERS.filter((name) => name !== 'expand'),
    handle: readAudit,
    doc: () => {
      const { errors = [], ...doc } = listDoc(auditResource);
      return {
        ...doc,
        tag: 'changes',
        operationId: 'listAudit',
        summary: 'List changes of records with old and new values, the newest first',
        description:
          'Who changed what, for an ADMIN: the changes of resources that the key may GET. `changes` is null for an added or deleted record. For one record: ' +
          '`filter=resource:order,record_id:5`.',
        errors: [...errors, violation('role_forbids', { endpoint: 'GET /audit' })],
      };
    },
  }),
];

async function readAudit(call: Call): Promise<Answer> {
  // The list has changes with a place only.
  await call.services.feed.place(call.identity.owner);
  return list(auditResource, call, onlyReadable(call));
}

/** The rows of resources that the caller may GET: a logged change holds values of its record. */
function onlyReadable(call: Call): Condition[] {
  const field = auditResource.fields.get('resource');
  const values = readableResources(call);
  if (!field || values.length === feedResources().length) return [];
  return [{ column: 'resource', field, operator: 'in', values }];
}
