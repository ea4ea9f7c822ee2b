// Records generated documents, one record per order even after crashes. The external ID of a record names the job and
// the order, so a later attempt finds the record. The renewed lease of the job stops an attempt that lost the job.

import { failure } from '../../job-failure.ts';
import { renewLease } from '../../jobs/attempt.ts';
import type { Database, Session } from '../../model/session.ts';
import { insertRow } from '../../model/write.ts';
import { Document } from '../../resources/document.ts';

/** The attempt that makes the documents. */
export interface Attempt {
  readonly owner: number;
  readonly job: string;
  readonly fence: number;
}

/** A document whose file is stored. */
export interface StoredDocument
  extends Pick<Document, 'document_kind' | 'name' | 'file_name' | 'mime_type' | 'vehicle_id'> {
  readonly order_id: number;
  readonly contact_id: number;
  readonly size: number;
  readonly sha256: string;
}

/** A document that an earlier attempt recorded. */
export type Recorded = Pick<StoredDocument, 'size' | 'sha256'> & { readonly id: number };

const externalIdOf = ({ job }: Attempt, order: number) => `generated:${job}:${order}`;

/** The documents that earlier attempts of the job recorded, by order ID. */
export async function readRecorded(session: Session, attempt: Attempt): Promise<Map<number, Recorded>> {
  const rows = await Document.of(session, attempt.owner)
    .select('id', 'size', 'sha256', 'external_id')
    .where('external_id', 'like', `generated:${attempt.job}:%`)
    .whereNotNull('sha256');
  return new Map(
    rows.map(({ id, size, sha256, external_id }) => [
      Number(external_id?.split(':')[2]),
      { id, size: Number(size), sha256: String(sha256) },
    ]),
  );
}

/**
 * Records all documents or none, and returns their IDs by order ID. Throws a JobFailure if another attempt has
 * taken over the job, or if an order, contact or vehicle of a document no longer exists.
 */
export async function recordDocuments(
  database: Database,
  attempt: Attempt,
  documents: readonly StoredDocument[],
): Promise<Map<number, number>> {
  try {
    return await database.transaction(async (session) => {
      if (!(await renewLease(session, { id: attempt.job, fence: attempt.fence }))) throw failure('job_lost');
      const ids = new Map<number, number>();
      for (const document of documents) {
        const row = { ...document, external_id: externalIdOf(attempt, document.order_id) };
        ids.set(document.order_id, await insertRow(session, Document.resource, attempt.owner, row));
      }
      return ids;
    });
  } catch (error) {
    throw (error as { code?: string }).code === 'ER_NO_REFERENCED_ROW_2' ? failure('records_gone') : error;
  }
}
