// Warnings of the VAT return: amounts that Forecourt does not know, and points to check before the return is sent.
import { todayIn } from '../../core/trade/time/day.ts';
import { BOXES_BY_HAND } from '../../core/trade/vat-box.ts';
import type { Books } from './period.ts';

const MESSAGES = {
  boxes_by_hand: `Boxes ${BOXES_BY_HAND.join(', ')} are 0: private use, other rates and distance sales are yours to fill in`,
  vehicles_only:
    '5b has the VAT of purchases of vehicles and of trade-ins only: add the VAT of all other costs from the main books',
  year_settled:
    'The last return of the year takes back margin.settlement: the margins of the year bear less VAT than its periods declared',
  period_not_over: 'The period is not over: more invoices may come',
  reverse_charge_outside_eu: 'REVERSE_CHARGE to a buyer outside the EU is in no box',
  vat_number_missing: 'Invoices in box 3b have no VAT number of the buyer',
} as const;

/** `code` stays the same; the text is for people. */
export interface Warning {
  readonly code: keyof typeof MESSAGES;
  readonly message: string;
}

export const WARNINGS = Object.keys(MESSAGES) as Warning['code'][];

export interface Seen {
  /** The year's end takes VAT back. */
  readonly isSettled: boolean;
  /** A sale under REVERSE_CHARGE went outside the EU. */
  readonly isAbroad: boolean;
  /** A supply to a business in another EU country has no VAT number of the buyer. */
  readonly isNumberless: boolean;
}

export function warningsOf(
  { period: { to, timezone } }: Books,
  { isAbroad, isNumberless, isSettled }: Seen,
): Warning[] {
  const given: [Warning['code'], boolean][] = [
    ['boxes_by_hand', true],
    ['vehicles_only', true],
    ['year_settled', isSettled],
    ['period_not_over', to >= todayIn(timezone)],
    ['reverse_charge_outside_eu', isAbroad],
    ['vat_number_missing', isNumberless],
  ];
  return given.flatMap(([code, isGiven]) => (isGiven ? [{ code, message: MESSAGES[code] }] : []));
}
