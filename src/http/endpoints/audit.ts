// The audit: the log of changes as a list, with old and new values, for an ADMIN.
import { auditResource } from '../../changes/audit-resource.ts';
import { violation } from '../../errors.ts';
import { LIST_PARAMETERS } from '../../model/list-query.ts';
import type { Answer } from '../answer.ts';
import type { Call, Endpoint } from '../endpoint.ts';
import type { OperationDoc } from '../openapi/operation.ts';
import { listDoc } from '../openapi/records.ts';
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
  // The list has changes with a place only.
  await call.services.feed.place(call.identity.owner);
  return list(auditResource, call);
}

function auditDoc(): OperationDoc {
  const doc = listDoc(auditResource);
  return {
    ...doc,
    tag: 'changes',
    operationId: 'listAudit',
    summary: 'List changes of records with old and new values, the newest first',
    description:
      'Who changed what, for an ADMIN. `changes` is null for an added or deleted record. For one record: ' +
      '`filter=resource:order,record_id:5`.',
    errors: [...(doc.errors ?? []), violation('role_forbids', { endpoint: 'GET /audit' })],
  };
}
