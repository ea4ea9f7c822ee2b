// The change log as `GET /audit` lists it. The place of a change in the feed is its key.

import { changeAction, int4, optionalJson, timestamp, varchar } from '../../core/model/fields/field.ts';
import { listed } from '../../core/model/records/listed.ts';
import { LoggedChange } from '../../core/model/writes/change-log.ts';

const ALWAYS = { required: true, readonly: true } as const;

const FIELDS = {
  seq: int4({ ...ALWAYS, unique: 'owner', description: 'The place of the change in the feed' }),
  at: timestamp(ALWAYS),
  resource: varchar(40, { ...ALWAYS, isAscii: true }),
  record_id: int4(ALWAYS),
  action: changeAction(ALWAYS),
  employee_id: int4({ readonly: true, description: 'Who made the change; null: the service itself' }),
  api_key_id: int4({ readonly: true, description: 'The key of the request; null: the service itself' }),
  request_id: varchar(200, {
    readonly: true,
    description: 'X-Request-Id of the request; of an import the ID of its job',
  }),
  changes: optionalJson(
    { type: 'object', additionalProperties: { type: 'array', items: {}, minItems: 2, maxItems: 2 } },
    {
      description:
        'Of an update: `{"field": [old, new]}`, with texts cut at 1,000 characters and `[...]` for a secret',
    },
  ),
};

export const auditResource = listed('audit', LoggedChange, FIELDS, {
  description: 'A logged change of a record',
  key: 'seq',
  indexes: [['resource', 'record_id'], ['employee_id'], ['api_key_id'], ['at']].map((columns) => [
    ...columns,
    'seq',
  ]),
  modifiers: { owned: (query, owner: number) => void query.where('t.owner_id', owner) },
});
