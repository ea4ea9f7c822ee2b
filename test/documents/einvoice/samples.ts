// Sample e-invoices. Each test changes the part that it tests.
import type {
  EInvoiceBuyer,
  EInvoiceData,
  EInvoiceOrder,
  EInvoiceSeller,
} from '../../../src/documents/einvoice/data.ts';
import { renderEInvoice } from '../../../src/documents/einvoice/e-invoice.ts';
import type { Format } from '../../../src/documents/einvoice/format.ts';
import { sample } from '../pdf/samples.ts';

type Changes = Omit<NonNullable<Parameters<typeof sample>[0]>, 'seller' | 'buyer' | 'order'> & {
  format?: Format;
  seller?: Partial<EInvoiceSeller>;
  buyer?: Partial<EInvoiceBuyer>;
  order?: Partial<EInvoiceOrder>;
};

export function eSample({ format = 'nlcius', seller, buyer, order, ...changes }: Changes = {}): EInvoiceData {
  const data = sample({ ...changes, seller, buyer, order });
  return {
    ...data,
    format,
    seller: { peppol_id: '0106:12345678', ...data.seller },
    buyer: { peppol_id: '0190:00000001003214345000', ...data.buyer },
    order: { buyer_reference: 'KP-7', ...data.order },
  };
}

export const PDF = Buffer.from('%PDF-1.7 é');

export const xmlOf = (changes: Changes = {}): string => renderEInvoice(eSample(changes), PDF);
