// What the books need to know about a method of payment, one row each. Without a row, a new method of
// LISTS.paymentmethods does not compile.
import { LISTS, type ListValue, rowOf } from '../lists.ts';
import type { AccountName } from './account.ts';

export type PaymentMethod = ListValue<'paymentmethods'>;

interface MethodRow {
  /** The name of its journal. */
  readonly journal: string;
  /** The field of the garage with its ledger account. Null: the amount stays with the same party. */
  readonly account: AccountName | null;
  /** Its journal in a new administration of Exact: cash, bank or general. */
  readonly exact: '10' | '20' | '90';
  /** The type of its journal in the Auditfile: cash, bank or general ("memoriaal"). Null: the journal has no type. */
  readonly auditfile: 'C' | 'B' | 'M' | null;
  /** Whether a limit holds for it, and a garage may round it. */
  readonly isCash: boolean;
  /** Whether a request may use it. If not, the service alone makes these payments. */
  readonly byRequest: boolean;
}

const { CASH, PIN, BANK, IDEAL, OFFSET, OTHER } = LISTS.paymentmethods;
const byBank = { exact: '20', auditfile: 'B', isCash: false, byRequest: true } as const;

const ROWS: Readonly<Record<PaymentMethod, MethodRow>> = {
  [CASH]: {
    ...{ journal: 'cash', account: 'cash_account', exact: '10', auditfile: 'C' },
    ...{ isCash: true, byRequest: true },
  },
  [PIN]: { journal: 'pin', account: 'pin_account', ...byBank },
  [BANK]: { journal: 'bank', account: 'bank_account', ...byBank },
  [IDEAL]: { journal: 'ideal', account: 'ideal_account', ...byBank },
  [OFFSET]: {
    ...{ journal: 'offset', account: null, exact: '90', auditfile: 'M' },
    ...{ isCash: false, byRequest: false },
  },
  [OTHER]: { journal: 'other', account: 'other_account', ...byBank, auditfile: null },
};

export const PAYMENT_METHODS: readonly PaymentMethod[] = Object.values(LISTS.paymentmethods);

export const methodRow = (method: number): MethodRow => rowOf('paymentmethods', ROWS, method);

/** A limit holds for their sum. */
export const CASH_METHODS: readonly PaymentMethod[] = PAYMENT_METHODS.filter((method) => ROWS[method].isCash);

/** The method that has this journal. Undefined for the journals of sales and purchases. */
export const methodOf = (journal: string): PaymentMethod | undefined =>
  PAYMENT_METHODS.find((method) => ROWS[method].journal === journal);
