// The memory of a dry run, from batch to batch. Each batch is written and rolled back, so the next batches would not
// find the records that the earlier ones added. The digests of their unique values stand for them. What else depends
// on earlier rows is judged within a batch only (docs/moving-in.md has the list); the import finds it all.
import { createHash } from 'node:crypto';
import { type Violation, violation } from '../../core/errors.ts';
import type { Body } from '../../core/model/bodies/check.ts';
import { type Row, type Stored, uniqueWithin } from '../../core/model/fields/field.ts';
import type { Resource } from '../../core/model/records/record.ts';
import { insertInPortions } from '../../core/model/statements/insert-many.ts';
import type { Session } from '../../core/model/statements/session.ts';
import { bodiesOf, childrenIn } from '../../core/model/writes/children.ts';
import { uniqueValues } from '../../core/model/writes/constraint-errors.ts';
import { ImportKey } from './import-batch.ts';

/** A unique field, perhaps with the parent within which it is unique, and its value. */
type NamedValue = readonly [name: string, value: Stored];

const digestOf = (name: string, value: Stored) =>
  createHash('sha256').update(`${name}\n${value}`).digest('hex');

/** The unique values of a record, and their places. */
const valuesOf = (resource: Resource, record: Row) =>
  [...uniqueValues(resource, record)].map(([field, value]) => {
    const within = uniqueWithin(resource.fields.get(field) ?? {});
    return { name: within === undefined ? field : `${field} of ${record[within]}`, field, value };
  });

/** The keys of the children in a body, with their places. */
const childKeys = (resource: Resource, body: Body) =>
  childrenIn(resource, body).flatMap((kind) =>
    bodiesOf(kind, body).flatMap(({ path, child: { external_id: value } }) =>
      typeof value === 'string' && value !== ''
        ? [{ name: `${kind.name}.external_id`, field: `${path}.external_id`, value }]
        : [],
    ),
  );

export class SeenValues {
  private readonly id: string;
  private readonly asked = new Set<string>();
  private readonly known = new Set<string>();
  private readonly added = new Set<string>();

  constructor(id: string) {
    this.id = id;
  }

  /** Looks up which of the values earlier batches would have added; call this before `has`. */
  async load({ knex }: Session, values: readonly NamedValue[]): Promise<void> {
    const digests = values
      .map(([name, value]) => digestOf(name, value))
      .filter((digest) => !this.asked.has(digest));
    if (digests.length === 0) return;
    for (const digest of digests) this.asked.add(digest);
    const rows = await ImportKey.query(knex)
      .select('digest')
      .where('import_id', this.id)
      .whereIn('digest', digests);
    for (const { digest } of rows) this.known.add(digest);
  }

  /** The refusals of a new record whose values an earlier batch would have added. Looks them up by itself. */
  async refusals(session: Session, resource: Resource, next: Row, body: Body): Promise<Violation[]> {
    const all = [...valuesOf(resource, next), ...childKeys(resource, body)];
    await this.load(
      session,
      all.map(({ name, value }) => [name, value]),
    );
    return all
      .filter(({ name, value }) => this.has(name, value))
      .map(({ field, value }) => violation('value_duplicate', { field, value: body[field] ?? value }));
  }

  /** Remembers the unique values of a record that was added. */
  addRecord(resource: Resource, record: Row): void {
    for (const { name, value } of valuesOf(resource, record)) this.add(name, value);
  }

  /** Remembers the keys of the children that a row adds or changes. */
  addChildren(resource: Resource, body: Body): void {
    for (const { name, value } of childKeys(resource, body)) this.add(name, value);
  }

  has(name: string, value: Stored): boolean {
    return this.known.has(digestOf(name, value));
  }

  private add(name: string, value: Stored): void {
    this.added.add(digestOf(name, value));
  }

  async save(session: Session): Promise<void> {
    const keys = [...this.added].map((digest) => ({ import_id: this.id, digest }));
    await insertInPortions(session, ImportKey.tableName, keys, 'keep');
  }
}
