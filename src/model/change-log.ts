// The log of changes of records. A transaction collects its changes and writes them before it commits, so the log has
// what is committed and nothing else. The changes of one record within one transaction become one row.
import { LISTS } from '../trade/lists.ts';
import { databaseNow } from '../trade/timestamp.ts';
import { BaseModel } from './base-model.ts';
import { encode } from './encode.ts';
import type { Field, Row } from './field.ts';
import { prepared } from './prepared.ts';
import type { Resource } from './record.ts';
import type { Session } from './session.ts';

const { CREATED, UPDATED, DELETED } = LISTS.changeactions;
export const ACTIONS = { created: CREATED, updated: UPDATED, deleted: DELETED } as const;
export type Action = keyof typeof ACTIONS;

const LONGEST_TEXT = 1_000;
const ROWS_A_STATEMENT = 500;
const MOST_PREPARED = 4;
/** Told by `version` and `at` of the log. */
const UNNAMED = new Set(['id', 'modified_at']);
/** Stands for a value that is not shown: of a write-only field, bytes, or of a person who was anonymised. */
export const HIDDEN_VALUE = '[...]';
const HIDDEN = JSON.stringify(HIDDEN_VALUE);

/** Who changes records: the owner, and the caller if a request makes the change. */
export interface Actor {
  readonly owner: number;
  readonly employee?: number;
  readonly apiKey?: number;
  readonly requestId?: string;
}

export class LoggedChange extends BaseModel {
  static override tableName = 'changes';
  declare id: number;
  declare owner_id: number;
  /** The place in the feed of the owner; null until somebody reads the feed: see change-sequence.ts. */
  declare seq: number | null;
  declare resource: string;
  declare record_id: number;
  declare external_id: string | null;
  /** The contact whom the record is about (Traits.about): its log is found also where the record is deleted. */
  declare contact_id: number | null;
  /** One of ACTIONS. */
  declare action: number;
  declare version: number;
  declare at: string;
  declare employee_id: number | null;
  declare api_key_id: number | null;
  declare request_id: string | null;
  /** Of an update: JSON, `{"field": [old, new]}`. */
  declare changes: string | null;
}

interface Noted {
  readonly resource: Resource;
  readonly owner: number;
  readonly before: Row | undefined;
  after: Row | undefined;
  /** Fields that have new values, which are not shown. */
  readonly secrets: Set<string>;
}

const NONE: Set<string> = new Set();
const isRow = (row: Row | undefined): row is Row => row !== undefined;

export interface Noting {
  readonly owner: number;
  /** Undefined: the record is new. */
  readonly before?: Row;
  /** Undefined: the record is deleted. */
  readonly after?: Row;
  readonly secrets?: readonly string[];
}

/** Whether the changes of a resource are logged: those with an endpoint that changes them. */
export const isLogged = ({ methods }: Resource): boolean => methods.some((method) => method !== 'GET');

/** The changes of one transaction. */
export class Changes {
  /** The caller of the request that makes the changes; undefined: the service makes them. */
  readonly actor: Actor | undefined;
  /** The owners of the changed records. */
  readonly owners = new Set<number>();
  private readonly noted = new Map<string, Noted>();

  constructor(actor?: Actor) {
    this.actor = actor;
  }

  note(resource: Resource, { owner, before, after, secrets = [] }: Noting): void {
    if (!isLogged(resource)) return;
    this.owners.add(owner);
    const key = `${resource.name} ${(after ?? before)?.id}`;
    const known = this.noted.get(key);
    if (known) known.after = after;
    else this.noted.set(key, { resource, owner, before, after, secrets: new Set() });
    for (const name of secrets) this.noted.get(key)?.secrets.add(name);
  }

  /** What is noted now, for `returnTo`. */
  mark(): ReadonlyMap<string, Noted> {
    return new Map([...this.noted].map(([key, one]) => [key, { ...one, secrets: new Set(one.secrets) }]));
  }

