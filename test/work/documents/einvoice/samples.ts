// Sample e-invoices. Each test changes the part that it tests.
import type { EInvoiceData } from '../../../../src/work/documents/einvoice/data.ts';
import { renderEInvoice } from '../../../../src/work/documents/einvoice/e-invoice.ts';
import { sample } from '../pdf/samples.ts';

type Changes = Parameters<typeof sample>[0] & Partial<Pick<EInvoiceData, 'format'>>;

export const eSample = ({ format = 'nlcius', ...changes }: Changes = {}): EInvoiceData => ({
  ...sample(changes),
  format,
});

export const PDF = Buffer.from('%PDF-1.7 é');

export const xmlOf = (changes: Changes = {}): string => renderEInvoice(eSample(changes), PDF);
