import { changes } from './table.ts';

export const { up } = changes('owners', (t, has) => {
  if (!has('vat_codes')) t.string('vat_codes', 500);
  if (!has('margin_turnover_account')) t.string('margin_turnover_account', 20);
});
