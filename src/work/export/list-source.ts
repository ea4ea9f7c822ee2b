// Where the rows of an export come from: a list of one snapshot, with the cursor of the feed that belongs to it.

import { addAbortSignal, type Readable } from 'node:stream';
import type { ListQuery } from '../../core/model/lists/list-query.ts';
import { wholeCount, wholeList } from '../../core/model/lists/whole-list.ts';
import { type ShownColumn, shownColumns } from '../../core/model/records/serialize.ts';
import { now } from '../../core/model/statements/fragment.ts';
import type { Database } from '../../core/model/statements/session.ts';
import { Owner } from '../../core/resources/owner.ts';
import { formatTimestamp } from '../../core/trade/time/timestamp.ts';
import { writeFeedCursor } from '../../platform/changes/feed-cursor.ts';
import { placeSnapshot } from '../../platform/changes/place.ts';
import type { ConnectionSettings } from '../../platform/database/settings.ts';
import { connectReader } from '../../platform/database/snapshot.ts';
import { failure } from '../../platform/job-failure.ts';
import { all, type Packer, stream } from '../../platform/zip/rows.ts';

/** Rows to write into one file. */
export interface Source {
  /** The name of the file, without its ending. */
  readonly name: string;
  readonly columns: readonly ShownColumn[];
  /** How many rows there are, for the progress. */
  readonly total: number;
  /** Further entries of summary.json. */
  readonly summary: Readonly<Record<string, unknown>>;
  /** The rows as arrays of the columns, as chunks of `packer`. */
  rows(packer: Packer<Buffer>): Readable;
}

export interface ListSource extends Source {
  /** The cursor of the feed: GET /changes goes on behind it. */
  readonly after: string;
  close(): void;
}

interface SourceOptions {
  readonly database: Database;
  readonly connection: ConnectionSettings;
  readonly owner: number;
  /** Stops the statement that runs; what waits for it then rejects. */
  readonly signal: AbortSignal;
}

/** Opens a list in a snapshot of its own. Throws a JobFailure if there is no such owner. */
export async function openList(query: ListQuery, options: SourceOptions): Promise<ListSource> {
  const { database, connection, owner, signal } = options;
  const reader = await connectReader(connection);
  const stop = () => void reader.stop().catch(() => {});
  const close = () => {
    signal.removeEventListener('abort', stop);
    reader.close();
  };
  signal.addEventListener('abort', stop);
  try {
    const place = await placeSnapshot(
      database,
      owner,
      async () => {
        signal.throwIfAborted();
        await reader.begin();
        return reader;
      },
      signal,
    );
    const after = writeFeedCursor(owner, place);
    const company = Owner.ofMarked(() => owner as never).select(now());
    const [self] = await all(reader.connection, company);
    if (!self) throw failure('owner_unknown', { owner });
    signal.throwIfAborted();
    const [counted] = await all(reader.connection, wholeCount(owner, query));
    signal.throwIfAborted();
    const { resource, columns } = query;
    return {
      name: resource.name,
      columns: shownColumns(resource, columns),
      total: Number(counted?.[0] ?? 0),
      after,
      summary: { snapshot_at: formatTimestamp(String(self[0])), after },
      rows: (packer) => addAbortSignal(signal, stream(reader.connection, wholeList(owner, query), packer)),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}
