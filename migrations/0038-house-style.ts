// The logo and the colour of a garage's documents.
import { changes } from './table.ts';

export const { up } = changes('owners', (t, has) => {
  if (!has('logo')) t.text('logo', 'mediumtext');
  if (!has('accent_color')) t.string('accent_color', 7);
});
