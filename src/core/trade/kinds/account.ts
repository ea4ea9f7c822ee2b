// The ledger accounts, one entry each. The garage and its turnover groups have fields of these names with the numbers.
// Without an entry, no posting can name an account.

/** What is on an account: what parties owe, VAT, profit and loss, or something else of the balance sheet. */
type AccountKind = 'party' | 'vat' | 'result' | 'balance';

const KINDS = {
  debtor_account: 'party',
  creditor_account: 'party',
  vat_high_account: 'vat',
  vat_low_account: 'vat',
  input_vat_account: 'vat',
  margin_vat_account: 'vat',
  margin_turnover_account: 'result',
  deposit_account: 'balance',
  rounding_account: 'result',
  cash_account: 'balance',
  pin_account: 'balance',
  bank_account: 'balance',
  ideal_account: 'balance',
  other_account: 'balance',
  // A turnover group has the fields from here on.
  ledger_account: 'result',
  cost_ledger_account: 'result',
  stock_ledger_account: 'balance',
} as const satisfies Readonly<Record<string, AccountKind>>;

export type AccountName = keyof typeof KINDS;

export const accountKind = (name: AccountName): AccountKind => KINDS[name];

export const isAccountName = (field: string): field is AccountName => Object.hasOwn(KINDS, field);
