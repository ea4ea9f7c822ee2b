// Amounts and quantities as UBL writes them. Credit notes have positive amounts in UBL and negative amounts with us:
// `sign` turns them around.
import { cents, euros } from '../../../core/trade/totals.ts';
import { decimalOf, PLACES, wholeOf } from '../../../core/trade/whole.ts';

/** 1, or -1 for a credit note. */
export type Sign = 1 | -1;

export const turned = (amount: string, sign: Sign): string => euros(BigInt(sign) * cents(amount));

/** An element with an amount of money. */
export const money = (amount: string) => ({ '@currencyID': 'EUR', '#': amount });

/** A decimal of at most four places, times the sign, without trailing zeros. */
export const decimal = (value: string, sign: Sign = 1): string =>
  decimalOf(BigInt(sign) * wholeOf(value, PLACES), PLACES).replace(/\.?0+$/, '');

export const isNegative = (value: string): boolean => wholeOf(value, PLACES) < 0n;
