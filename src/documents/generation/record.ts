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
export interface StoredDocument {
  readonly order: number;
  readonly contact: number;
  readonly vehicle: number | null;
  readonly kind: number;
  readonly name: string;
  readonly fileName: string;
  readonly mimeType: string;
  readonly size: number;
  readonly sha256: string;
}

/** A document that an earlier attempt recorded. */
export interface Recorded {
  readonly id: number;
  readonly size: number;
  readonly sha256: string;
}

const externalIdOf = ({ job }: Attempt, order: number) => `generated:${job}:${order}`;

/** The documents that earlier attempts of the job recorded, by order ID. */
export async function readRecorded(session: Session, attempt: Attempt): Promise<Map<number, Recorded>> {
  const rows = await Document.of(session, attempt.owner)
    .select('id', 'size', 'sha256', 'external_id')
    .where('external_id', 'like', `generated:${attempt.job}:%`)
    .whereNotNull('sha256');
  return new Map(
    rows.map(({ id, size, sha256, external_id }) => [
      Number(String(external_id).split(':')[2]),
      { id: Number(id), size: Number(size), sha256: String(sha256) },
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
      for (const document of documents) ids.set(document.order, await insert(session, attempt, document));
      return ids;
    });
  } catch (error) {
    throw (error as { code?: string }).code === 'ER_NO_REFERENCED_ROW_2' ? failure('records_gone') : error;
  }
}

const insert = (session: Session, attempt: Attempt, document: StoredDocument): Promise<number> =>
  insertRow(session, Document.resource, attempt.owner, {
    external_id: externalIdOf(attempt, document.order),
    document_kind: document.kind,
    name: document.name,
    file_name: document.fileName,
    mime_type: document.mimeType,
    size: document.size,
    sha256: document.sha256,
    order_id: document.order,
    contact_id: document.contact,
    vehicle_id: document.vehicle,
  });
