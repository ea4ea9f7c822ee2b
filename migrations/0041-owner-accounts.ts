// The ledger accounts of a garage that no turnover group has.
import { changes } from './table.ts';

export const { up } = changes('owners', (t, has) => {
  if (!has('debtor_account')) t.string('debtor_account', 20);
  if (!has('vat_high_account')) t.string('vat_high_account', 20);
  if (!has('vat_low_account')) t.string('vat_low_account', 20);
  if (!has('margin_vat_account')) t.string('margin_vat_account', 20);
  if (!has('cash_account')) t.string('cash_account', 20);
  if (!has('pin_account')) t.string('pin_account', 20);
  if (!has('bank_account')) t.string('bank_account', 20);
  if (!has('ideal_account')) t.string('ideal_account', 20);
  if (!has('other_account')) t.string('other_account', 20);
});
