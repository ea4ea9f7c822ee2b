// What is special about vehicles: their license plate, and publishing them.
import { problem, violation } from '../errors.ts';
import { refuse } from '../model/check.ts';
import type { Row } from '../model/field.ts';
import { findRecord } from '../model/find.ts';
import { resourceNamed } from '../model/registry.ts';
import { serializer } from '../model/serialize.ts';
import type { Session } from '../model/session.ts';
import { demandRecord, refuseState, update } from '../model/store.ts';
import { LISTS } from '../trade/lists.ts';
import { databaseNow } from '../trade/timestamp.ts';
import { type Answer, success, successJson } from './answer.ts';
import { type JsonBody, readBody, readBodyIfAny } from './body.ts';
import type { Call, Endpoint } from './endpoint.ts';
import { etag, expectation } from './etag.ts';
import { bodyId, primaryId } from './records.ts';

const { NOT_PUBLISHED, PUBLISHED } = LISTS.publishstatuses;
const NEEDED_TO_PUBLISH = ['tax_kind', 'sale_price', 'mileage', 'fuel_kind', 'first_registration_date'];

export const vehicleEndpoints: Endpoint[] = [
  { path: '/updatelicenseplate', methods: { PUT: { handle: changePlate } } },
  {
    path: '/vehicle/publishstart',
    methods: {
      GET: { parameters: ['id'], handle: checkPublishable },
      PUT: { parameters: ['id'], handle: (call) => publish(call, PUBLISHED) },
    },
  },
  {
    path: '/vehicle/publishstop',
    methods: { PUT: { parameters: ['id'], handle: (call) => publish(call, NOT_PUBLISHED) } },
  },
];

async function changePlate({ parts, identity: { owner }, ctx }: Call): Promise<Answer> {
  const vehicle = resourceNamed('vehicle');
  const body = await readBody(ctx.req);
  const id = bodyId(body, undefined);
  const row = await parts.database.transaction(async (session) => {
    const previous = await demandRecord(session, vehicle, owner, id, expectation(ctx));
    refuseState(vehicle, previous, {});
    const license_plate = readPlate(body, previous);
    if (license_plate === previous.license_plate) return previous;
    const next: Row = { ...previous, license_plate };
    await update(vehicle, { next, previous, given: (field) => body[field], owner, session });
    const now = databaseNow();
    await session.run(
      'INSERT INTO licenseplatehistory (owner_id, vehicle_id, license_plate, changed_at, created_at, modified_at) VALUES (?, ?, ?, ?, ?, ?)',
      [owner, id, previous.license_plate ?? null, now, now, now],
    );
    return next;
  });
  return successJson(serializer(vehicle)(row), 200, { ETag: etag(row) });
}

function readPlate(body: JsonBody, vehicle: Row): Row[string] {
  const field = 'license_plate';
  refuseUnknown(body, ['id', field]);
  const given = body[field];
  if (given === undefined) throw problem('field_required', { field });
  if (given === null || given === '') throw problem('field_empty', { field });
  const checked = resourceNamed('vehicle').fields.get(field)?.check(field, given, vehicle);
  refuse(checked?.violation ? [checked.violation] : []);
  return checked?.stored ?? null;
}

function refuseUnknown(body: JsonBody, known: readonly string[]): void {
  const unknown = Object.keys(body).filter((name) => !known.includes(name));
  refuse(unknown.map((name) => violation('field_unknown', { field: name })));
}

async function checkPublishable(call: Call): Promise<Answer> {
  const { parts, identity } = call;
  if (call.parameters.get('id') === undefined) throw problem('parameters_required', { fields: ['id'] });
  const id = primaryId(call, 'primary_id_malformed');
  const vehicle = await findRecord(parts.database, resourceNamed('vehicle'), identity.owner, id);
  if (!vehicle) throw problem('record_unknown', { field: 'id', value: id });
  refuseState(resourceNamed('vehicle'), vehicle, {});
  await refuseUnfit(parts.database, identity.owner, vehicle);
  return success({ publishable: 1 });
}

async function publish(call: Call, status: number): Promise<Answer> {
  const { parts, identity, parameters, ctx } = call;
  const vehicle = resourceNamed('vehicle');
  const addressed = parameters.has('id') ? primaryId(call, 'primary_id_invalid') : undefined;
  const body = (await readBodyIfAny(ctx.req)) ?? {};
  const id = bodyId(body, addressed);
  const row = await parts.database.transaction(async (session) => {
    const previous = await demandRecord(session, vehicle, identity.owner, id, expectation(ctx));
    refuseState(vehicle, previous, {});
    refuseUnknown(body, ['id']);
    if (status === PUBLISHED) await refuseUnfit(session, identity.owner, previous);
    if (previous.publish_status === status) return previous;
    const published_at = status === PUBLISHED ? databaseNow() : null;
    const next: Row = { ...previous, publish_status: status, published_at };
    await update(vehicle, { next, previous, given: () => undefined, owner: identity.owner, session });
    return next;
  });
  return successJson(serializer(vehicle)(row), 200, { ETag: etag(row) });
}

async function refuseUnfit(session: Session, owner: number, vehicle: Row): Promise<void> {
  const empty = NEEDED_TO_PUBLISH.filter((field) => vehicle[field] === null);
  refuse(empty.map((field) => violation('publish_field_required', { field, value: null })));
  const sites = await session.rows(
    'SELECT id FROM vehicleadvertisementsites WHERE owner_id = ? AND vehicle_id = ? LIMIT 1',
    [owner, vehicle.id ?? null],
  );
  if (sites.length === 0) throw problem('publish_site_required');
}
