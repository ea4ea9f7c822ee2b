// Restores an owner from a backup, as a new owner or into an empty one. The whole archive is checked first. Then one
// transaction writes everything or nothing. Records get new IDs; all other values, also totals and times, stay the
// same.

import { anonymiseListed } from '../../business/privacy/anonymise.ts';
import { Counter, continueCounter } from '../../core/model/records/counter.ts';
import { allResources } from '../../core/model/records/registry.ts';
import { type Garage, garageOf } from '../../core/model/statements/garage.ts';
import type { Database, Session } from '../../core/model/statements/session.ts';
import { deleteRows } from '../../core/model/writes/write.ts';
import { Document } from '../../core/resources/document.ts';
import { Employee } from '../../core/resources/employee.ts';
import { Owner } from '../../core/resources/owner.ts';
import { VatRegime, type VatRegimeRow } from '../../core/resources/vat-regime.ts';
import { portionsOf } from '../../core/trade/grouped.ts';
import { FEED_COUNTERS } from '../../platform/changes/place.ts';
import { failure } from '../../platform/job-failure.ts';
import type { Store } from '../../platform/storage/store.ts';
import {
  dateNow,
  forgetUnused,
  keepFiles,
  removeUnused,
  withNotes,
} from '../../platform/storage/unused-file.ts';
import { type Inspected, inspect } from './inspect.ts';
import { rowsByResource } from './manifest.ts';
import { type Archive, readArchive } from './read.ts';
import { readShared, type Shared } from './references.ts';
import { digestsOf, restoreDocuments } from './restore-documents.ts';
import { Restoration, type Unnamed } from './restore-rows.ts';

const FILES_AT_ONCE = 500;

interface RestoreOptions {
  /** An owner without records. Default: a new owner. */
  readonly owner?: number;
  /** The stored files. */
  readonly documents: Store;
  /** Digests of contacts that another installation anonymised: see business/privacy/anonymised-list.ts. */
  readonly anonymised?: readonly string[];
  readonly signal?: AbortSignal;
  /** Gets the number of records done and their total, first for checking, then for restoring. */
  readonly onProgress?: (stage: 'checking' | 'restoring', done: number, of: number) => void;
}

export interface Restored {
  readonly owner: number;
  /** Records by resource. */
  readonly rows: Readonly<Record<string, number>>;
  /** The employees without a username, because somebody else has their username now. */
  readonly unnamed: readonly Unnamed[];
  /** Contacts that were anonymised after the backup. The restore anonymises them again. */
  readonly anonymised: number;
}

/**
 * Restores the backup at `path` (section 9). Throws a BadArchive if the backup is damaged or wrong, and a JobFailure if
 * the owner does not exist or is not empty; then nothing is written. Memory grows by eight bytes a record.
 */
export async function restoreOwner(
  database: Database,
  path: string,
  options: RestoreOptions,
): Promise<Restored> {
  const { owner, signal, onProgress = () => {} } = options;
  if (owner !== undefined) await demandEmpty(garageOf(database, owner));
  const archive = await readArchive(path);
  try {
    const rows = rowsByResource(archive.manifest.files);
    const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
    const shared = await readShared(database);
    const inspected = await inspect(archive, shared, (done) => {
      signal?.throwIfAborted();
      onProgress('checking', done, total);
    });
    const restored = await database.transaction((session) =>
      write(session, options, {
        database,
        archive,
        inspected,
        shared,
        onProgress: (done) => {
          signal?.throwIfAborted();
          onProgress('restoring', done, total);
        },
      }),
    );
    // The files of documents that went with an anonymised contact.
    if (restored.anonymised > 0) await removeUnused(database);
    return { ...restored, rows };
  } finally {
    archive.close();
  }
}

interface Checked {
  /** Outside the transaction. */
  readonly database: Database;
  readonly archive: Archive;
  readonly inspected: Inspected;
  readonly shared: Shared;
  readonly onProgress: (done: number) => void;
}

async function write(
  session: Session,
  { owner: given, documents, anonymised = [] }: RestoreOptions,
  { database, archive, inspected: { owner: self, files, ids }, shared, onProgress }: Checked,
): Promise<Omit<Restored, 'rows'>> {
  if (given !== undefined) await clear(garageOf(session, given));
  const restoration = new Restoration(session, archive, ids, shared, onProgress);
  const owner = await restoration.writeOwner(...self, given);
  for (const [resource, file] of files) await restoration.write(resource, file);
  await restoration.finish();
  const garage = garageOf(session, owner);
  for (const resource of files.keys()) await continueCounter(garage, resource);
  // Also of the resources that an older backup lacks.
  const resources = new Set([...files.keys(), ...allResources()]);
  for (const { hooks } of resources) await hooks.afterRestore?.(garage);
  await keepFiles(session);
  const digests = digestsOf(archive);
  await withNotes(database, digests, () => restoreDocuments(archive, documents));
  const again = await anonymiseListed(garage, anonymised);
  // Last, since others who store such a file wait from now on.
  await forgetRecorded(garage, digests);
  return { owner, unnamed: restoration.unnamed, anonymised: again };
}

/** Takes the notes of the files back, and lets files go whose documents were deleted again. */
async function forgetRecorded(garage: Garage, digests: readonly string[]): Promise<void> {
  for (const some of portionsOf(digests, FILES_AT_ONCE)) {
    const documents = await Document.of(garage).select('sha256').whereIn('sha256', some);
    const recorded = new Set(documents.map(({ sha256 }) => String(sha256)));
    await forgetUnused(garage, [...recorded]);
    await dateNow(
      garage,
      some.filter((sha256) => !recorded.has(sha256)),
    );
  }
}

/** Locks an owner, and removes what every new owner has. Throws a JobFailure if the owner has other records. */
async function clear(garage: Garage): Promise<void> {
  await Owner.of(garage).first().forUpdate();
  await demandEmpty(garage);
  const settings: VatRegimeRow[] = await VatRegime.of(garage);
  await deleteRows(garage, VatRegime.resource, settings);
  // The feed goes on behind the changes that it has, such as the owner's own.
  await Counter.of(garage).delete().whereNotIn('name', FEED_COUNTERS);
}

/** A new owner has these: an employee to log in, and the settings of its VAT return. */
const OF_NEW_OWNER: readonly string[] = [Employee.resource.name, VatRegime.resource.name];

/** Throws a JobFailure unless the owner is empty, but for what a new owner has. */
async function demandEmpty(garage: Garage): Promise<void> {
  const found = await Owner.of(garage).select('id').first();
  if (!found) throw failure('owner_unknown', { owner: garage.owner });
  for (const { name, ownership, model } of allResources()) {
    if (ownership !== 'column' || OF_NEW_OWNER.includes(name)) continue;
    const record = await model.of(garage).select('id').first();
    if (record) throw failure('owner_not_empty', { owner: garage.owner, resource: name });
  }
}