  /** Forgets what was noted since the mark. */
  returnTo(mark: ReadonlyMap<string, Noted>): void {
    this.noted.clear();
    for (const [key, one] of mark) this.noted.set(key, one);
  }

  /** Writes the rows of all changes that are not yet written. Called before the commit. */
  async write(session: Session): Promise<void> {
    if (this.noted.size === 0) return;
    const at = databaseNow();
    const rows = [...this.noted.values()].map((noted) => rowOf(noted, at, this.actor)).filter(isRow);
    this.noted.clear();
    if (rows.length > 0 && rows.length <= MOST_PREPARED) await insertFew(session, rows);
    else await insertRows(session, rows);
  }
}

/** Notes a change of one record. Throws outside a transaction. */
export function noteChange(session: Session, resource: Resource, change: Noting): void {
  if (!session.changes) throw new Error(`a change of ${resource.name} needs a transaction`);
  session.changes.note(resource, change);
}

/** Logs many new records at once, without keeping them until the commit. */
export async function logCreated(
  session: Session,
  resource: Resource,
  owner: number,
  rows: readonly Row[],
): Promise<void> {
  if (!isLogged(resource)) return;
  const at = databaseNow();
  const noted = rows.map((after) => ({ resource, owner, before: undefined, after, secrets: NONE }));
  await insertRows(session, noted.map((one) => rowOf(one, at)).filter(isRow));
}

/** Undefined where nothing has changed in the end. */
function rowOf(
  { resource, owner, before, after, secrets }: Noted,
  at: string,
  actor?: Actor,
): Row | undefined {
  const last = after ?? before;
  if (!last || (!before && !after)) return undefined;
  const action: Action = before === undefined ? 'created' : after === undefined ? 'deleted' : 'updated';
  return {
    owner_id: owner,
    resource: resource.name,
    record_id: Number(last.id),
    external_id: (last.external_id ?? null) as string | null,
    contact_id: last[resource.traits.about?.contact ?? ''] ?? null,
    action: ACTIONS[action],
    version: Number(last.version),
    at,
    employee_id: actor?.employee ?? null,
    api_key_id: actor?.apiKey ?? null,
    request_id: actor?.requestId ?? null,
    changes: before && after ? changesOf(resource, before, after, secrets) : null,
  };
}

function changesOf({ fields }: Resource, before: Row, after: Row, secrets: ReadonlySet<string>): string {
  const found: string[] = [];
  for (const [name, field] of fields) {
    if (UNNAMED.has(name)) continue;
    const [from, to] = [before[name] ?? null, after[name] ?? null];
    if (secrets.has(name)) found.push(`"${name}":[${HIDDEN},${HIDDEN}]`);
    else if (!field.writeOnly && from !== to)
      found.push(`"${name}":[${shown(field, from)},${shown(field, to)}]`);
  }
  return `{${found.join()}}`;
}

function shown({ kind = 'text', datatype }: Field, stored: Row[string]): string {
  const value = stored ?? null;
  // Nobody reads bytes in a log.
  if (datatype === 'bytea' && value !== null) return HIDDEN;
  return typeof value === 'string' && kind === 'text' && value.length > LONGEST_TEXT
    ? JSON.stringify([...value].slice(0, LONGEST_TEXT).join(''))
    : encode(kind, value);
}

/** A request changes a record and perhaps its parent: a statement for each such number is kept prepared. */
async function insertFew(session: Session, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  const statement = prepared(`log ${rows.length} changes`, (mark) =>
    LoggedChange.knexQuery().insert(
      rows.map((_, index) => Object.fromEntries(columns.map((column) => [column, mark(column, index)]))),
    ),
  );
  const values = columns.map((column) => [column, rows.map((row) => row[column] ?? null)]);
  await statement.write(session, Number(rows[0]?.owner_id), Object.fromEntries(values));
}

async function insertRows(session: Session, rows: readonly Row[]): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_A_STATEMENT)
    await session.knex(LoggedChange.tableName).insert(rows.slice(from, from + ROWS_A_STATEMENT));
}
