// Begins a PDF: PDF/A-3b, tagged, with its fonts. An archive can keep the file for years, and screen readers can read
// it.
import type { Font } from 'fontkit';
import PDFDocument from 'pdfkit';
import { printable } from '../../../core/trade/identity/printable.ts';
import { FONTS } from './font.ts';

// pdfkit accepts parsed fonts, but its types don't say so.
declare global {
  namespace PDFKit.Mixins {
    interface PDFFont {
      registerFont(name: string, font: Font): this;
    }
  }
}

export interface PdfOptions {
  readonly title: string;
  readonly author: string;
  readonly language: string;
  /** Taken from the document, not from the clock: the same data must make the same bytes. */
  readonly created: Date;
}

export function newPdf({ title, author, language, created }: PdfOptions): PDFKit.PDFDocument {
  const info = {
    Title: metadata(title),
    Author: metadata(author),
    Creator: 'Forecourt',
    Producer: 'Forecourt',
  };
  const pdf = new PDFDocument({
    size: 'A4',
    margin: 0,
    bufferPages: true,
    font: '',
    lang: language,
    displayTitle: true,
    pdfVersion: '1.7',
    subset: 'PDF/A-3b',
    tagged: true,
    info: { ...info, CreationDate: created, ModDate: created },
  });
  for (const [name, font] of Object.entries(FONTS)) pdf.registerFont(name, font);
  return pdf;
}

/** pdfkit writes these texts into XML as they are, so marks of XML are replaced by marks that look alike. */
const metadata = (text: string): string =>
  printable(text).replaceAll('&', '＆').replaceAll('<', '‹').replaceAll('>', '›');
