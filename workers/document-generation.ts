// The job "document-generation": makes documents of orders and writes them as a zip under the name that the engine
// gives. The engine may end the thread at any moment. The next attempt makes the same files, which are the same
// records.

import { LISTS, type ListValue } from '../src/core/trade/lists.ts';
import { DEFAULT_FORMAT, type Format } from '../src/work/documents/einvoice/format.ts';
import { generateDocuments } from '../src/work/documents/generation/generate.ts';
import { generateReminder } from '../src/work/documents/generation/reminder.ts';
import type { DocumentType } from '../src/work/documents/pdf/data.ts';
import { defineJob } from './job.ts';

const { UBL, INVOICE, REMINDER } = LISTS.documenttypes;

interface Params {
  readonly document_type: ListValue<'documenttypes'>;
  /** The format of e-invoices. */
  readonly format?: Format;
  readonly order_ids: readonly number[];
}

declare module '../src/work/jobs/kind.ts' {
  interface Kinds {
    'document-generation': Params;
  }
}

export default defineJob<'document-generation'>(
  (task, { database, storage: { documents }, save, onProgress }) => {
    const { job, fence, owner, order_ids: orders } = task;
    const attempt = { job, fence, owner, documents, orders };
    const { document_type, format } = task;
    if (document_type === REMINDER) return generateReminder(database, save, attempt);
    const wanted = { ...attempt, ...typeOf({ document_type, format }), onProgress };
    return generateDocuments(database, save, wanted);
  },
);

/** An e-invoice holds the PDF of an invoice; the order decides whether that is a credit note. */
function typeOf({
  document_type,
  format = DEFAULT_FORMAT,
}: {
  document_type: Exclude<Params['document_type'], typeof REMINDER>;
  format?: Format;
}): { type: DocumentType; format?: Format } {
  return document_type === UBL ? { type: INVOICE, format } : { type: document_type };
}
