// The journals, by the names that stand in the column `journal`.
import { methodRow, PAYMENT_METHODS } from '../../core/trade/kinds/payment-method.ts';

export const SALES = 'sales';
export const PURCHASES = 'purchases';
/** The VAT of margins that count over periods. */
export const MARGIN = 'margin';

export const JOURNALS: readonly string[] = [
  SALES,
  PURCHASES,
  ...PAYMENT_METHODS.map((method) => methodRow(method).journal),
  MARGIN,
];
