// The job "personal-data": writes everything about a contact under the name that the engine gives. The engine may end the
// thread at any moment. Then the engine removes what was written.
import type { MessagePort } from 'node:worker_threads';
import { type Failed, failed } from '../src/archive/failure.ts';
import type { Save } from '../src/archive/write.ts';
import { connectDatabase } from '../src/database/connect.ts';
import type { ConnectionSettings } from '../src/database/settings.ts';
import { writePersonalData } from '../src/generation/personal-data.ts';
import { loadResources } from '../src/model/registry.ts';
import { storageOf } from '../src/storage/open.ts';
import type { StorageSettings } from '../src/storage/settings.ts';

export interface PersonalDataTask {
  readonly owner: number;
  /** ID of the contact. */
  readonly contact: number;
  /** The name of the zip among the archives. */
  readonly archive: string;
  readonly connection: ConnectionSettings;
  readonly storage: StorageSettings;
  /** Gets `{ progress }`, 0 to 100. */
  readonly port?: MessagePort;
}

export type PersonalDataResult = { ok: true; size: number; sha256: string } | Failed;

await loadResources(new URL('../src/resources/', import.meta.url));

/** Returns expected failures, throws all other errors. The connection is closed either way. */
export default async function personalData(task: PersonalDataTask): Promise<PersonalDataResult> {
  const { owner, contact, archive, port } = task;
  const storage = await storageOf(task.storage);
  const database = connectDatabase(task.connection, storage.files);
  const save: Save = (chunks) => storage.archives.write(archive, chunks);
  const onProgress = (progress: number) => port?.postMessage({ progress });
  try {
    const options = { owner, contact, documents: storage.documents, onProgress };
    return { ok: true, ...(await writePersonalData(database, save, options)) };
  } catch (error) {
    return failed(error);
  } finally {
    await database.close();
    storage.close();
  }
}
