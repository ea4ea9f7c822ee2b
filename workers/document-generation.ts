// The job "document-generation": makes the PDFs of orders and writes their zip to the part file that the engine names.
// The engine may end the thread at any moment; the next attempt finds the documents that this one recorded.
import type { MessagePort } from 'node:worker_threads';
import { type Failed, failed } from '../src/archive/failure.ts';
import { connectDatabase } from '../src/database/connect.ts';
import type { ConnectionSettings } from '../src/database/settings.ts';
import type { DocumentType } from '../src/documents/data.ts';
import { generateDocuments } from '../src/generation/generate.ts';
import { loadResources } from '../src/model/registry.ts';
import { filesIn } from '../src/storage.ts';

export interface DocumentGenerationTask {
  readonly job: string;
  readonly fence: number;
  readonly owner: number;
  /** The path of the zip. The caller renames it. */
  readonly file: string;
  readonly connection: ConnectionSettings;
  /** The folder of the stored files. */
  readonly documents: string;
  readonly document_type: DocumentType;
  readonly order_ids: readonly number[];
  /** Gets `{ progress }`, 0 to 100. */
  readonly port?: MessagePort;
}

export type DocumentGenerationResult = { ok: true; size: number; sha256: string } | Failed;

await loadResources(new URL('../src/resources/', import.meta.url));

/** Returns expected failures, throws all other errors. The connection is closed either way. */
export default async function documentGeneration(
  task: DocumentGenerationTask,
): Promise<DocumentGenerationResult> {
  const { job, fence, owner, file, documents, document_type, order_ids, port } = task;
  const database = connectDatabase(task.connection, filesIn(documents), 2);
  const onProgress = (progress: number) => port?.postMessage({ progress });
  try {
    const wanted = { job, fence, owner, documents, type: document_type, orders: order_ids, onProgress };
    return { ok: true, ...(await generateDocuments(database, file, wanted)) };
  } catch (error) {
    return failed(error);
  } finally {
    await database.close();
  }
}
