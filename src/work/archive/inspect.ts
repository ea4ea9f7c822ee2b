// Checks a whole backup, also before a restore writes anything: all files, the fields of every record, every reference
// and every stored file.
import { problem } from '../../core/errors.ts';
import type { Row } from '../../core/model/fields/field.ts';
import type { Resource } from '../../core/model/records/record.ts';
import { findResource, inOrderOfReference } from '../../core/model/records/registry.ts';
import type { ArchivedFile } from '../../platform/zip/write.ts';
import { Ids } from './ids.ts';
import { dataPath, documentPath, isDocument, README } from './manifest.ts';
import { type Archive, BadArchive } from './read.ts';
import { atLine, readRecords } from './records.ts';
import { References, type Shared } from './references.ts';

/** A backup that passed all checks. */
export interface Inspected {
  /** The file of the owner's own record. */
  readonly owner: readonly [Resource, ArchivedFile];
  /** The other files of records. A resource comes after the resources that it refers to. */
  readonly files: ReadonlyMap<Resource, ArchivedFile>;
  /** The IDs of all records, by resource. */
  readonly ids: ReadonlyMap<string, Ids>;
}

const LARGEST_README_BYTES = 2 ** 16;

/**
 * Reads the whole archive. Throws a BadArchive. Without `shared` references to shared records are not checked.
 * `onProgress` gets the records read so far.
 */
export async function inspect(
  archive: Archive,
  shared: Shared | undefined,
  onProgress: (done: number) => void = () => {},
): Promise<Inspected> {
  const { files: all } = archive.manifest;
  for (const file of all) checkPath(file);
  const files = inOrder(all);
  const [[self, owner] = [], ...others] = files;
  if (self?.ownership !== 'self' || owner?.rows !== 1)
    throw new BadArchive(dataPath('owner'), 'must hold one record');
  const ids = new Map<string, Ids>();
  const references = new References(ids, shared);
  const stored = new StoredFiles(all);
  let done = 0;
  for (const [resource, file] of files) {
    const own = new Ids();
    ids.set(resource.name, own);
    for await (const { rows, line } of readRecords(archive, file, resource)) {
      rows.forEach((row, index) => {
        own.add(Number(row.id));
        atLine(file, line + index, () => {
          references.check(resource, row, { file, line: line + index });
          if (resource.name === 'document') stored.check(row);
        });
      });
      done += rows.length;
      onProgress(done);
    }
  }
  references.checkForward();
  stored.checkAllUsed();
  // Stored files may be large, so they are read last. By now every one is known to belong to a document.
  for (const file of all) if (file.resource === undefined) for await (const _ of archive.content(file));
  return { owner: [self, owner], files: new Map(others), ids };
}

/** Refuses files that don't belong in a backup. readArchive has refused paths that lead out of the archive. */
function checkPath(file: ArchivedFile): void {
  if (file.resource !== undefined) {
    const ownership = findResource(file.resource)?.ownership ?? 'none';
    if (ownership === 'none')
      throw new BadArchive(file.path, `no resource of an owner is named ${file.resource}`);
  } else if (file.path === README) {
    if (file.bytes > LARGEST_README_BYTES) throw new BadArchive(file.path, 'too large');
  } else if (!isDocument(file)) throw new BadArchive(file.path, 'has no place in a backup');
}

/** The files by resource, the owner's own first. An old backup has no files for newer resources. */
function inOrder(files: readonly ArchivedFile[]): Map<Resource, ArchivedFile> {
  const named = new Map(files.map((file) => [file.resource, file]));
  const found = inOrderOfReference().flatMap((resource) => {
    const file = named.get(resource.name);
    return file ? [[resource, file] as const] : [];
  });
  const isSelf = ([{ ownership }]: (typeof found)[number]) => Number(ownership === 'self');
  return new Map(found.sort((one, other) => isSelf(other) - isSelf(one)));
}

/** Checks that each document has its stored file in the archive, and each stored file a document. */
class StoredFiles {
  private readonly bytes: ReadonlyMap<string, number>;
  private readonly unused: Set<string>;

  constructor(files: readonly ArchivedFile[]) {
    this.bytes = new Map(files.filter(isDocument).map(({ path, bytes }) => [path, bytes]));
    this.unused = new Set(this.bytes.keys());
  }

  /** Throws Problem. */
  check({ sha256 = null, size = null }: Row): void {
    if (sha256 === null) return;
    const path = documentPath(String(sha256));
    const bytes = this.bytes.get(path);
    if (bytes === undefined) throw problem('record_unknown', { field: 'sha256', value: sha256 });
    if (size !== bytes)
      throw problem('value_invalid', { field: 'size', value: size, validation: `${bytes}` });
    this.unused.delete(path);
  }

  checkAllUsed(): void {
    const [path] = this.unused;
    if (path !== undefined) throw new BadArchive(path, 'no document has this file');
  }
}
