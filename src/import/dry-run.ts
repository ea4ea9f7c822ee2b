// What a dry run remembers from batch to batch. Each batch is written and rolled back, so the next batches would not find
// the records that the earlier ones added. The digests of their keys stand for them.
import { createHash } from 'node:crypto';
import type { Stored } from '../model/field.ts';
import type { Session } from '../model/session.ts';
import { ImportKey } from './import-batch.ts';

/** A unique field and its value. */
export type NamedValue = readonly [name: string, value: Stored];

const digestOf = (name: string, value: Stored) =>
  createHash('sha256').update(`${name}\n${value}`).digest('hex');

export class SeenKeys {
  private readonly id: string;
  private readonly known = new Set<string>();
  private readonly added = new Set<string>();

  constructor(id: string) {
    this.id = id;
  }

  /** Looks up which of the values earlier batches would have added; call this before `has`. */
  async load({ knex }: Session, values: readonly NamedValue[]): Promise<void> {
    if (values.length === 0) return;
    const digests = values.map(([name, value]) => digestOf(name, value));
    const rows = await ImportKey.query(knex)
      .select('digest')
      .where('import_id', this.id)
      .whereIn('digest', digests);
    for (const { digest } of rows) this.known.add(digest);
  }

  has(name: string, value: Stored): boolean {
    return this.known.has(digestOf(name, value));
  }

  add(name: string, value: Stored): void {
    this.added.add(digestOf(name, value));
  }

  async save({ knex }: Session): Promise<void> {
    if (this.added.size === 0) return;
    await knex(ImportKey.tableName)
      .insert([...this.added].map((digest) => ({ import_id: this.id, digest })))
      .onConflict()
      .ignore();
  }
}
