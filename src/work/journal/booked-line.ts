// The lines of an entry in the form that all formats write: the number of the account, and debit or credit.
import { accountKind } from '../../core/trade/kinds/account.ts';
import { euros } from '../../core/trade/totals.ts';
import type { Entry } from './entries.ts';
import type { BookedInvoice } from './order-to-book.ts';
import type { Ledger } from './scope.ts';

export interface BookedLine extends BookedInvoice {
  readonly account: string;
  readonly description: string;
  /** In cents. Debit or credit is 0. */
  readonly debit: bigint;
  readonly credit: bigint;
  readonly vat_code: number | null;
  /** The VAT code as the bookkeeping program knows it. */
  readonly package_code: string | undefined;
  readonly license_plate: string | null;
  /** Whether the line is on the account of debtors or creditors. */
  readonly isParty: boolean;
  /** Whether the amount is VAT. */
  readonly isVat: boolean;
}

/** Throws if an account is empty. `missingForJournal` has checked the accounts before. */
export const linesOf = (entry: Entry, ledger: Ledger): BookedLine[] =>
  entry.postings.map((posting) => {
    const { account, description, amount, vat_code } = posting;
    const booked = ledger.account(account);
    if (booked === undefined) throw new Error(`${account.field} of a posting is empty`);
    const { order_id, invoice_number, number } = (posting.isOfCredited && entry.credited) || entry;
    return {
      ...{ order_id, invoice_number, number },
      account: booked,
      description,
      debit: amount > 0n ? amount : 0n,
      credit: amount < 0n ? -amount : 0n,
      vat_code,
      package_code: vat_code === null ? undefined : ledger.packageCode(vat_code),
      license_plate: entry.plateOf(posting),
      isParty: accountKind(account.field) === 'party',
      isVat: accountKind(account.field) === 'vat',
    };
  });

/** `D` or `C`, and the amount in euros. An amount of 0 is debit. */
export const sideOf = ({ debit, credit }: BookedLine): { side: 'D' | 'C'; amount: string } =>
  credit > 0n ? { side: 'C', amount: euros(credit) } : { side: 'D', amount: euros(debit) };

/** `2026-05-31` → `31-05-2026`. */
export const dutchDay = (day: string): string => day.split('-').reverse().join('-');

/** `1210.50` → `1210,50`. */
export const dutchAmount = (amount: bigint): string => euros(amount).replace('.', ',');
