import { changes } from './table.ts';

export const { up } = changes('owners', (t, has) => {
  if (!has('books_closed_until')) t.datetime('books_closed_until', { precision: 3 });
});
