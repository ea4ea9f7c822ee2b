// A table that may span pages.
import type { Paper } from './paper.ts';

/** Puts a table. Its head stands again at the top of each further page. */
export function putTable(paper: Paper, putHead: () => void, putBody: () => void): void {
  const { head, structure } = paper;
  structure.tagged('Table', () => {
    structure.tagged('THead', putHead);
    paper.head = () => {
      head();
      putHead();
    };
    structure.tagged('TBody', putBody);
  });
  paper.head = head;
}
