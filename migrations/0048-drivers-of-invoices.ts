// An invoice keeps the name of its contact where another contact pays. Older invoices did not print the name.
import { changes } from './table.ts';

export const { up } = changes('invoiceparties', (t, has) => {
  if (!has('driver')) t.string('driver', 160);
});
