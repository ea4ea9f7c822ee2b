// The logo in the size of print, and which logo it was made from. The first documents of a garage fill both.
import { changes } from './table.ts';

export const { up } = changes('owners', (t, has) => {
  if (!has('printed_logo'))
    t.specificType('printed_logo', 'mediumtext character set ascii collate ascii_bin');
  if (!has('printed_logo_of'))
    t.specificType('printed_logo_of', 'char(64) character set ascii collate ascii_bin');
});
