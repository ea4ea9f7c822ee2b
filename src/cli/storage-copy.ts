// The command `forecourt storage copy`. It moves a storage into a bucket, out of it, or from one bucket to another.
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Config } from '../platform/config.ts';
import { parseStorageUrl } from '../platform/config-value.ts';
import type { Copied } from '../platform/storage/copy.ts';
import type { Storage } from '../platform/storage/open.ts';
import { command, UsageError } from './command.ts';

export const storageCopy = command({
  words: 'storage copy <from> <to>',
  summary:
    'Copy archives, documents and the signing secret; folders as in STORAGE_DIR, or s3://bucket/prefix',
  example: 'storage copy storage s3://bucket/prefix',
  offline: true,
  handlesAbort: true,
  run: async (_base, _options, [from = '', to = ''], { config, signal, showProgress }) => {
    const { copyStorage } = await import('../platform/storage/copy.ts');
    const source = await placeAt('<from>', from, config);
    const target = await placeAt('<to>', to, config);
    if (source.root.address === target.root.address) throw new UsageError('<from> and <to> are the same');
    try {
      await demandSource(source);
      // An older storage has not all of the folders yet.
      for (const storage of [source, target]) await makeFolders(storage);
      const made = await showProgress('copying', (onProgress) =>
        copyStorage(source, target, { signal, onProgress }),
      );
      return { json: made, text: describe(made), exitCode: made.damaged.length === 0 ? 0 : 1 };
    } finally {
      for (const storage of [source, target]) storage.close();
    }
  },
});

async function placeAt(word: string, place: string, config: Config): Promise<Storage> {
  const { storageOf } = await import('../platform/storage/open.ts');
  if (!place.startsWith('s3:')) return storageOf({ ...config, storageDir: resolve(place), storageUrl: '' });
  try {
    parseStorageUrl(place);
  } catch (error) {
    throw new UsageError(`${word} ${(error as Error).message}`);
  }
  return storageOf({ ...config, storageUrl: place });
}

const isFolder = ({ settings }: Storage) => settings.storageUrl === '';

/** A wrong path would copy nothing and look like success. */
async function demandSource(source: Storage): Promise<void> {
  const { directory } = source;
  if (isFolder(source) && !(await stat(join(directory, 'documents')).catch(() => undefined)))
    throw new Error(`${directory} is not a storage: it has no folder "documents"`);
}

async function makeFolders(storage: Storage): Promise<void> {
  if (!isFolder(storage)) return;
  const { makeFolder } = await import('../platform/storage/whole-file.ts');
  const { directory, archives, documents, uploads } = storage;
  for (const path of [directory, archives.address, documents.address, uploads.address])
    await makeFolder(path);
}

function describe({ copied, skipped, damaged, only_there }: Copied): string {
  return [
    `${copied} files were copied, ${skipped} were there already.`,
    ...damaged.map((name) => `Damaged, and not copied: documents/${name}`),
    ...only_there.map((name) => `At the target only: documents/${name}`),
  ].join('\n');
}
