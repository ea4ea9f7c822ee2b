// New records of a plain resource wait here until a row needs them in the database. Then they go in together, which is
// several times as fast as one by one.
import { Problem, type Violation } from '../../core/errors.ts';
import type { Body } from '../../core/model/bodies/check.ts';
import { type Row, uniqueWithin } from '../../core/model/fields/field.ts';
import { numberRecords } from '../../core/model/records/counter.ts';
import type { Change, Resource } from '../../core/model/records/record.ts';
import { garageOf } from '../../core/model/statements/garage.ts';
import type { Session } from '../../core/model/statements/session.ts';
import { isRefusedByKey, refusalsOf, uniqueValues } from '../../core/model/writes/constraint-errors.ts';
import { addRecord } from '../../core/model/writes/store.ts';
import { insertRows } from '../../core/model/writes/write.ts';
import type { SeenValues } from './dry-run.ts';
import type { ImportOptions } from './import-options.ts';

/**
 * Whether adding a record of the resource writes its row and nothing else. Hooks and rules look at one record at a
 * time.
 */
export const isPlain = ({ traits, hooks, fields, ownership, methods }: Resource): boolean =>
  ownership === 'column' &&
  methods.includes('POST') &&
  traits.parent === undefined &&
  !hooks.before &&
  !hooks.after &&
  !hooks.rules &&
  !hooks.lateRules &&
  [...fields.values()].every((field) => !field.writeOnly && uniqueWithin(field) === undefined);

/** A new record that has passed all checks except the database's keys. */
interface Waiting {
  /** Which row of the batch it is. */
  readonly index: number;
  readonly change: Change;
  /** Its body, as POST takes it. */
  readonly body: Body;
}

/** The outcome of a record: it was added, or it has refusals. */
interface Ended {
  readonly one: Waiting;
  readonly record?: Row;
  readonly refused?: readonly Violation[];
}

export class WaitingRecords {
  private readonly session: Session;
  private readonly resource: Resource;
  private readonly owner: number;
  private readonly seen: SeenValues | undefined;
  private waiting: Waiting[] = [];
  /** Unique values of the waiting records, as `field value`. */
  private readonly values = new Set<string>();

  /** `seen`: the records that earlier batches of a dry run would have added. */
  constructor(session: Session, { resource, actor }: ImportOptions, seen?: SeenValues) {
    this.session = session;
    this.resource = resource;
    this.owner = actor.owner;
    this.seen = seen;
  }

  get count(): number {
    return this.waiting.length;
  }

  has(externalId: unknown): boolean {
    return this.values.has(`external_id ${externalId}`);
  }

  /**
   * Whether the record shares a unique value with a waiting record. The waiting record may yet be refused, so it must
   * go first.
   */
  collides({ change }: Waiting): boolean {
    return this.valuesOf(change).some((value) => this.values.has(value));
  }

  add(one: Waiting): void {
    this.waiting.push(one);
    for (const value of this.valuesOf(one.change)) this.values.add(value);
  }

  private valuesOf({ next }: Change): string[] {
    return [...uniqueValues(this.resource, next)].map(([name, value]) => `${name} ${value}`);
  }

  /** Adds the waiting records, and answers the outcome of each. */
  async flush(): Promise<Ended[]> {
    const { waiting, session, resource, owner, seen } = this;
    if (waiting.length === 0) return [];
    this.waiting = [];
    this.values.clear();
    const changes = waiting.map(({ change }) => change);
    const found = await refusalsOf(garageOf(session, owner), resource, changes);
    // All together: each record by itself would cost a statement.
    await seen?.load(
      session,
      changes.flatMap(({ next }) => [...uniqueValues(resource, next)]),
    );
    const ended: Ended[] = [];
    const sound: Waiting[] = [];
    for (const one of waiting) {
      const { change, body } = one;
      let refused = found.get(change) ?? [];
      if (refused.length === 0 && seen) refused = await seen.refusals(session, resource, change.next, body);
      if (refused.length > 0) ended.push({ one, refused });
      else sound.push(one);
    }
    return [...ended, ...(await this.insert(sound))];
  }

  private async insert(sound: readonly Waiting[]): Promise<Ended[]> {
    if (sound.length === 0) return [];
    const { session, resource, owner } = this;
    const records = sound.map(({ change }) => change.next);
    try {
      await savepoint(session, async () => {
        await numberRecords(garageOf(session, owner), resource, records);
        await insertRows(garageOf(session, owner), resource, records);
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
    const { session, resource, owner } = this;
    let record: Row | undefined;
    const refused = await refusalsIn(async () => {
      record = await savepoint(session, () => addRecord(garageOf(session, owner), resource, one.body));
    });
    return { one, record, refused };
  }
}

/** Runs the work of a row within the transaction of its batch. */
export function savepoint<T>(session: Session, work: () => Promise<T>): Promise<T> {
  if (!session.savepoint) throw new Error('an import needs a transaction');
  return session.savepoint(work);
}

/** The refusals of a row; undefined: the work was done. */
export async function refusalsIn(work: () => Promise<void>): Promise<readonly Violation[] | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return error.violations;
    throw error;
  }
}
