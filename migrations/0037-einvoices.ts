// What an e-invoice needs beside the PDF: addresses on the Peppol network, and the reference of the buyer.
import { changes, together } from './table.ts';

export const { up } = together(
  changes('contacts', (t, has) => {
    if (!has('peppol_id')) t.string('peppol_id', 60);
  }),
  changes('orders', (t, has) => {
    if (!has('buyer_reference')) t.string('buyer_reference', 60);
  }),
  changes('owners', (t, has) => {
    if (!has('peppol_id')) t.string('peppol_id', 60);
  }),
);
