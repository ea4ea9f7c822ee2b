// Lays out a document: data in, PDF out. Reads nothing but the fonts; the same data makes the same bytes.
import { putClosing } from './closing.ts';
import type { DocumentData } from './data.ts';
import { type Draft, isWorkOrder, nameDocument } from './draft.ts';
import { instantOf } from './format.ts';
import { layFoot, putHead } from './head.ts';
import { putLines } from './line-table.ts';
import { Paper } from './paper.ts';
import { putTotals } from './totals.ts';
import { WORDS } from './words.ts';

export type { DocumentData } from './data.ts';
export { type DocumentName, nameDocument } from './draft.ts';

/** The document as a PDF (section 8, "Generated PDFs"), in the language of its reader. */
export function renderDocument(data: DocumentData): Promise<Buffer> {
  const { title, language, date } = nameDocument(data);
  const author = data.seller.legal_name || data.seller.name;
  const paper = new Paper({ title, author, language, created: instantOf(date).toJSDate() });
  const draft: Draft = { data, paper, language, words: WORDS[language] };
  const foot = layFoot(draft, title);
  putHead(draft);
  putLines(draft);
  if (!isWorkOrder(data)) putTotals(draft);
  putClosing(draft);
  return paper.finish(foot);
}
