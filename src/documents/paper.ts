// A4 pages with a cursor that moves down. This file breaks lines and pages itself, not pdfkit: the measured text is
// exactly the drawn text, and no page breaks unexpectedly.
import PDFDocument from 'pdfkit';
import { FONTS, type FontName, printable } from './font.ts';

export const SHEET = { width: 595.28, height: 841.89 };
export const LEFT = 54;
export const RIGHT = SHEET.width - LEFT;
export const WIDTH = RIGHT - LEFT;
const TOP = 48;
const FOOT = 34;
const LEADING = 1.34;
const LINES_TOGETHER = 5;

export const INK = '#1c2430';
export const GREY = '#5c6672';
export const PALE = '#c9d0d8';
export const TINT = '#f2f5f8';

export interface Style {
  readonly font: FontName;
  readonly size: number;
  readonly color?: string;
}

export interface PaperOptions {
  readonly title: string;
  readonly author: string;
  readonly language: string;
  /** Taken from the document, not from the clock: the same data must make the same bytes. */
  readonly created: Date;
}

export const lineHeight = ({ size }: Style): number => size * LEADING;

export class Paper {
  /** The cursor, in points from the top. */
  y = TOP;
  /** Where the foot of each page begins. */
  bottom = SHEET.height - FOOT;
  /** Draws the top of each page except the first. */
  head: () => void = () => {};
  private readonly pdf: PDFKit.PDFDocument;
  private readonly bytes: Promise<Buffer>;

  constructor({ title, author, language, created }: PaperOptions) {
    const info = {
      Title: printable(title),
      Author: printable(author),
      Creator: 'Forecourt',
      Producer: 'Forecourt',
    };
    this.pdf = new PDFDocument({
      size: 'A4',
      margin: 0,
      bufferPages: true,
      font: '',
      lang: language,
      displayTitle: true,
      info: { ...info, CreationDate: created, ModDate: created },
    });
    // pdfkit accepts parsed fonts, but its types don't say so.
    for (const [name, font] of Object.entries(FONTS)) this.pdf.registerFont(name, font as unknown as Buffer);
    this.bytes = collect(this.pdf);
  }

  /** Splits text into lines of at most `width`. Line ends in the text stay. Wider words are cut. */
  wrap(text: string, width: number, style: Style): string[] {
    this.use(style);
    return printable(text)
      .split('\n')
      .flatMap((line) => this.wrapLine(line, width));
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
    this.pdf
      .fillColor(style.color ?? INK)
      .text(shown, from, y + style.size * 1.02, { lineBreak: false, baseline: 'alphabetic' });
  }

  /** Draws wrapped text from `y` down and returns its end. Never breaks the page. */
  block(text: string, x: number, y: number, width: number, style: Style, align?: 'left' | 'right'): number {
    let at = y;
    for (const line of this.wrap(text, width, style)) {
      this.put(line, align === 'right' ? x + width : x, at, style, align);
      at += lineHeight(style);
    }
    return at;
  }

  /** Draws a paragraph over the whole width at the cursor. A long paragraph may span pages. */
  flow(text: string, style: Style): void {
    const lines = this.wrap(text, WIDTH, style);
    this.room(Math.min(lines.length, LINES_TOGETHER) * lineHeight(style));
    for (const line of lines) {
      this.room(lineHeight(style));
      this.put(line, LEFT, this.y, style);
      this.y += lineHeight(style);
    }
  }

  /** Breaks the page unless `height` fits below the cursor. */
  room(height: number): void {
    if (this.y + height > this.bottom) this.breakPage();
  }

  rule(y: number, color = PALE, from = LEFT, to = RIGHT, thickness = 0.6): void {
    this.pdf.lineWidth(thickness).strokeColor(color).moveTo(from, y).lineTo(to, y).stroke();
  }

  box(
    x: number,
    y: number,
    width: number,
    height: number,
    { fill, line }: { fill?: string; line?: string },
  ): void {
    if (fill) this.pdf.rect(x, y, width, height).fill(fill);
    if (line) this.pdf.lineWidth(0.6).rect(x, y, width, height).stroke(line);
  }

  /** Draws the foot of every page and returns the PDF. */
  finish(foot: (page: number, of: number) => void): Promise<Buffer> {
    const { count } = this.pdf.bufferedPageRange();
    for (let page = 0; page < count; page += 1) {
      this.pdf.switchToPage(page);
      foot(page + 1, count);
    }
    this.pdf.end();
    return this.bytes;
  }

  private breakPage(): void {
    this.pdf.addPage();
    this.y = TOP;
    this.head();
  }

  private use({ font, size }: Style): void {
    this.pdf.font(font, size);
  }

  private wrapLine(line: string, width: number): string[] {
    if (this.pdf.widthOfString(line) <= width) return [line];
    const lines: string[] = [];
    let current = '';
    for (const word of line.split(' ')) {
      const longer = current === '' ? word : `${current} ${word}`;
      if (this.pdf.widthOfString(longer) <= width) current = longer;
      else {
        if (current !== '') lines.push(current);
        const pieces = this.pdf.widthOfString(word) <= width ? [word] : this.cut(word, width);
        lines.push(...pieces.slice(0, -1));
        current = pieces.at(-1) ?? '';
      }
    }
    return [...lines, current];
  }

  /** Cuts a word into pieces that fit. Measures single characters, so the time is linear in the length. */
  private cut(word: string, width: number): string[] {
    const pieces: string[] = [];
    let piece = '';
    let taken = 0;
    for (const character of word) {
      const wide = this.pdf.widthOfString(character);
      if (piece !== '' && taken + wide > width) {
        pieces.push(piece);
        piece = '';
        taken = 0;
      }
      piece += character;
      taken += wide;
    }
    return [...pieces, piece];
  }
}

function collect(pdf: PDFKit.PDFDocument): Promise<Buffer> {
  const chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve, reject) => {
    pdf.on('end', () => resolve(Buffer.concat(chunks)));
    pdf.on('error', reject);
  });
}
