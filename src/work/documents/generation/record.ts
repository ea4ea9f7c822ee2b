// Records generated documents. The same file of an order is one record, even if several jobs or attempts make it, also
// at the same time. The renewed lease of the job stops an attempt that lost the job.

import { claimRecords } from '../../../core/model/lists/find.ts';
import { type Garage, garageOf } from '../../../core/model/statements/garage.ts';
import type { Database } from '../../../core/model/statements/session.ts';
import { insertRow } from '../../../core/model/writes/write.ts';
import { Document } from '../../../core/resources/document.ts';
import { Order } from '../../../core/resources/order.ts';
import { failure } from '../../../platform/job-failure.ts';
import { forgetUnused } from '../../../platform/storage/unused-file.ts';
import { renewLease } from '../../jobs/attempt.ts';

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

/**
 * Records all documents or none, and returns their IDs by order ID. A document that has a record gets no second one.
 * Throws a JobFailure if another attempt has taken over the job, or if an order, contact or vehicle of a document no
 * longer exists.
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
      const known = await readKnown(garageOf(session, attempt.owner), documents);
      for (const document of documents) {
        const id =
          known.get(contentOf(document)) ??
          (await insertRow(garageOf(session, attempt.owner), Document.resource, { ...document }));
        ids.set(document.order_id, id);
      }
      await forgetUnused(
        session,
        documents.map(({ sha256 }) => sha256),
      );
      return ids;
    });
  } catch (error) {
    throw (error as { code?: string }).code === 'ER_NO_REFERENCED_ROW_2' ? failure('records_gone') : error;
  }
}

/** Claims the orders, so that two jobs can't both find no record. Answers the IDs of the records that exist. */
async function readKnown(garage: Garage, documents: readonly StoredDocument[]): Promise<Map<string, number>> {
  const orders = documents.map(({ order_id }) => order_id);
  await claimRecords(garage, Order.resource, orders);
  const rows = await Document.of(garage)
    .select('id', 'order_id', 'document_kind', 'sha256')
    .whereIn('order_id', orders)
    .orderBy('id', 'desc');
  // The oldest record of equal ones is the last.
  return new Map(rows.map((row) => [contentOf(row), row.id]));
}

/**
 * What makes a document the same record, under the lock on its order. There is no other key, so a record is found after
 * a restore too, and an uploaded file can be the record. A reminder of several invoices is a record of the first order.
 */
const contentOf = ({
  order_id,
  document_kind,
  sha256,
}: Pick<Document, 'order_id' | 'document_kind' | 'sha256'>): string =>
  `${order_id} ${document_kind} ${sha256}`;
