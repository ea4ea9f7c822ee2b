// The change log as lists know it: `GET /audit` filters, sorts and pages like the list of any resource. A logged change
// is no record: nobody adds or changes one, and its place in the feed is its key.
import type { Modifiers } from 'objection';
import { LoggedChange } from './change-log.ts';
import { changeAction, type Field, int4, optionalJson, timestamp, varchar } from './field.ts';
import type { AnyRecordClass, Resource } from './record.ts';

const ALWAYS = { required: true, readonly: true } as const;

const FIELDS: Readonly<Record<string, Field>> = {
  seq: int4({ ...ALWAYS, unique: 'owner', description: 'The place of the change in the feed' }),
  at: timestamp(ALWAYS),
  resource: varchar(40, ALWAYS),
  record_id: int4(ALWAYS),
  action: changeAction(ALWAYS),
  employee_id: int4({ readonly: true, description: 'Who made the change; null: the service itself' }),
  api_key_id: int4({ readonly: true, description: 'The key of the request; null: the service itself' }),
  request_id: varchar(200, { readonly: true, description: 'X-Request-Id of the request' }),
  changes: optionalJson(
    { type: 'object', additionalProperties: { type: 'array', minItems: 2, maxItems: 2 } },
    {
      description:
        'Of an update: `{"field": [old, new]}`, with texts cut at 1,000 characters and `[...]` for a secret',
    },
  ),
};

class AuditedChange extends LoggedChange {
  static get resource(): Resource {
    return auditResource;
  }

  static override get modifiers(): Modifiers {
    return {
      // A change that was committed after the places were given has none yet.
      owned: (query, owner: number) => void query.where('t.owner_id', owner).whereNotNull('t.seq'),
    };
  }
}

export const auditResource: Resource = {
  name: 'audit',
  model: AuditedChange as unknown as AnyRecordClass,
  table: LoggedChange.tableName,
  fields: new Map(Object.entries(FIELDS)),
  columns: Object.keys(FIELDS),
  unshown: [],
  traits: {
    description: 'A logged change of a record',
    indexes: [['resource', 'record_id'], ['employee_id'], ['api_key_id'], ['at']].map((columns) => [
      ...columns,
      'seq',
    ]),
  },
  ownership: 'column',
  methods: ['GET'],
  key: 'seq',
};
