// Draws the foot of every page: who the seller is by law, and the page number. Nothing else on a document repeats the
// numbers of KvK and VAT.
import { GREY } from './color.ts';
import type { Letterhead } from './draft.ts';
import { accountOf, legalNameOf } from './format.ts';
import { LEFT, lineHeight, type Paper, RIGHT, type Style, WIDTH } from './paper.ts';

const FOOT: Style = { font: 'regular', size: 8, color: GREY };
const CONTINUED: Style = { font: 'regular', size: 9, color: GREY };
const PAGE_NUMBER_WIDTH = 90;
const BETWEEN = '  ·  ';

/** Reserves the room of the foot on all pages. Returns the function that draws the foot. */
export function layFoot(
  { paper, data, words }: Letterhead,
  title: string,
): (page: number, of: number) => void {
  const { seller } = data;
  const parts = [
    legalNameOf(seller),
    seller.kvk_number && `${words.kvk} ${seller.kvk_number}`,
    seller.vat_number && `${words.vat} ${seller.vat_number}`,
    accountOf(seller, words),
  ];
  const lines = linesOf(
    paper,
    parts.filter((part): part is string => Boolean(part)),
  );
  const top = paper.bottom - lines.length * lineHeight(FOOT);
  paper.bottom = top - 16;
  paper.head = () => {
    paper.put(`${title} (${words.continued})`, LEFT, paper.y, CONTINUED);
    paper.rule(paper.y + 14);
    paper.y += 24;
  };
  return (page, of) => {
    paper.rule(top - 6);
    lines.forEach((line, index) => {
      paper.put(line, LEFT, top + index * lineHeight(FOOT), FOOT);
    });
    paper.put(words.page(page, of), RIGHT, top, FOOT, 'right');
  };
}

/** Joins parts to lines that fit. A number is not split over two lines; a very long name is. */
function linesOf(paper: Paper, parts: readonly string[]): string[] {
  const width = WIDTH - PAGE_NUMBER_WIDTH;
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    const joined = last === undefined ? part : last + BETWEEN + part;
    if (last !== undefined && paper.width(joined, FOOT) <= width) lines[lines.length - 1] = joined;
    else lines.push(...paper.wrap(part, width, FOOT));
  }
  return lines;
}
