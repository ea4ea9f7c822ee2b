// The job "document-generation": makes documents of orders and writes them as a zip under the name that the engine gives.
// The engine may end the thread at any moment. The next attempt finds the recorded documents.
import type { MessagePort } from 'node:worker_threads';
import { type Failed, failed } from '../src/archive/failure.ts';
import type { Save } from '../src/archive/write.ts';
import { connectDatabase } from '../src/database/connect.ts';
import type { ConnectionSettings } from '../src/database/settings.ts';
import type { DocumentType } from '../src/documents/data.ts';
import { DEFAULT_FORMAT, type Format } from '../src/einvoice/format.ts';
import { generateDocuments } from '../src/generation/generate.ts';
import { loadResources } from '../src/model/registry.ts';
import { storageOf } from '../src/storage/open.ts';
import type { StorageSettings } from '../src/storage/settings.ts';
import { LISTS, type ListValue } from '../src/trade/lists.ts';

const { UBL, INVOICE } = LISTS.documenttypes;

export interface DocumentGenerationTask {
  readonly job: string;
  readonly fence: number;
  readonly owner: number;
  /** The name of the zip among the archives. */
  readonly archive: string;
  readonly connection: ConnectionSettings;
  readonly storage: StorageSettings;
  readonly document_type: ListValue<'documenttypes'>;
  /** Of e-invoices. */
  readonly format?: Format;
  readonly order_ids: readonly number[];
  /** Gets `{ progress }`, 0 to 100. */
  readonly port?: MessagePort;
}

export type DocumentGenerationResult = { ok: true; size: number; sha256: string } | Failed;

await loadResources(new URL('../src/resources/', import.meta.url));

/** Returns expected failures, throws all other errors. The connections are closed either way. */
export default async function documentGeneration(
  task: DocumentGenerationTask,
): Promise<DocumentGenerationResult> {
  const { job, fence, owner, archive, order_ids, port } = task;
  const storage = await storageOf(task.storage);
  const database = connectDatabase(task.connection, storage.files);
  const save: Save = (chunks) => storage.archives.write(archive, chunks);
  const onProgress = (progress: number) => port?.postMessage({ progress });
  try {
    const { documents } = storage;
    const wanted = { job, fence, owner, documents, ...typeOf(task), orders: order_ids, onProgress };
    return { ok: true, ...(await generateDocuments(database, save, wanted)) };
  } catch (error) {
    return failed(error);
  } finally {
    await database.close();
    storage.close();
  }
}

/** An e-invoice holds the PDF of an invoice; the order decides whether that is a credit note. */
function typeOf({ document_type, format = DEFAULT_FORMAT }: DocumentGenerationTask): {
  type: DocumentType;
  format?: Format;
} {
  return document_type === UBL ? { type: INVOICE, format } : { type: document_type };
}
