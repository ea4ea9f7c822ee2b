// Lays out a document as a PDF. The same data makes the same bytes; apart from the data, only the fonts are read.
import { layClosing } from './closing.ts';
import { INK, readable } from './color.ts';
import type { DocumentData } from './data.ts';
import { type Draft, nameDocument } from './draft.ts';
import { layFoot } from './foot.ts';
import { instantOf, legalNameOf } from './format.ts';
import { putHead } from './head.ts';
import { putLines } from './line-table.ts';
import { Paper } from './paper.ts';
import { WORDS } from './words/words.ts';

/** Makes the PDF, in the language of the buyer. */
export function renderDocument(data: DocumentData): Promise<Buffer> {
  const { title, language, date } = nameDocument(data);
  const author = legalNameOf(data.seller);
  const paper = new Paper({ title, author, language, created: instantOf(date).toJSDate() });
  const accent = readable(data.style?.accent_color ?? INK);
  const draft: Draft = { data, paper, language, words: WORDS[language], accent };
  const foot = layFoot(draft, title);
  putHead(draft);
  const closing = layClosing(draft);
  putLines(draft, closing.height);
  closing.put();
  return paper.finish(foot);
}
