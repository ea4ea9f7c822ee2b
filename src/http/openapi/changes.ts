// Describes the feed of changes and the audit.

import { auditResource } from '../../changes/audit-resource.ts';
import { violation } from '../../errors.ts';
import { LISTS } from '../../trade/lists.ts';
import { instant, integer, type OperationDoc, optionalText, PAGING, text } from './operation.ts';
import { listDoc } from './records.ts';
import { object, resourceSchemas, type SchemaObject, schemaName } from './schema.ts';

const TAG = 'changes';
const actions = Object.keys(LISTS.changeactions).map((name) => name.toLowerCase());

const CHANGE: SchemaObject = object(
  {
    seq: { type: 'integer', description: 'Goes up by 1 from change to change of the owner' },
    resource: text,
    id: { ...integer, description: 'ID of the record' },
    external_id: optionalText,
    action: { type: 'string', enum: actions },
    version: { ...integer, description: 'Of the record after the change; of a deleted one, its last' },
    changed_at: instant,
    fields: { type: 'array', items: text, description: 'Of an update: the fields with new values' },
    record: {
      type: ['object', 'null'],
      description: 'Only where `expand` asks for it: the record as it is now; null if it is deleted',
    },
  },
  { required: ['seq', 'resource', 'id', 'external_id', 'action', 'version', 'changed_at', 'fields'] },
);

const DESCRIPTION =
  'A client that keeps asking with `after=<next>` sees every change once, and the changes of one record in order. ' +
  'To begin, take an export or read the lists, with the `next` of `after=now` from before. A copy of the records takes ' +
  '`expand=record`: it keeps the record as it is now, and removes it where it is null.';

export function changesDoc(): OperationDoc {
  return {
    tag: TAG,
    operationId: 'readChanges',
    summary: 'List changes of records, the oldest first',
    description: DESCRIPTION,
    parameters: {
      after: {
        description:
          '`next` of the page before, or `now`; without it the page begins with the oldest change kept',
      },
      resource: {
        description:
          'Names of resources, joined by commas; without it all that the key may GET. Another one is refused',
      },
      page_size: { ...PAGING.page_size, description: 'Changes a page' },
      wait: {
        description: 'Seconds to wait for a change where there is none',
        schema: { type: 'integer', minimum: 0, maximum: 25, default: 0 },
      },
      expand: { description: '`record`: each change with its record', schema: { enum: ['record'] } },
    },
    answer: object({
      successCode: { type: 'integer', const: 200 },
      data: { type: 'array', items: CHANGE },
      next: { ...text, description: 'The cursor for `after`, on the last page too' },
      has_more: { type: 'boolean', description: 'Whether to ask again at once' },
    }),
    good: 'One page of changes',
    errors: [
      violation('parameter_invalid', { field: 'after', reason: 'value is not a cursor of this feed' }),
      violation('field_unknown', { field: 'colour' }),
      violation('role_forbids', { endpoint: 'GET /order' }),
      violation('cursor_expired'),
      violation('too_many_waiting'),
      violation('request_too_slow'),
      violation('request_advice'),
    ],
  };
}

const selection = schemaName(auditResource, 'select');
/** The component that the list of the audit refers to. */
export const auditSchemas = { [selection]: resourceSchemas(auditResource)[selection] };

export function auditDoc(): OperationDoc {
  const doc = listDoc(auditResource);
  return {
    ...doc,
    tag: TAG,
    operationId: 'listAudit',
    summary: 'List changes of records with old and new values, the newest first',
    description:
      'Who changed what, for an ADMIN. `changes` is null for an added or deleted record. For one record: ' +
      '`filter=resource:order,record_id:5`.',
    errors: [...(doc.errors ?? []), violation('role_forbids', { endpoint: 'GET /audit' })],
  };
}
