// The file of a document: a PDF, or an e-invoice with the PDF in it.
import { failure } from '../../job-failure.ts';
import { LISTS } from '../../trade/lists.ts';
import { renderEInvoice } from '../einvoice/e-invoice.ts';
import { missing } from '../einvoice/required.ts';
import { nameDocument, renderDocument } from '../pdf/document.ts';
import type { Source, Wanted } from './order-source.ts';
import type { StoredDocument } from './record.ts';

const { REVERSE_CHARGE } = LISTS.vatcodes;

/** How the file and its record are named. An e-invoice is an invoice: its record is of the same kind as the PDF's. */
export function nameFile({
  data,
  eInvoice,
}: Source): Pick<StoredDocument, 'kind' | 'name' | 'fileName' | 'mimeType'> {
  const { type, title, fileName } = nameDocument(data);
  if (!eInvoice) return { kind: type, name: title, fileName, mimeType: 'application/pdf' };
  const { format } = eInvoice;
  return {
    kind: type,
    name: `${title} (UBL, ${format})`,
    fileName: fileName.replace(/\.pdf$/, `-${format}.xml`),
    mimeType: 'application/xml',
  };
}

/** Throws a JobFailure if something that an e-invoice needs was emptied after the request. */
export async function renderFile({ owner }: Wanted, { order, data, eInvoice }: Source): Promise<Buffer> {
  const pdf = await renderDocument(data);
  if (!eInvoice) return pdf;
  const isReverseCharged = data.lines.some(({ vat_code }) => vat_code === REVERSE_CHARGE);
  const [found] = missing({ ...eInvoice, owner, isReverseCharged });
  if (found) throw failure('invoice_incomplete', { order, field: found.field ?? '' });
  return Buffer.from(renderEInvoice(eInvoice, pdf));
}
