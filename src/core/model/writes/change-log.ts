// The log of changes of records. A transaction collects its changes and appends them to the outbox before it commits,
// so the outbox has what is committed and nothing else. platform/changes/place.ts moves them into the log. The changes
// of one record within one transaction become one row, unless `logMany` writes some of them earlier.

import { grouped } from '../../trade/grouped.ts';
import { LISTS } from '../../trade/lists.ts';
import { databaseNow } from '../../trade/time/timestamp.ts';
import type { Row } from '../fields/field.ts';
import { contactsBehind } from '../records/about-contact.ts';
import type { Resource } from '../records/record.ts';
import { type BaseModel, OwnedModel } from '../statements/base-model.ts';
import { type Garage, garageOf } from '../statements/garage.ts';
import { prepared } from '../statements/prepared.ts';
import type { Actor, NotedChanges, Session } from '../statements/session.ts';
import { changedValues } from './changed-values.ts';

const { CREATED, UPDATED, DELETED } = LISTS.changeactions;

/** So that a turn of many entries fits into memory. */
const CHANGES_OF_ENTRY = 20;
/** So that a transaction that changes any number of records fits into memory. A usual one changes fewer. */
const MOST_NOTED = 100;

/** One row of the log: a change with its place in the feed. */
export class LoggedChange extends OwnedModel {
  static override tableName = 'changes';
  static override idColumn = ['owner_id', 'seq'];
  declare owner_id: number;
  /** The place in the feed of the owner, from 1 without gaps. */
  declare seq: number;
  declare resource: string;
  declare record_id: number;
  declare external_id: string | null;
  /** The contact whom the record is about (Traits.about): the log is found even after the record is deleted. */
  declare contact_id: number | null;
  /** One of `changeactions`. */
  declare action: number;
  /** The record's version after the change; after a deletion: the last version + 1. */
  declare version: number;
  declare at: string;
  declare employee_id: number | null;
  declare api_key_id: number | null;
  declare request_id: string | null;
  /** The values of an update, as JSON: `{"field": [old, new]}`. */
  declare changes: string | null;
}

/** A change as the outbox has it. */
export type Unplaced = Omit<LoggedChange, keyof BaseModel | 'owner_id' | 'seq'>;

/**
 * Changes of one transaction that have no place yet. One row of JSON takes the database half the time of two rows with
 * columns, and only the turn that gives places reads the JSON.
 */
export class OutboxEntry extends OwnedModel {
  static override tableName = 'change_outbox';
  static override idColumn = ['owner_id', 'id'];
  declare owner_id: number;
  /** Counts up over all owners. The later of two changes of a record has the higher ID. */
  declare id: number;
  /** JSON: Unplaced[]. */
  declare changes: string;
}

/** The changes of an entry, in the order in which the transaction made them. */
export const changesIn = ({ changes }: OutboxEntry): Unplaced[] => JSON.parse(changes);

interface Noted {
  readonly resource: Resource;
  readonly owner: number;
  readonly before: Row | undefined;
  after: Row | undefined;
  /** Columns that were written. One of them may have its first value again. */
  readonly changed: Set<string>;
  /** Fields whose new values are not shown. */
  readonly secrets: Set<string>;
}

const NONE: Set<string> = new Set();

interface Noting {
  readonly owner: number;
  /** Undefined: the record is new. */
  readonly before?: Row;
  /** Undefined: the record is deleted. */
  readonly after?: Row;
  /** The written columns of a record that is neither new nor deleted. */
  readonly changed?: readonly string[];
  readonly secrets?: readonly string[];
}

/** Whether the changes of a resource are logged: an endpoint must be able to change its records. */
export const isLogged = ({ methods }: Resource): boolean => methods.some((method) => method !== 'GET');

/** The changes of one transaction. */
export class Changes implements NotedChanges {
  /** The caller of the request that makes the changes; undefined: the service makes them. */
  readonly actor: Actor | undefined;
  /** The owners of the changed records. */
  readonly owners = new Set<number>();
  private readonly noted = new Map<string, Noted>();
  /** The keys of the records that `writeMany` has logged as new. */
  private readonly added = new Set<string>();

  constructor(actor?: Actor) {
    this.actor = actor;
  }

  note(resource: Resource, { owner, before, after, changed = [], secrets = [] }: Noting): void {
    if (!isLogged(resource)) return;
    this.owners.add(owner);
    const key = `${resource.name} ${(after ?? before)?.id}`;
    const noted: Noted = this.noted.get(key) ?? {
      resource,
      owner,
      before,
      after,
      changed: new Set(),
      secrets: new Set(),
    };
    noted.after = after;
    for (const column of changed) noted.changed.add(column);
    for (const name of secrets) noted.secrets.add(name);
    this.noted.set(key, noted);
  }

  /** The record as this transaction has written it last; undefined if it has not written the record. */
  latest({ name }: Resource, id: Row[string] | undefined): Row | undefined {
    return this.noted.get(`${name} ${id}`)?.after;
  }

