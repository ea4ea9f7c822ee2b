// Restores the stored files of a backup. A file's name is its SHA-256, so an intact file is not written again. A file
// without a record does no harm.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from '../storage.ts';
import { expectedFailure, failure } from './failure.ts';
import { isDocument } from './manifest.ts';
import type { Archive } from './read.ts';
import type { ArchivedFile } from './write.ts';

/** Most of the time is waiting for the disk. */
const FILES_AT_ONCE = 8;

/** Writes the files into the folder. A file appears only when it is complete and its digest is right. */
export async function restoreDocuments(archive: Archive, folder: string): Promise<void> {
  const left = archive.manifest.files.filter(isDocument);
  const work = async () => {
    for (let file = left.pop(); file; file = left.pop()) await restoreFile(archive, folder, file);
  };
  try {
    await Promise.all(Array.from({ length: FILES_AT_ONCE }, work));
  } catch (error) {
    left.length = 0;
    throw expectedFailure(error)?.code === 'disk_full' ? failure('storage_full') : error;
  }
}

async function restoreFile(archive: Archive, folder: string, file: ArchivedFile): Promise<void> {
  const path = join(folder, file.sha256);
  if ((await digestOf(path)) !== file.sha256) await writeWhole(path, archive.content(file));
}

/** Undefined if there is no such file. */
async function digestOf(path: string): Promise<string | undefined> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk);
    return hash.digest('hex');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
