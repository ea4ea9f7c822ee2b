// Reads all rows of one owner from one snapshot of the database. The server streams each table, no further ahead
// than the reader allows. DDL on a table that was read waits for the end; on any other table it fails the backup.
import type { Readable } from 'node:stream';
import type { Connection } from 'mysql2';
import type { QueryBuilder } from 'objection';
import type { Stored } from '../../core/model/fields/field.ts';
import type { OwnedTable } from '../../core/model/records/table.ts';
import { BaseModel } from '../../core/model/statements/base-model.ts';
import { now, onIndex } from '../../core/model/statements/fragment.ts';
import { formatTimestamp } from '../../core/trade/time/timestamp.ts';
import { failure } from '../../platform/job-failure.ts';
import { all, type Packer, stream } from '../../platform/zip/rows.ts';

export interface Snapshot {
  readonly owner: { readonly id: number; readonly name: string };
  /** ISO 8601, UTC. */
  readonly takenAt: string;
  /** The lowest and the highest ID of the owner's rows; undefined if it has none. */
  span(table: OwnedTable): Promise<{ first: number; last: number } | undefined>;
  /** The owner's rows by ID, as chunks of `packer`, which gets arrays of the table's columns. One table at a time. */
  rows(table: OwnedTable, packer: Packer<Buffer>): Readable;
  /** The distinct digests of the owner's documents, ascending. */
  digests(): Readable;
}

type Query = QueryBuilder<BaseModel>;

/** Throws a JobFailure if there is no such owner. `connection` comes from connectSnapshot. */
export async function openSnapshot(connection: Connection, owner: number): Promise<Snapshot> {
  const self = from('owners').where('id', owner).select('name', now());
  const [found] = await all(connection, self);
  if (!found) throw failure('owner_unknown', { owner });
  const [name, takenAt] = found;
  return {
    owner: { id: owner, name: String(name) },
    takenAt: formatTimestamp(String(takenAt)),
    span: async (table) => {
      const ids = from(table.name).where(table.ownedBy, owner).min('id').max('id as last');
      const [first = null, last] = (await all(connection, ids))[0] ?? [];
      return first === null ? undefined : { first: Number(first), last: Number(last) };
    },
    rows: ({ name: table, ownedBy, columns }, packer) => {
      const names = columns.map((column) => column.name);
      // The primary key keeps the rows of one owner together, by ID; the server would sometimes sort another index.
      const rows = from(table).from(onIndex(table, table, 'PRIMARY'));
      return stream(connection, rows.where(ownedBy, owner).orderBy('id').select(names), packer);
    },
    digests: () => {
      const documents = from('documents').where('owner_id', owner).whereNotNull('sha256');
      const packer = { add: ([digest]: readonly Stored[]) => String(digest), rest: () => undefined };
      return stream(connection, documents.distinct('sha256').orderBy('sha256'), packer);
    },
  };
}

/** A thread that only copies rows loads no resources, so it knows tables by name only. */
const from = (table: string): Query =>
  class extends BaseModel {
    static override tableName = table;
  }.query();
