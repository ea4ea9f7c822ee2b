// The job "personal-data": writes everything about a contact to the part file that the engine names. The engine may end the
// thread at any moment. Then the engine removes the part file.
import type { MessagePort } from 'node:worker_threads';
import { type Failed, failed } from '../src/archive/failure.ts';
import { connectDatabase } from '../src/database/connect.ts';
import type { ConnectionSettings } from '../src/database/settings.ts';
import { writePersonalData } from '../src/generation/personal-data.ts';
import { loadResources } from '../src/model/registry.ts';
import { filesIn } from '../src/storage.ts';

export interface PersonalDataTask {
  readonly owner: number;
  /** ID of the contact. */
  readonly contact: number;
  /** The path of the zip. The caller renames it. */
  readonly file: string;
  readonly connection: ConnectionSettings;
  /** The folder of the stored files. */
  readonly documents: string;
  /** Gets `{ progress }`, 0 to 100. */
  readonly port?: MessagePort;
}

export type PersonalDataResult = { ok: true; size: number; sha256: string } | Failed;

await loadResources(new URL('../src/resources/', import.meta.url));

/** Returns expected failures, throws all other errors. The connection is closed either way. */
export default async function personalData(task: PersonalDataTask): Promise<PersonalDataResult> {
  const { owner, contact, file, documents, port } = task;
  const database = connectDatabase(task.connection, filesIn(documents));
  const onProgress = (progress: number) => port?.postMessage({ progress });
  try {
    const options = { owner, contact, documents, onProgress };
    return { ok: true, ...(await writePersonalData(database, file, options)) };
  } catch (error) {
    return failed(error);
  } finally {
    await database.close();
  }
}
