// New records of a plain resource wait here until a row needs them in the database. Then they go in together, which is
// several times as fast as one by one.
import { Problem, type Violation } from '../errors.ts';
import { addWithChildren } from '../model/children.ts';
import { refusalsOf, uniqueValues } from '../model/constraint-errors.ts';
import { numberRecords } from '../model/counter.ts';
import type { Row } from '../model/field.ts';
import type { Change, Resource } from '../model/record.ts';
import type { Session } from '../model/session.ts';
import { insertRows } from '../model/write.ts';
import type { SeenKeys } from './dry-run.ts';

/**
 * Whether a record of the resource is added by its row alone: hooks, and rules of the resource's own, look at one
 * record at a time.
 */
export const isPlain = ({ traits, hooks, fields, ownership, methods }: Resource): boolean =>
  ownership === 'column' &&
  methods.includes('POST') &&
  traits.parent === undefined &&
  !hooks.before &&
  !hooks.after &&
  !hooks.rules &&
  [...fields.values()].every(
    ({ unique, writeOnly }) => !writeOnly && (unique === undefined || unique === 'owner' || unique === 'all'),
  );

/** A new record that has passed all checks but those of the database's keys. */
export interface Waiting {
  /** The place of its row in the batch. */
  readonly index: number;
  readonly change: Change;
  /** Its body, as POST takes it. */
  readonly body: Readonly<Record<string, unknown>>;
}

export type Ended =
  | { readonly one: Waiting; readonly record: Row }
  | { readonly one: Waiting; readonly refused: readonly Violation[] };

export interface WaitingOptions {
  readonly session: Session;
  readonly resource: Resource;
  readonly owner: number;
  /** What earlier batches of a dry run would have added. */
  readonly seen?: SeenKeys;
}

export class WaitingRecords {
  private readonly options: WaitingOptions;
  private waiting: Waiting[] = [];
  /** Unique values of those that wait, as `field value`. */
  private readonly values = new Set<string>();

  constructor(options: WaitingOptions) {
    this.options = options;
  }

  has(field: string, value: unknown): boolean {
    return this.values.has(`${field} ${value}`);
  }

  /** Whether the record shares a unique value with one that waits. That one may yet be refused, so it must go first. */
  collides({ change }: Waiting): boolean {
    return this.valuesOf(change).some((value) => this.values.has(value));
  }

  add(one: Waiting): void {
    this.waiting.push(one);
    for (const value of this.valuesOf(one.change)) this.values.add(value);
  }

  private valuesOf(change: Change): string[] {
    return [...uniqueValues(this.options.resource, change.next)].map(([name, value]) => `${name} ${value}`);
  }

  /** Adds those that wait. Says of each what became of it. */
  async flush(): Promise<Ended[]> {
    const { waiting } = this;
    if (waiting.length === 0) return [];
    this.waiting = [];
    this.values.clear();
    const { session, resource, owner, seen } = this.options;
    const changes = waiting.map(({ change }) => change);
    const found = await refusalsOf(session, resource, owner, changes);
    // All together: each record by itself would cost a statement.
    await seen?.load(
      session,
      changes.flatMap((change) => [...uniqueValues(resource, change.next)]),
    );
    const ended: Ended[] = [];
    const sound: Waiting[] = [];
    for (const one of waiting) {
      const byDatabase = found.get(one.change) ?? [];
      const refused = byDatabase.length > 0 ? byDatabase : await this.refusedByDryRun(one);
      if (refused.length > 0) ended.push({ one, refused });
      else sound.push(one);
    }
    return [...ended, ...(await this.insert(sound))];
  }

  private async refusedByDryRun({ change, body }: Waiting): Promise<Violation[]> {
    const { session, resource, seen } = this.options;
    return (await seen?.refusals(session, resource, change.next, body)) ?? [];
  }

  private async insert(sound: readonly Waiting[]): Promise<Ended[]> {
    if (sound.length === 0) return [];
    const { session, resource, owner } = this.options;
    const records = sound.map(({ change }) => change.next);
    try {
      await savepoint(session, async () => {
        await numberRecords(session, owner, resource, records);
        await insertRows(session, resource, owner, records);
      });
      return sound.map((one) => ({ one, record: one.change.next }));
    } catch (error) {
      if (!isRefusedByKey(error)) throw error;
    }
    // Another request has taken a value or deleted a record since. One by one they show which.
    const ended: Ended[] = [];
    for (const one of sound) ended.push(await this.insertOne(one));
    return ended;
  }

  private async insertOne(one: Waiting): Promise<Ended> {
    const { session, resource, owner } = this.options;
    try {
      const add = () => addWithChildren(session, resource, owner, one.body);
      return { one, record: await savepoint(session, add) };
    } catch (error) {
      if (error instanceof Problem) return { one, refused: error.violations };
      throw error;
    }
  }
}

/** What a row does within the transaction of its batch. */
export function savepoint<T>(session: Session, work: () => Promise<T>): Promise<T> {
  if (!session.savepoint) throw new Error('an import needs a transaction');
  return session.savepoint(work);
}

const KEY_ERRORS = new Set(['ER_DUP_ENTRY', 'ER_NO_REFERENCED_ROW_2']);
const isRefusedByKey = (error: unknown) => KEY_ERRORS.has(String((error as { code?: unknown }).code));
