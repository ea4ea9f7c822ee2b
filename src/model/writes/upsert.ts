// PUT /contact?external_id=K-17: changes the record with the integrator's own key, or adds it.
import { Problem } from '../../errors.ts';
import type { Body } from '../bodies/check.ts';
import type { Row } from '../fields/field.ts';
import { lockRecords } from '../lists/find.ts';
import type { Resource } from '../records/record.ts';
import { garageOf } from '../statements/garage.ts';
import type { Actor, Database, Session } from '../statements/session.ts';
import { addRecord, changeRecord, type Expect } from './store.ts';

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
  readonly isNew: boolean;
}

/**
 * Upserts in a transaction of its own. Two upserts at once never make two records: the unique key refuses the second
 * one, which then changes the record of the first. Throws Problem as POST or PUT does.
 */
export async function upsertRecord(
  database: Database,
  resource: Resource,
  upsert: Upsert,
): Promise<Upserted> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await database.transaction((session) => upsertIn(session, resource, upsert), upsert.actor);
    } catch (error) {
      if (tries >= TRIES || !isOvertaken(error)) throw error;
    }
  }
}

async function upsertIn(
  session: Session,
  resource: Resource,
  { actor: { owner }, externalId, body, expect, beforeAdding }: Upsert,
): Promise<Upserted> {
  const found = await lockRecords(garageOf(session, owner), resource, 'external_id', [externalId]);
  // The database takes keys that differ in blanks at the end for the same. Adding the second one is refused.
  const known = found.find(({ external_id }) => external_id === externalId);
  if (!known) {
    beforeAdding();
    const row = await addRecord(garageOf(session, owner), resource, { ...body, external_id: externalId });
    return { row, isNew: true };
  }
  // external_id is only the address here. Without it, a blocked record accepts a lone is_blocked.
  const { external_id: _, ...fields } = body;
  const row = await changeRecord(garageOf(session, owner), resource, known.id, fields, expect);
  return { row, isNew: false };
}

/** Whether another request has added the record since this one looked for it. */
const isOvertaken = (error: unknown): boolean =>
  error instanceof Problem &&
  error.violations.some(({ code, field }) => code === 'value_duplicate' && field === 'external_id');
