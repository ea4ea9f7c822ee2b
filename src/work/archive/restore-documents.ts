// Restores the stored files of a backup. A file's name is its SHA-256, so an intact file is not written again. Tidying
// removes the files of a restore that fails.
import { throwStorageFull } from '../../platform/job-failure.ts';
import type { Store } from '../../platform/storage/store.ts';
import { type ArchivedFile, Sum } from '../../platform/zip/write.ts';
import { isDocument } from './manifest.ts';
import type { Archive } from './read.ts';

/** Most of the time is waiting for the disk or the object store. */
const FILES_AT_ONCE = 8;

/** The names of the files. */
export const digestsOf = ({ manifest }: Archive): string[] =>
  manifest.files.filter(isDocument).map(({ sha256 }) => sha256);

/** Writes the files into the store. A file appears only when it is complete and its digest is right. */
export async function restoreDocuments(archive: Archive, documents: Store): Promise<void> {
  const left = archive.manifest.files.filter(isDocument);
  const work = async () => {
    for (let file = left.pop(); file; file = left.pop()) await restoreFile(archive, documents, file);
  };
  try {
    await Promise.all(Array.from({ length: FILES_AT_ONCE }, work));
  } catch (error) {
    left.length = 0;
    throwStorageFull(error);
  }
}

async function restoreFile(archive: Archive, documents: Store, file: ArchivedFile): Promise<void> {
  const { sha256 } = file;
  if ((await digestOf(documents, sha256)) !== sha256) await documents.write(sha256, archive.content(file));
}

/** Undefined if there is no such file. */
async function digestOf(documents: Store, name: string): Promise<string | undefined> {
  const content = await documents.read(name);
  if (!content) return undefined;
  const sum = new Sum();
  for await (const chunk of content) sum.add(chunk);
  return sum.done().sha256;
}
