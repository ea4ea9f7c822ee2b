// A4 pages with a cursor that moves down. This file breaks lines and pages itself, not pdfkit: the measured text is
// exactly the drawn text, and no page breaks unexpectedly. Everything drawn is tagged, for screen readers.
import { buffer } from 'node:stream/consumers';
import { printable } from '../../../core/trade/identity/printable.ts';
import { INK, PALE } from './color.ts';
import type { FontName } from './font.ts';
import { newPdf, type PdfOptions } from './pdf.ts';
import { type Role, Structure } from './structure.ts';
import { wrapped } from './wrap.ts';

const SHEET = { width: 595.28, height: 841.89 };
export const LEFT = 54;
export const RIGHT = SHEET.width - LEFT;
export const WIDTH = RIGHT - LEFT;
const TOP = 48;
const FOOT = 34;
const LEADING = 1.34;
const LINES_TOGETHER = 5;

export interface Style {
  readonly font: FontName;
  readonly size: number;
  readonly color?: string;
}

type Column = readonly [x: number, y: number, width: number];
type Box = readonly [x: number, y: number, width: number, height: number];

export const lineHeight = ({ size }: Style): number => size * LEADING;

export class Paper {
  /** The cursor, in points from the top. */
  y = TOP;
  /** Where the space below the head of the page begins. */
  private fresh = TOP;
  /** Where the foot of each page begins. */
  bottom = SHEET.height - FOOT;
  /** Draws the top of each page except the first. */
  head: () => void = () => {};
  readonly structure: Structure;
  private readonly pdf: PDFKit.PDFDocument;

  constructor(options: PdfOptions) {
    this.pdf = newPdf(options);
    this.structure = new Structure(this.pdf);
  }

  /** Splits text into lines of at most `width`. Line ends in the text stay. Wider words are cut. */
  wrap(text: string, width: number, style: Style): string[] {
    this.use(style);
    return wrapped(printable(text), width, (part) => this.pdf.widthOfString(part));
  }

  width(text: string, style: Style): number {
    this.use(style);
    return this.pdf.widthOfString(printable(text));
  }

  /** Draws one line with its top at `y`, without wrapping. The text starts at `x` or, aligned right, ends at `x`. */
  put(text: string, x: number, y: number, style: Style, align: 'left' | 'right' = 'left'): void {
    const shown = printable(text);
    if (shown === '') return;
    this.use(style);
    const from = align === 'left' ? x : x - this.pdf.widthOfString(shown);
    this.structure.mark(() => {
      this.pdf
        .fillColor(style.color ?? INK)
        .text(shown, from, y + style.size * 1.02, { lineBreak: false, baseline: 'alphabetic' });
    });
  }

  /** Draws wrapped text from `y` down and returns its end. Never breaks the page. */
  block(text: string, [x, y, width]: Column, style: Style, role: Role = 'P'): number {
    let at = y;
    this.structure.grouped(role, () => {
      for (const line of this.wrap(text, width, style)) {
        this.put(line, x, at, style);
        at += lineHeight(style);
      }
    });
    return at;
  }

  /** Draws a paragraph over the whole width at the cursor. A long paragraph may span pages. */
  flow(text: string, style: Style, role: Role = 'P'): void {
    const lines = this.wrap(text, WIDTH, style);
    this.room(Math.min(lines.length, LINES_TOGETHER) * lineHeight(style));
    this.structure.grouped(role, () => {
      for (const line of lines) {
        this.room(lineHeight(style));
        this.put(line, LEFT, this.y, style);
        this.y += lineHeight(style);
      }
    });
  }

  /** Breaks the page unless `height` fits below the cursor. An empty page stays, however much is wanted. */
  room(height: number): void {
    if (this.y + height > this.bottom && this.y > this.fresh) this.breakPage();
  }

  rule(y: number, color = PALE, from = LEFT, to = RIGHT, thickness = 0.6): void {
    this.decorate((pdf) =>
      pdf.lineWidth(thickness).strokeColor(color).moveTo(from, y).lineTo(to, y).stroke(),
    );
  }

  box([x, y, width, height]: Box, { fill, line }: { fill?: string; line?: string }): void {
    this.decorate((pdf) => {
      if (fill) pdf.rect(x, y, width, height).fill(fill);
      if (line) pdf.lineWidth(0.6).rect(x, y, width, height).stroke(line);
    });
  }

  /** Draws rectangles as one black shape. Screen readers get `alt`. */
  shape(alt: string, box: Box, parts: readonly Box[]): void {
    const [x, y] = box;
    this.figure(alt, box, (pdf) => {
      for (const [left, top, wide, high] of parts) pdf.rect(x + left, y + top, wide, high);
      pdf.fill('#000000');
    });
  }

  /** Draws a PNG or JPEG. Screen readers get `alt`. */
  picture(alt: string, box: Box, bytes: Buffer): void {
    const [x, y, width, height] = box;
    this.figure(alt, box, (pdf) => pdf.image(bytes, x, y, { width, height }));
  }

  /** Draws the foot of every page and returns the PDF. */
  finish(foot: (page: number, of: number) => void): Promise<Buffer> {
    const { count } = this.pdf.bufferedPageRange();
    this.structure.artifact(() => {
      for (let page = 0; page < count; page += 1) {
        this.pdf.switchToPage(page);
        foot(page + 1, count);
      }
    });
    this.pdf.end();
    return buffer(this.pdf);
  }

  private figure(alt: string, [x, y, width, height]: Box, draw: (pdf: PDFKit.PDFDocument) => void): void {
    const { structure, pdf } = this;
    const bbox: [number, number, number, number] = [x, y, x + width, y + height];
    structure.tagged('Figure', () => structure.mark(() => draw(pdf)), { alt: printable(alt), bbox });
  }

  private decorate(draw: (pdf: PDFKit.PDFDocument) => void): void {
    this.structure.artifact(() => this.structure.mark(() => draw(this.pdf)));
  }

  private breakPage(): void {
    this.pdf.addPage();
    this.y = TOP;
    this.structure.artifact(() => this.head());
    this.fresh = this.y;
  }

  private use({ font, size }: Style): void {
    this.pdf.font(font, size);
  }
}
