// The postings of invoices and payments: which account gets which amount. The postings of one entry always add up to 0.
import { LISTS, lowerNameOf } from './lists.ts';
import { cents, type OrderVat } from './totals.ts';

const { VEHICLE_PURCHASE } = LISTS.ordertypes;

/** The field that holds a ledger account: of a turnover group, or of the garage where `group` is missing. */
export interface AccountField {
  readonly field: string;
  readonly group?: number | null;
}

export interface Posting {
  readonly account: AccountField;
  readonly description: string;
  /** In cents. Above 0: debit; below 0: credit. */
  readonly amount: bigint;
}

/** What the postings of a line depend on. Decimals are strings, as the database returns them. */
export interface LineToBook {
  readonly turnover_group_id: number | null;
  readonly line_net: string | null;
  readonly margin_vat: string | null;
}

interface InvoiceToBook extends OrderVat {
  readonly invoice_number: string;
  readonly total_gross: string;
  /** The garage has bought something: it owes the total to the contact. */
  readonly isPurchase: boolean;
  readonly lines: readonly LineToBook[];
}

export interface PaymentToBook {
  readonly invoice_number: string;
  readonly amount: string;
  /** A number of `paymentmethods`. */
  readonly method: number;
  readonly isPurchase: boolean;
}

/** Whether an order is a purchase, or takes one back: `credited` is the type of the order that it credits. */
export const isPurchase = (type: number, credited?: number): boolean =>
  type === VEHICLE_PURCHASE || credited === VEHICLE_PURCHASE;

export const DEBTORS: AccountField = { field: 'debtor_account' };
export const VAT_HIGH: AccountField = { field: 'vat_high_account' };
export const VAT_LOW: AccountField = { field: 'vat_low_account' };
export const MARGIN_VAT: AccountField = { field: 'margin_vat_account' };

/** The account that payments of a method go to. What a credit note settles stays with the debtors. */
export const accountOf = (method: number): AccountField =>
  method === LISTS.paymentmethods.OFFSET
    ? DEBTORS
    : { field: `${lowerNameOf('paymentmethods', method)}_account` };

/** A turnover group has an account for what the garage sells, and one for what it buys. */
export const groupAccount = (group: number | null, purchase: boolean): AccountField => ({
  group,
  field: purchase ? 'cost_ledger_account' : 'ledger_account',
});

/**
 * Debtors get the total, turnover groups their nets, and VAT what the invoice bears. A line under
 * the margin scheme has its VAT inside its net. A purchase is the mirror image of a sale, and has no margin.
 */
export function invoicePostings(invoice: InvoiceToBook): Posting[] {
  const { invoice_number, total_gross, lines } = invoice;
  const nets = new Map<number | null, bigint>();
  let margin = 0n;
  for (const { turnover_group_id, line_net, margin_vat } of lines) {
    const within = invoice.isPurchase ? 0n : cents(margin_vat ?? '0');
    margin += within;
    nets.set(turnover_group_id, (nets.get(turnover_group_id) ?? 0n) + cents(line_net ?? '0') - within);
  }
  const what = invoice.isPurchase ? 'Purchase' : 'Invoice';
  const postings = [
    { account: DEBTORS, description: `${what} ${invoice_number}`, amount: cents(total_gross) },
    ...[...nets].map(([group, net]) => ({
      account: groupAccount(group, invoice.isPurchase),
      description: `${what} ${invoice_number}`,
      amount: -net,
    })),
    { account: MARGIN_VAT, description: `Margin VAT of ${invoice_number}`, amount: -margin },
    { account: VAT_HIGH, description: `VAT high of ${invoice_number}`, amount: -cents(invoice.vat_high) },
    { account: VAT_LOW, description: `VAT low of ${invoice_number}`, amount: -cents(invoice.vat_low) },
  ];
  return turned(postings, invoice.isPurchase);
}

/** What is paid leaves the debtors. A payment of a purchase leaves the account of its method. */
export function paymentPostings(payment: PaymentToBook): Posting[] {
  const description = `Payment of ${payment.invoice_number}`;
  const amount = cents(payment.amount);
  const postings = [
    { account: accountOf(payment.method), description, amount },
    { account: DEBTORS, description, amount: -amount },
  ];
  return turned(postings, payment.isPurchase);
}

/** Without the postings of nothing; a purchase turns all of them around. */
const turned = (postings: readonly Posting[], purchase: boolean): Posting[] =>
  postings
    .filter(({ amount }) => amount !== 0n)
    .map((posting) => ({ ...posting, amount: purchase ? -posting.amount : posting.amount }));

/** 0 for every entry that is right. */
export const balanceOf = (postings: readonly Posting[]): bigint =>
  postings.reduce((sum, { amount }) => sum + amount, 0n);
