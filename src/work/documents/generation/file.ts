// The file of a document: a PDF, or an e-invoice with the PDF in it.

import { typeRow } from '../../../core/trade/kinds/document-type.ts';
import { LISTS } from '../../../core/trade/lists.ts';
import { NEED_VAT_NUMBER } from '../../../core/trade/vat-code.ts';
import { failure } from '../../../platform/job-failure.ts';
import { missing } from '../einvoice/required.ts';
import type { DocumentData } from '../pdf/data.ts';
import { renderDocument } from '../pdf/document.ts';
import { nameDocument } from '../pdf/draft.ts';
import type { Wanted } from './order-source.ts';
import type { StoredDocument } from './record.ts';
import { contactOf } from './side.ts';

const { UBL } = LISTS.documenttypes;

/** How the file and its record are named. */
export function nameFile(
  { format }: Wanted,
  data: DocumentData,
): Pick<StoredDocument, 'document_kind' | 'name' | 'file_name' | 'mime_type'> {
  const { type, title, fileName } = nameDocument(data);
  const document_kind = typeRow(type).kind;
  const pdf = { document_kind, name: title, file_name: fileName, mime_type: 'application/pdf' };
  if (!format) return pdf;
  return {
    document_kind: typeRow(UBL).kind,
    name: `${title} (UBL, ${format})`,
    file_name: fileName.replace(/\.pdf$/, `-${format}.xml`),
    mime_type: 'application/xml',
  };
}

/** Throws a JobFailure if something that an e-invoice needs was emptied after the request. */
export async function renderFile({ owner, format }: Wanted, data: DocumentData): Promise<Buffer> {
  const pdf = await renderDocument(data);
  if (!format) return pdf;
  const needsVatNumber = data.lines.some(({ vat_code }) => NEED_VAT_NUMBER.includes(vat_code));
  const own = { hasInvoice: data.credited !== undefined, hasLines: data.lines.length > 0, needsVatNumber };
  const [found] = missing({ ...data, ...own, format, owner, contact: contactOf(data).id });
  if (found) throw failure('invoice_incomplete', { order: data.order.id, field: found.field ?? '' });
  // Loaded when it is first needed: the XML library takes 10 MB of memory.
  const [{ renderEInvoice }, { xmlFile }] = await Promise.all([
    import('../einvoice/e-invoice.ts'),
    import('../einvoice/xml.ts'),
  ]);
  return xmlFile(renderEInvoice({ ...data, format }, pdf));
}
