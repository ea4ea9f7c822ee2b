// The allowed changes of an order's status. INVOICE is final: an invoice never gets another status.

import { LISTS, type ListValue, lowerNameOf } from '../lists.ts';

type OrderStatus = ListValue<'orderstatuses'>;

const { QUOTATION, ORDER, PLANNED, IN_PROGRESS, WAITING, READY, INVOICE, CANCELLED } = LISTS.orderstatuses;

interface StatusRow {
  readonly next: readonly OrderStatus[];
  /** Whether a new order may have the status. */
  readonly mayStart: boolean;
  /** The word for a status in which the order and its lines cannot change. Null: they can. */
  readonly frozen: 'invoice' | 'cancelled' | null;
}

const OPEN = { mayStart: false, frozen: null };

const ROWS: Readonly<Record<OrderStatus, StatusRow>> = {
  [QUOTATION]: { ...OPEN, next: [ORDER, INVOICE, CANCELLED], mayStart: true },
  [ORDER]: { ...OPEN, next: [PLANNED, IN_PROGRESS, READY, INVOICE, CANCELLED], mayStart: true },
  [PLANNED]: { ...OPEN, next: [ORDER, IN_PROGRESS, INVOICE, CANCELLED] },
  [IN_PROGRESS]: { ...OPEN, next: [WAITING, READY, INVOICE, CANCELLED] },
  [WAITING]: { ...OPEN, next: [IN_PROGRESS, READY, INVOICE, CANCELLED] },
  [READY]: { ...OPEN, next: [IN_PROGRESS, INVOICE] },
  [INVOICE]: { next: [], mayStart: false, frozen: 'invoice' },
  [CANCELLED]: { next: [ORDER], mayStart: false, frozen: 'cancelled' },
};

/** Undefined for a number that a request made up. */
const rowFor = (status: number): StatusRow | undefined => ROWS[status as OrderStatus];

/** Whether an order may go from one status to another (specification, "Order status"). False for the same status. */
export const mayMove = (from: number, to: number): boolean =>
  rowFor(from)?.next.some((status) => status === to) === true;

/** Whether a new order may have this status: a quotation or an order. */
export const mayStart = (status: number): boolean => rowFor(status)?.mayStart === true;

/** The word for a status in which the order and its lines cannot change. Undefined for all other statuses. */
export const frozenState = (status: number): 'invoice' | 'cancelled' | undefined =>
  rowFor(status)?.frozen ?? undefined;

/** The word for a status other than INVOICE: an order takes payments only as an invoice. */
export function paymentState(status: number): string | undefined {
  return status === INVOICE ? undefined : lowerNameOf('orderstatuses', status);
}
