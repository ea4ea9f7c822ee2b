// What the rules need to know about a type of order, one row each. Without a row, a new type of LISTS.ordertypes does
// not compile.
import { LISTS, type ListValue, rowOf } from '../lists.ts';

type OrderType = ListValue<'ordertypes'>;

interface TypeRow {
  /** Whether the garage sells, buys, or takes back what another order sold or bought. */
  readonly side: 'sale' | 'purchase' | 'credit';
  /** Whether a buyer may pay deposits for it. */
  readonly takesDeposits: boolean;
}

const { WORKSHOP, VEHICLE_SALES, VEHICLE_PURCHASE, INTERNAL_REVERSAL, BPM } = LISTS.ordertypes;

const ROWS: Readonly<Record<OrderType, TypeRow>> = {
  [WORKSHOP]: { side: 'sale', takesDeposits: true },
  [VEHICLE_SALES]: { side: 'sale', takesDeposits: true },
  [VEHICLE_PURCHASE]: { side: 'purchase', takesDeposits: false },
  [INTERNAL_REVERSAL]: { side: 'credit', takesDeposits: false },
  [BPM]: { side: 'sale', takesDeposits: false },
};

export const orderTypeRow = (type: number): TypeRow => rowOf('ordertypes', ROWS, type);

const CREDIT_TYPES: readonly number[] = Object.values(LISTS.ordertypes).filter(
  (type) => ROWS[type].side === 'credit',
);

/** Whether an order of this type is a credit note. */
export const isCreditNote = (type: number): boolean => CREDIT_TYPES.includes(type);

/** The types of orders that a buyer may pay deposits for. */
export const TARGETS: readonly number[] = Object.values(LISTS.ordertypes).filter(
  (type) => ROWS[type].takesDeposits,
);