  /** Whether this transaction has added the record. */
  hasAdded(resource: string, id: unknown): boolean {
    const key = `${resource} ${id}`;
    const noted = this.noted.get(key);
    return this.added.has(key) || (noted !== undefined && noted.before === undefined);
  }

  /** A copy of the changes noted so far, for `returnTo`. */
  mark(): ReadonlyMap<string, Noted> {
    return new Map(
      [...this.noted].map(([key, one]) => [
        key,
        { ...one, changed: new Set(one.changed), secrets: new Set(one.secrets) },
      ]),
    );
  }

  /** Forgets the changes noted since the mark. */
  returnTo(mark: ReadonlyMap<string, Noted>): void {
    this.noted.clear();
    for (const [key, one] of mark) this.noted.set(key, one);
  }

  /** Appends all changes that are not yet written to the outbox. Called before the commit. */
  async write(session: Session): Promise<void> {
    const noted = [...this.noted.values()];
    this.noted.clear();
    await append(session, noted, this.actor);
  }

  /** The same in the midst of a transaction, once many changes are noted. */
  async writeMany(session: Session): Promise<void> {
    if (this.noted.size < MOST_NOTED) return;
    for (const [key, { before }] of this.noted) if (before === undefined) this.added.add(key);
    await this.write(session);
  }
}

/** Notes a change of one record. Throws outside a transaction. */
export function noteChange(session: Session, resource: Resource, change: Noting): void {
  if (!(session.changes instanceof Changes))
    throw new Error(`a change of ${resource.name} needs a transaction`);
  session.changes.note(resource, change);
}

/** Logs the changes noted so far, if they are many. A record that is changed again gets a second row in the log. */
export async function logMany(session: Session): Promise<void> {
  if (session.changes instanceof Changes) await session.changes.writeMany(session);
}

/** The record as the transaction has written it last. */
export const asWritten = ({ changes }: Session, resource: Resource, row: Row): Row =>
  (changes instanceof Changes ? changes.latest(resource, row.id) : undefined) ?? row;

/** Whether the transaction of the session has added the record. */
export const isNew = ({ changes }: Session, resource: string, id: unknown): boolean =>
  changes instanceof Changes && changes.hasAdded(resource, id);

/** Logs many new records at once, without keeping them until the commit. */
export async function logCreated(garage: Garage, resource: Resource, rows: readonly Row[]): Promise<void> {
  if (!isLogged(resource)) return;
  await append(
    garage,
    rows.map((after) => ({
      resource,
      owner: garage.owner,
      before: undefined,
      after,
      changed: NONE,
      secrets: NONE,
    })),
  );
}

async function append(session: Session, noted: readonly Noted[], actor?: Actor): Promise<void> {
  const at = databaseNow();
  const statement = prepared('append to the outbox', (mark) =>
    OutboxEntry.ofAllOwners('insert').insert({ owner_id: mark('owner'), changes: mark('changes') }),
  );
  for (const [owner, ofOwner] of grouped(noted, (one) => one.owner)) {
    const garage = garageOf(session, owner);
    const contacts = await contactsOf(garage, ofOwner);
    const changes = ofOwner.flatMap((one) =>
      changeOf(one, { at, actor, contact: contacts.get(one) ?? null }),
    );
    for (let from = 0; from < changes.length; from += CHANGES_OF_ENTRY)
      await statement.writeLater(garage, {
        changes: JSON.stringify(changes.slice(from, from + CHANGES_OF_ENTRY)),
      });
  }
}

/** The contacts whom the changed records of one owner are about. */
async function contactsOf(garage: Garage, noted: readonly Noted[]): Promise<Map<Noted, number | null>> {
  const found = new Map<Noted, number | null>();
  for (const [resource, group] of grouped(noted, (one) => one.resource)) {
    const rows = group.map(({ before, after }) => after ?? before ?? {});
    const contacts = await contactsBehind(garage, resource, rows);
    group.forEach((one, index) => {
      found.set(one, contacts[index] ?? null);
    });
  }
  return found;
}

interface Circumstances {
  readonly at: string;
  readonly actor: Actor | undefined;
  readonly contact: number | null;
}

/** Empty if nothing has changed in the end. */
function changeOf(
  { resource, before, after, changed, secrets }: Noted,
  { at, actor, contact }: Circumstances,
): Unplaced[] {
  const last = after ?? before;
  if (!last) return [];
  return [
    {
      resource: resource.name,
      record_id: Number(last.id),
      external_id: (last.external_id ?? null) as string | null,
      contact_id: contact,
      action: before === undefined ? CREATED : after === undefined ? DELETED : UPDATED,
      version: versionAfter(before, after),
      at,
      employee_id: actor?.employee ?? null,
      api_key_id: actor?.apiKey ?? null,
      request_id: actor?.requestId ?? null,
      changes: before && after ? changedValues(resource, { before, after, changed, secrets }) : null,
    },
  ];
}

/** A deletion counts as a version of its own, so that the versions of a record always rise. */
const versionAfter = (before: Row | undefined, after: Row | undefined): number =>
  after ? Number(after.version) : Number(before?.version) + 1;
