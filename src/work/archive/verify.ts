// Verifies a backup without a database: everything that a restore checks, except the IDs of countries.
import { loadResources } from '../../core/model/records/registry.ts';
import { inspect } from './inspect.ts';
import { isDocument, type Manifest, rowsByResource } from './manifest.ts';
import { readArchive } from './read.ts';

interface ArchiveSummary {
  readonly owner: Manifest['owner'];
  readonly snapshot_at: string;
  readonly service_version: string;
  /** Records by resource. */
  readonly rows: Readonly<Record<string, number>>;
  /** Stored files. */
  readonly documents: number;
}

/**
 * Checks a whole backup: the zip, the manifest, every file's size and digest, the fields of every record, and every
 * reference. Throws a BadArchive that names the first bad file. Memory grows by four bytes per
 * record. `onProgress` gets the number of records read, and their total.
 */
export async function verifyArchive(
  path: string,
  onProgress: (done: number, of: number) => void = () => {},
): Promise<ArchiveSummary> {
  await loadResources();
  const archive = await readArchive(path);
  try {
    const { files, owner, snapshot_at, service_version } = archive.manifest;
    const rows = rowsByResource(files);
    const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
    await inspect(archive, undefined, (done) => onProgress(done, total));
    return { owner, snapshot_at, service_version, rows, documents: files.filter(isDocument).length };
  } finally {
    archive.close();
  }
}
