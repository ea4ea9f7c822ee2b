// Writes the backup of an owner: every record and every stored file, from one snapshot.
// The declarations of the resources decide which tables it reads.

import type { OwnedTable } from '../../core/model/records/table.ts';
import type { ConnectionSettings } from '../../platform/database/settings.ts';
import { connectSnapshot } from '../../platform/database/snapshot.ts';
import { failure } from '../../platform/job-failure.ts';
import type { Store } from '../../platform/storage/store.ts';
import { Lines } from '../../platform/zip/ndjson.ts';
import { rising } from '../../platform/zip/percent.ts';
import {
  type ArchivedFile,
  type ArchiveEntry,
  type Save,
  textEntry,
  type WriteOptions,
  writeArchive,
} from '../../platform/zip/write.ts';
import {
  dataPath,
  documentPath,
  FORMAT,
  type Manifest,
  README,
  rowsByResource,
  VERSION,
} from './manifest.ts';
import { openSnapshot, type Snapshot } from './snapshot.ts';

export interface BackupOptions extends Pick<WriteOptions, 'level' | 'signal'> {
  readonly tables: readonly OwnedTable[];
  /** The stored files. */
  readonly documents: Store;
  readonly serviceVersion: string;
  /** Gets whole percents, rising to 100. */
  readonly onProgress?: (percent: number) => void;
}

interface OwnerBackup {
  /** Bytes of the zip, and its SHA-256. */
  readonly size: number;
  readonly sha256: string;
  /** Records by resource; each resource of the owner is there, with 0 if it has none. */
  readonly rows: Readonly<Record<string, number>>;
}

/** Writes the backup of an owner as it is now by `save`; see backUpOwner. Rejects if there is no such owner. */
export async function backUp(
  settings: ConnectionSettings,
  owner: number,
  save: Save,
  options: BackupOptions,
): Promise<OwnerBackup> {
  const connection = await connectSnapshot(settings);
  try {
    return await backUpOwner(await openSnapshot(connection, owner), save, options);
  } finally {
    connection.destroy();
  }
}

/**
 * Writes the backup of the snapshot's owner by `save`. Rejects like writeArchive, and with a JobFailure if a stored
 * file is missing.
 */
export async function backUpOwner(
  snapshot: Snapshot,
  save: Save,
  options: BackupOptions,
): Promise<OwnerBackup> {
  const { owner, takenAt } = snapshot;
  const { tables, documents, serviceVersion, level, signal, onProgress = () => {} } = options;
  const manifest = (files: readonly ArchivedFile[]): Manifest => ({
    format: FORMAT,
    version: VERSION,
    service_version: serviceVersion,
    owner,
    snapshot_at: takenAt,
    files,
  });
  const advance = await progress(snapshot, tables, onProgress);

  async function* entries(): AsyncGenerator<ArchiveEntry> {
    yield textEntry(README, readMe(owner.name, takenAt, serviceVersion));
    for (const table of tables) yield dataEntry(table, snapshot, advance);
    for await (const digest of snapshot.digests()) yield documentEntry(digest, documents);
  }
  const { size, sha256, files } = await writeArchive(save, entries(), { level, signal, manifest });
  onProgress(100);
  return { size, sha256, rows: rowsByResource(files) };
}

/** Gets the table that is read, and the ID of the last row read. */
type Advance = (table: OwnedTable, id: number) => void;

/** Makes percents from IDs: counting the rows first would take a twentieth of the whole time. */
async function progress(
  snapshot: Snapshot,
  tables: readonly OwnedTable[],
  onProgress: (percent: number) => void,
): Promise<Advance> {
  const before = new Map<OwnedTable, number>();
  let total = 0;
  for (const table of tables) {
    const span = (await snapshot.span(table)) ?? { first: 1, last: 0 };
    before.set(table, total - span.first + 1);
    total += span.last - span.first + 1;
  }
  const tell = rising(onProgress);
  return (table, id) => tell(((before.get(table) ?? 0) + id) / total);
}

function dataEntry(table: OwnedTable, snapshot: Snapshot, advance: Advance): ArchiveEntry {
  const lines = new Lines(table.columns);
  return {
    path: dataPath(table.resource),
    resource: table.resource,
    rows: () => lines.count,
    content: async function* () {
      for await (const chunk of snapshot.rows(table, lines)) {
        advance(table, Number(lines.last));
        yield chunk;
      }
    },
  };
}

const documentEntry = (sha256: string, documents: Store): ArchiveEntry => ({
  path: documentPath(sha256),
  sha256,
  content: async function* () {
    const content = await documents.read(sha256);
    if (!content) throw failure('document_missing', { sha256 });
    yield* content;
  },
});

const readMe = (name: string, takenAt: string, serviceVersion: string) => `Backup of ${name}
Taken at ${takenAt} by Forecourt ${serviceVersion}

  manifest.json   every other file of this archive, with its size and SHA-256
  data/           one file a resource, one record a line, as the service shows it (JSON)
  documents/      the stored files, each named by its SHA-256

Passwords are not in a backup: employees get new ones after it is restored.

To check this archive, run at the service:

  forecourt verify FILE

To restore it into a new owner, or with --owner ID into an empty one:

  forecourt restore FILE [--owner ID]
`;
