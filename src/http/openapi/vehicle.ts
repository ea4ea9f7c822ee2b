// The description of what is special about vehicles.
import { violation } from '../../errors.ts';
import { integer, type OperationDoc, type ParameterDoc, RECORD_ID, text } from './operation.ts';
import { addressErrors, changeStates } from './record-errors.ts';
import { object, ref } from './schema.ts';

const tag = 'vehicle';
const id: ParameterDoc = { ...RECORD_ID, required: true };
const publishErrors = [
  ...changeStates,
  violation('publish_field_required', { field: 'tax_kind', value: null }),
  violation('publish_site_required'),
];

export const vehicleDocs: Record<string, OperationDoc> = {
  'PUT /updatelicenseplate': {
    tag,
    operationId: 'updateLicensePlate',
    summary: 'Change the license plate of a vehicle; the old one is kept',
    body: object({ id: integer, license_plate: text }, { additionalProperties: false }),
    data: ref('vehicle'),
    headers: ['ETag'],
    requestHeaders: ['If-Match'],
    errors: [
      ...addressErrors,
      ...changeStates,
      violation('field_unknown', { field: 'colour' }),
      violation('field_required', { field: 'license_plate' }),
      violation('field_empty', { field: 'license_plate' }),
      violation('value_wrong_type', { field: 'license_plate', value: 5, datatype: 'varchar' }),
      violation('value_too_long', { field: 'license_plate', length: 13, datatype: 'varchar', limit: 12 }),
      violation('value_invalid', { field: 'license_plate', value: 'x', validation: 'license_plate' }),
      violation('value_duplicate_on_put', { field: 'license_plate', value: 'GB-001-B' }),
    ],
  },
  'GET /vehicle/publishstart': {
    tag,
    operationId: 'checkPublishable',
    summary: 'Whether a vehicle can be published',
    parameters: { id },
    data: object({ publishable: { type: 'integer', const: 1 } }),
    errors: [
      violation('parameters_required', { fields: ['id'] }),
      violation('primary_id_malformed'),
      violation('record_unknown', { field: 'id', value: 5 }),
      ...publishErrors,
    ],
  },
  'PUT /vehicle/publishstart': {
    tag,
    operationId: 'publish',
    summary: 'Publish a vehicle',
    parameters: { id: { ...id, required: false } },
    body: object({ id: integer }, { required: [], additionalProperties: false }),
    bodyOptional: true,
    data: ref('vehicle'),
    headers: ['ETag'],
    requestHeaders: ['If-Match'],
    errors: [...addressErrors, violation('field_unknown', { field: 'colour' }), ...publishErrors],
  },
  'PUT /vehicle/publishstop': {
    tag,
    operationId: 'unpublish',
    summary: 'Take a vehicle off its sites',
    parameters: { id: { ...id, required: false } },
    body: object({ id: integer }, { required: [], additionalProperties: false }),
    bodyOptional: true,
    data: ref('vehicle'),
    headers: ['ETag'],
    requestHeaders: ['If-Match'],
    errors: [...addressErrors, violation('field_unknown', { field: 'colour' }), ...changeStates],
  },
};
