// The storage of an installation: archives and documents on the local disk or in a bucket, and the folders that always
// stay on the local disk.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Files } from '../../core/model/statements/session.ts';
import type { Config } from '../config.ts';
import { parseStorageUrl } from '../config-value.ts';
import { openFolder } from './folder.ts';
import type { Store } from './store.ts';
import { makeFolder, writeWhole } from './whole-file.ts';

/** Each check writes a file and flushes the disk, and anybody may ask for it (/health/ready). */
const CHECK_MS = 1_000;
/** A bucket's owner pays for each request. */
const CHECK_BUCKET_MS = 5_000;

/** Plain data, so that a worker thread gets it and opens the same storage. */
export type StorageSettings = Pick<Config, 'storageDir' | 'storageUrl' | 's3Endpoint' | 's3Region'>;

export interface Storage {
  readonly settings: StorageSettings;
  /** STORAGE_DIR. */
  readonly directory: string;
  readonly mail: string;
  readonly database: string;
  readonly archives: Store;
  /** The archives, for reports of work that can't be undone: they may use what other files leave free. */
  readonly reports: Store;
  /** By SHA-256. */
  readonly documents: Store;
  /** Files of imports that are not over, by the ID of their job. */
  readonly uploads: Store;
  /** Holds the shared values of all processes of the installation: the secret and the ID. */
  readonly root: Store;
  /** `documents` as the engine knows them. */
  readonly files: Files;
  /** Throws if the storage can't be written to. Tests this once in some seconds at most. */
  check(): Promise<void>;
  /** Closes the connections to a bucket. */
  close(): void;
}

/** Makes the folders and tests the storage. Throws an error of one line that names the variable. */
export async function openStorage(settings: StorageSettings): Promise<Storage> {
  const storage = await storageOf(settings);
  const { directory, mail, archives, documents, uploads } = storage;
  const isBucket = settings.storageUrl !== '';
  const folders = isBucket ? [] : [archives.address, documents.address, uploads.address];
  try {
    for (const path of [directory, ...folders, mail]) await makeFolder(path);
    await (isBucket ? writeProbe(directory) : storage.check());
  } catch (error) {
    throw new Error(`STORAGE_DIR ${directory} can't be written to: ${(error as Error).message}`);
  }
  if (isBucket) await demandBucket(storage);
  return storage;
}

async function demandBucket({ settings, check, close }: Storage): Promise<void> {
  try {
    await check();
  } catch (error) {
    close();
    const { message, name } = ((error as Error).cause ?? error) as Error;
    throw new Error(`STORAGE_URL ${settings.storageUrl} can't be used: ${message || name}`);
  }
}

/** The storage as another thread has opened it. */
export async function storageOf(settings: StorageSettings): Promise<Storage> {
  const { storageDir: directory, storageUrl } = settings;
  const { root, documents, archives, reports, uploads, check, close } =
    storageUrl === '' ? storesOfFolder(directory) : await storesOfBucket(settings);
  return {
    settings,
    directory,
    mail: join(directory, 'mail'),
    database: join(directory, 'database'),
    root,
    archives,
    reports,
    documents,
    uploads,
    files: filesIn(documents),
    check,
    close,
  };
}

type Stores = Pick<Storage, 'root' | 'archives' | 'reports' | 'documents' | 'uploads' | 'check' | 'close'>;

const storesOfFolder = (directory: string): Stores => ({
  root: openFolder(directory),
  archives: openFolder(join(directory, 'archives')),
  reports: openFolder(join(directory, 'archives'), 0),
  documents: openFolder(join(directory, 'documents')),
  uploads: openFolder(join(directory, 'uploads')),
  check: onceIn(CHECK_MS, () => writeProbe(directory)),
  close: () => {},
});

/** The SDK is loaded only here, because it takes 20 MB of memory in each thread. */
async function storesOfBucket(settings: StorageSettings): Promise<Stores> {
  const { openClient } = await import('./bucket-client.ts');
  const { demandAnswer, openBucket } = await import('./bucket.ts');
  const { bucket, prefix } = parseStorageUrl(settings.storageUrl);
  const client = openClient(settings);
  const below = (folder: string) => openBucket(client, bucket, `${prefix}${folder}`);
  return {
    root: below(''),
    archives: below('archives/'),
    reports: below('archives/'),
    documents: below('documents/'),
    uploads: below('uploads/'),
    check: onceIn(CHECK_BUCKET_MS, async () => {
      await writeProbe(settings.storageDir);
      await demandAnswer(client, bucket, prefix);
    }),
    close: () => client.destroy(),
  };
}

const writeProbe = (directory: string) => writeWhole(join(directory, '.writable'), '');

/** Does the work once in so many milliseconds. All who ask within that time get the same result. */
function onceIn<T>(milliseconds: number, work: () => Promise<T>): () => Promise<T> {
  let last: { began: number; result: Promise<T> } | undefined;
  return () => {
    const now = performance.now();
    if (last === undefined || now - last.began >= milliseconds) last = { began: now, result: work() };
    return last.result;
  };
}

/**
 * Files by their SHA-256. Bytes that are there are written again: the time of a request must not tell whether another
 * garage has stored them. A damaged file becomes whole.
 */
const filesIn = (documents: Store): Files => ({
  put: async (bytes) => {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    await documents.write(sha256, bytes);
    return { sha256, size: bytes.length };
  },
  remove: (sha256) => documents.remove(sha256),
});
