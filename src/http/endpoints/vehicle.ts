// The endpoints of vehicles that are no record operation: changing the license plate, and publishing.

import { problem, violation } from '../../errors.ts';
import { refuse, refuseUnknown } from '../../model/check.ts';
import type { Row } from '../../model/field.ts';
import { findRecord } from '../../model/find.ts';
import { serializer } from '../../model/serialize.ts';
import type { Session } from '../../model/session.ts';
import { demandRecord, refuseState, update } from '../../model/store.ts';
import { insertRow } from '../../model/write.ts';
import { LicensePlateHistory } from '../../resources/license-plate-history.ts';
import { Vehicle } from '../../resources/vehicle.ts';
import { VehicleAdvertisementSite } from '../../resources/vehicle-advertisement-site.ts';
import { LISTS } from '../../trade/lists.ts';
import { databaseNow } from '../../trade/timestamp.ts';
import { type Answer, success, successJson } from '../answer.ts';
import type { Address, Call, Endpoint, JsonBody, Operation } from '../endpoint.ts';
import { etag, expectation } from '../etag.ts';
import { integer, type OperationDoc, RECORD_ID, text } from '../openapi/operation.ts';
import { addressErrors, changeStates } from '../openapi/record-errors.ts';
import { object, ref } from '../openapi/schema.ts';
import { bodyId, readOptionalId, readPrimaryId, requireId } from '../primary-id.ts';

const { NOT_PUBLISHED, PUBLISHED } = LISTS.publishstatuses;
const NEEDED_TO_PUBLISH = ['tax_kind', 'sale_price', 'mileage', 'fuel_kind', 'first_registration_date'];

const publishErrors = [
  ...changeStates,
  violation('publish_field_required', { field: 'tax_kind', value: null }),
  violation('publish_site_required'),
];
/** What the descriptions of publishing and of its end share. */
const publishingDoc = {
  tag: 'vehicle',
  parameters: { id: { ...RECORD_ID, required: false } },
  body: object({ id: integer }, { required: [], additionalProperties: false }),
  data: ref('vehicle'),
  headers: ['ETag'],
  requestHeaders: ['If-Match'],
} as const;

export const vehicleEndpoints: Endpoint[] = [
  {
    path: '/updatelicenseplate',
    methods: { PUT: { body: 'required', handle: changePlate, doc: changePlateDoc } },
  },
  {
    path: '/vehicle/publishstart',
    methods: {
      GET: { parameters: ['id'], readId: idToCheck, handle: checkPublishable, doc: checkPublishableDoc },
      PUT: publishing(PUBLISHED, () => ({
        ...publishingDoc,
        operationId: 'publish',
        summary: 'Publish a vehicle',
        errors: [...addressErrors, violation('field_unknown', { field: 'colour' }), ...publishErrors],
      })),
    },
  },
  {
    path: '/vehicle/publishstop',
    methods: {
      PUT: publishing(NOT_PUBLISHED, () => ({
        ...publishingDoc,
        operationId: 'unpublish',
        summary: 'Take a vehicle off its sites',
        errors: [...addressErrors, violation('field_unknown', { field: 'colour' }), ...changeStates],
      })),
    },
  },
];

function publishing(status: number, doc: Operation['doc']): Operation {
  return {
    parameters: ['id'],
    readId: (address) => readOptionalId(address, 'primary_id_invalid'),
    body: 'optional',
    handle: (call) => publish(call, status),
    doc,
  };
}

function changePlateDoc(): OperationDoc {
  return {
    tag: 'vehicle',
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
  };
}

async function changePlate({ services, actor, body, ctx }: Call): Promise<Answer> {
  const vehicle = Vehicle.resource;
  const { owner } = actor;
  const id = bodyId(body, undefined);
  const row = await services.database.transaction(async (session) => {
    const previous = await demandRecord(session, vehicle, owner, id, expectation(ctx));
    refuseState(vehicle, previous, {});
    const license_plate = readPlate(body, previous);
    if (license_plate === previous.license_plate) return previous;
    const next: Row = { ...previous, license_plate };
    await update(vehicle, { next, previous, given: (field) => body[field], owner, session });
    await insertRow(session, LicensePlateHistory.resource, owner, {
      vehicle_id: id,
      license_plate: previous.license_plate,
      changed_at: databaseNow(),
    });
    return next;
  }, actor);
  return successJson(serializer(vehicle)(row), 200, { ETag: etag(row) });
}

function readPlate(body: JsonBody, vehicle: Row): Row[string] {
  const field = 'license_plate';
  refuseUnknown(body, ['id', field]);
  const given = body[field];
  if (given === undefined) throw problem('field_required', { field });
  if (given === null || given === '') throw problem('field_empty', { field });
  const checked = Vehicle.resource.fields.get(field)?.check(field, given, vehicle);
  refuse(checked?.violation ? [checked.violation] : []);
  return checked?.stored ?? null;
}

function idToCheck(address: Address): number {
  if (!address.parameters.has('id')) throw problem('parameters_required', { fields: ['id'] });
  return readPrimaryId(address, 'primary_id_malformed');
}

function checkPublishableDoc(): OperationDoc {
  return {
    tag: 'vehicle',
    operationId: 'checkPublishable',
    summary: 'Whether a vehicle can be published',
    parameters: { id: { ...RECORD_ID, required: true } },
    data: object({ publishable: { type: 'integer', const: 1 } }),
    errors: [
      violation('parameters_required', { fields: ['id'] }),
      violation('primary_id_malformed'),
      violation('record_unknown', { field: 'id', value: 5 }),
      ...publishErrors,
    ],
  };
}

async function checkPublishable(call: Call): Promise<Answer> {
  const { services, identity } = call;
  const id = requireId(call);
  const vehicle = await findRecord(services.database, Vehicle.resource, identity.owner, id);
  if (!vehicle) throw problem('record_unknown', { field: 'id', value: id });
  refuseState(Vehicle.resource, vehicle, {});
  await refuseUnfit(services.database, identity.owner, vehicle);
  return success({ publishable: 1 });
}

async function publish(call: Call, status: number): Promise<Answer> {
  const { services, identity, body, ctx, actor } = call;
  const vehicle = Vehicle.resource;
  const id = bodyId(body, call.id);
  const row = await services.database.transaction(async (session) => {
    const previous = await demandRecord(session, vehicle, identity.owner, id, expectation(ctx));
    refuseState(vehicle, previous, {});
    refuseUnknown(body, ['id']);
    if (status === PUBLISHED) await refuseUnfit(session, identity.owner, previous);
    if (previous.publish_status === status) return previous;
    const published_at = status === PUBLISHED ? databaseNow() : null;
    const next: Row = { ...previous, publish_status: status, published_at };
    await update(vehicle, { next, previous, given: () => undefined, owner: identity.owner, session });
    return next;
  }, actor);
  return successJson(serializer(vehicle)(row), 200, { ETag: etag(row) });
}

async function refuseUnfit(session: Session, owner: number, vehicle: Row): Promise<void> {
  const empty = NEEDED_TO_PUBLISH.filter((field) => vehicle[field] === null);
  refuse(empty.map((field) => violation('publish_field_required', { field, value: null })));
  const site = await VehicleAdvertisementSite.of(session, owner)
    .select('id')
    .findOne('vehicle_id', Number(vehicle.id));
  if (!site) throw problem('publish_site_required');
}
