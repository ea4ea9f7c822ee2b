// The endpoints of vehicles that are no record operation: changing the license plate, and publishing.

import { changePlate } from '../../business/vehicles/license-plate.ts';
import { checkPublishable, setPublishStatus } from '../../business/vehicles/publishing.ts';
import { problem, violation } from '../../core/errors.ts';
import { garageOf } from '../../core/model/statements/garage.ts';
import { Vehicle } from '../../core/resources/vehicle.ts';
import { LISTS } from '../../core/trade/lists.ts';
import { type Answer, success } from '../answer.ts';
import { type Address, type Call, type Endpoint, type Operation, put } from '../endpoint.ts';
import { expectation } from '../etag.ts';
import { BODY_WITH_ID, integer, type OperationDoc, RECORD_ID, text } from '../openapi/operation.ts';
import { addressErrors, changeStates } from '../openapi/record-errors.ts';
import { object, ref } from '../openapi/schema.ts';
import { bodyId, readOptionalId, readPrimaryId, requireId } from '../primary-id.ts';
import { changed } from '../record-answer.ts';

const { NOT_PUBLISHED, PUBLISHED } = LISTS.publishstatuses;

const publishErrors = [
  ...changeStates,
  violation('publish_field_required', { field: 'tax_kind', value: null }),
  violation('publish_site_required'),
];
/** The common part of the descriptions of changes. */
const CHANGING = {
  tag: 'vehicle',
  parameters: { id: { ...RECORD_ID, required: false } },
  data: ref('vehicle'),
  headers: ['ETag'],
  requestHeaders: ['If-Match'],
} as const;

export const vehicleEndpoints: Endpoint[] = [
  put('/updatelicenseplate', {
    needs: 'USER',
    parameters: ['id'],
    readId: readOptionalId,
    body: 'required',
    handle: (call) => changeVehicle(call, changePlate),
    doc: {
      ...CHANGING,
      operationId: 'updateLicensePlate',
      summary: 'Change the license plate of a vehicle; the old one is kept',
      description:
        'No other request changes a license plate. `GET /vehicle/{id}?expand=licenseplatehistory` shows the earlier plates.',
      body: object(
        { id: integer, license_plate: text },
        { required: ['license_plate'], additionalProperties: false },
      ),
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
  }),
  {
    path: '/vehicle/publishstart',
    methods: {
      GET: {
        needs: 'READONLY',
        parameters: ['id'],
        readId: idToCheck,
        handle: answerPublishable,
        doc: {
          operationId: 'checkPublishable',
          summary: 'Whether a vehicle can be published',
          description:
            'Changes nothing. A refusal names each field that is empty, or the missing advertisement site.',
          parameters: { id: { ...RECORD_ID, required: true } },
          data: object({ publishable: { type: 'integer', const: 1 } }),
          errors: [
            violation('parameters_required', { fields: ['id'] }),
            violation('primary_id_malformed'),
            violation('record_unknown', { field: 'id', value: 5 }),
            ...publishErrors,
          ],
        },
      },
      PUT: publishing(PUBLISHED, {
        operationId: 'publish',
        summary: 'Publish a vehicle',
        description:
          'Needs the fields and the advertisement site that `GET /vehicle/publishstart` checks. A published vehicle cannot be deleted. ' +
          'Publishing it again changes nothing.',
        errors: publishErrors,
      }),
    },
  },
  put(
    '/vehicle/publishstop',
    publishing(NOT_PUBLISHED, {
      operationId: 'unpublish',
      summary: 'Take a vehicle off its sites',
      description:
        'Its advertisement sites stay for the next time. A vehicle that is not published stays as it is.',
      errors: changeStates,
    }),
  ),
];

function publishing(
  status: number,
  { errors = [], ...doc }: Pick<OperationDoc, 'operationId' | 'summary' | 'description' | 'errors'>,
): Operation {
  return {
    needs: 'USER',
    parameters: ['id'],
    readId: readOptionalId,
    body: 'optional',
    handle: (call) =>
      changeVehicle(call, (garage, id, ...rest) => setPublishStatus(garage, id, status, ...rest)),
    doc: {
      ...CHANGING,
      ...doc,
      body: BODY_WITH_ID,
      errors: [...addressErrors, violation('field_unknown', { field: 'colour' }), ...errors],
    },
  };
}

/** Changes the addressed vehicle by `change`, and answers the vehicle. */
async function changeVehicle(call: Call, change: typeof changePlate): Promise<Answer> {
  const { services, actor, body, ctx } = call;
  const id = bodyId(body, call.id);
  const row = await services.database.transaction(
    (session) => change(garageOf(session, actor.owner), id, body, expectation(ctx)),
    actor,
  );
  return changed(Vehicle.resource, row);
}

function idToCheck(address: Address): number {
  if (!address.parameters.has('id')) throw problem('parameters_required', { fields: ['id'] });
  return readPrimaryId(address, 'primary_id_malformed');
}

async function answerPublishable(call: Call): Promise<Answer> {
  await checkPublishable(garageOf(call.services.database, call.identity.owner), requireId(call));
  return success({ publishable: 1 });
}
