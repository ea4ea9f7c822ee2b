// PUT /contact?external_id=K-17: changes the record with the integrator's own key, or adds it. The children of its body
// go likewise.
import { Problem } from '../../errors.ts';
import type { Body } from '../bodies/check.ts';
import type { Row } from '../fields/field.ts';
import { type Identified, lockRecords } from '../lists/find.ts';
import { familyJson, keptJson } from '../lists/list-json.ts';
import type { Resource } from '../records/record.ts';
import { type Garage, garageOf } from '../statements/garage.ts';
import type { Actor, Database, Session } from '../statements/session.ts';
import { childrenIn } from './children.ts';
import { addFamily, changeFamily } from './family.ts';
import { parentOf } from './state.ts';
import { changeRecord, demandVersion, type Expect } from './store.ts';

/** Another request may add the record and delete it again between two tries. */
const TRIES = 5;

/** Whether PUT takes an external_id. The answer to a POST may show a secret, which an upsert does not make. */
export const takesUpsert = ({ methods, fields }: Resource): boolean =>
  methods.includes('POST') && ![...fields.values()].some(({ shownOnce }) => shownOnce);

interface Upsert {
  readonly actor: Actor;
  readonly externalId: string;
  readonly body: Body;
  readonly expect?: Expect;
  /** Called before the record is added. Throws Problem if the caller may not add it. */
  readonly beforeAdding: () => void;
}

interface Upserted {
  readonly row: Row;
  /** The record with all its children of the kinds that the body names; undefined if that is too long. */
  readonly json: string | undefined;
  readonly isNew: boolean;
}

/**
 * Upserts in a transaction of its own. Two upserts at once never make two records: the unique key refuses the second
 * one, or a rule that meets the first, such as a second owner of a car. The second then changes the record of the
 * first. Throws Problem as POST or PUT does.
 */
export async function upsertRecord(
  database: Database,
  resource: Resource,
  upsert: Upsert,
): Promise<Upserted> {
  for (let tries = 1; ; tries += 1) {
    let isAdding = false;
    const beforeAdding = () => {
      isAdding = true;
      upsert.beforeAdding();
    };
    try {
      const work = (session: Session) => upsertIn(session, resource, { ...upsert, beforeAdding });
      return await database.transaction(work, upsert.actor);
    } catch (error) {
      if (tries >= TRIES || !isAdding || !(error instanceof Problem)) throw error;
      // Behind the transaction, which might find its own record.
      if (!(await isThere(garageOf(database, upsert.actor.owner), resource, upsert.externalId))) throw error;
    }
  }
}

async function upsertIn(
  session: Session,
  resource: Resource,
  { actor: { owner }, externalId, body, expect, beforeAdding }: Upsert,
): Promise<Upserted> {
  const garage = garageOf(session, owner);
  const found = await lockRecords(garage, resource, 'external_id', [externalId]);
  // The database takes keys that differ in blanks at the end for the same. Adding the second one is refused.
  const known = found.find(({ external_id }) => external_id === externalId);
  if (!known) {
    beforeAdding();
    const whole = { ...body, external_id: externalId };
    const family = await addFamily(garage, resource, whole, { isKeyed: true });
    return { row: family.row, json: familyJson(resource, family), isNew: true };
  }
  // external_id is only the address here. Without it, a blocked record accepts a lone is_blocked.
  const { external_id: _, ...fields } = body;
  const row = await change(garage, resource, known, fields, expect);
  const expand = childrenIn(resource, body);
  const json = await keptJson(garage, { resource, row, columns: resource.columns, expand });
  return { row, json, isNew: false };
}

/** A child is locked again, together with its parent. */
async function change(
  garage: Garage,
  resource: Resource,
  known: Row & Identified,
  body: Body,
  expect: Expect | undefined,
): Promise<Row> {
  if (parentOf(resource)) return changeRecord(garage, resource, known.id, body, { expect });
  demandVersion(known, expect);
  return changeFamily(garage, resource, known, body);
}

/** Whether another request has added the record meanwhile. */
async function isThere(garage: Garage, { model }: Resource, key: string): Promise<boolean> {
  const rows = await model.of(garage).select('external_id').where('external_id', key);
  return rows.some(({ external_id }) => external_id === key);
}
