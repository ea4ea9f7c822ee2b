// The description of the endpoints that are neither records, vehicles, jobs nor authentication.
import { violation } from '../../errors.ts';
import { FLAT_RATE } from '../order.ts';
import {
  address,
  flag,
  instant,
  integer,
  type OperationDoc,
  optionalInteger,
  optionalText,
  type ParameterDoc,
  RECORD_ID,
  text,
} from './operation.ts';
import { addressErrors, bodyErrors, changeStates } from './record-errors.ts';
import { formSchema, object, ref } from './schema.ts';

const id: ParameterDoc = { ...RECORD_ID, required: true };
const username: ParameterDoc = { description: 'A user of this garage', required: true };
const unknownUser = violation('record_unknown', { field: 'username', value: 'anna' });
const unknownId = violation('record_unknown', { field: 'id', value: 5 });

const email = (operationId: string): OperationDoc => ({
  tag: 'employee',
  operationId,
  summary: 'The e-mail address of a user',
  parameters: { username },
  data: object({ username: text, emailaddress: optionalText }),
  errors: [violation('username_missing'), unknownUser],
});

export const specialDocs: Record<string, OperationDoc> = {
  'GET /util/list': {
    tag: 'look-up',
    operationId: 'readList',
    summary: 'The names and values of a list',
    parameters: { list: { description: 'Name of the list', required: true, example: 'ordertypes' } },
    answer: { type: 'object', additionalProperties: { type: 'object', additionalProperties: integer } },
    errors: [
      violation('parameters_required', { fields: ['list'] }),
      violation('value_invalid', { field: 'list', value: 'x', validation: 'lists' }),
    ],
  },
  'GET /util/environment': {
    tag: 'look-up',
    operationId: 'readEnvironment',
    summary: 'Where a user works',
    parameters: { username },
    data: object({ environment: text, version: text, base_url: address, owner: text, timezone: text }),
    errors: [violation('parameters_required', { fields: ['username'] }), unknownUser],
  },
  'GET /model/{name}': {
    tag: 'look-up',
    operationId: 'readModel',
    summary: 'The fields of a resource',
    parameters: { name: { description: 'Name of a resource', example: 'order' } },
    data: object({
      name: text,
      fields: {
        type: 'array',
        items: object({
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
      violation('record_unknown', { field: 'name', value: 'x' }),
    ],
  },
  'GET /contact/checkaddress': {
    tag: 'contact',
    operationId: 'checkAddress',
    summary: 'Whether an address can exist, with its street and city where they are known',
    parameters: {
      postcode: { description: 'For the Netherlands `1234 AB`', required: true, example: '3511 AB' },
      huisnummer: { description: 'House number', schema: integer, example: 12 },
      toevoeging: { description: 'Addition to the house number' },
      country_id: { description: 'ID of a country', required: true, schema: integer, example: 1 },
    },
    data: object({
      postcode: text,
      huisnummer: optionalInteger,
      toevoeging: optionalText,
      country_id: integer,
      street: optionalText,
      city: optionalText,
    }),
    errors: [
      violation('field_required', { field: 'postcode' }),
      violation('address_too_long', { field: 'postcode', length: 12, datatype: 'varchar', limit: 10 }),
      violation('value_wrong_type', { field: 'huisnummer', value: 'x', datatype: 'int4' }),
      violation('value_invalid', { field: 'postcode', value: '1234ab', validation: 'postcode' }),
    ],
  },
  'GET /document/info': {
    tag: 'document',
    operationId: 'readDocumentInfo',
    summary: 'What is stored of a document, and a signed address of its bytes',
    parameters: { id },
    data: object({
      id: integer,
      file_name: text,
      mime_type: text,
      size: integer,
      sha256: text,
      url: address,
      expires_at: instant,
    }),
    errors: [
      violation('parameters_required', { fields: ['id'] }),
      violation('primary_id_malformed'),
      violation('document_missing'),
      unknownId,
    ],
  },
  'GET /empoyee/email': email('readEmpoyeeEmail'),
  'GET /employee/email': email('readEmployeeEmail'),
  'POST /order/{id}/flatrate': {
    tag: 'order',
    operationId: 'addFlatRate',
    summary: 'Add the lines of a flat rate to an order',
    description:
      'All of them or none; a flat rate that is blocked, archived or empty is refused. Answers the order with its lines.',
    body: formSchema(FLAT_RATE),
    status: 201,
    data: {
      allOf: [ref('order'), object({ orderline: { type: 'array', items: ref('orderline') } })],
    },
    good: 'The order with its lines',
    headers: ['ETag'],
    requestHeaders: ['Idempotency-Key'],
    errors: [
      ...addressErrors,
      ...changeStates,
      violation('record_frozen', { resource: 'order', state: 'invoice' }),
      ...bodyErrors(Object.entries(FLAT_RATE.fields)),
      violation('value_invalid', { field: 'line_kind', value: 1, validation: 'BPM order' }),
      violation('array_empty', { field: 'flatrateline' }),
    ],
  },
};
