// The allowed changes of an order's status. INVOICE is final: an invoice never gets another status.

import { LISTS, type ListValue, lowerNameOf } from './lists.ts';

type OrderStatus = ListValue<'orderstatuses'>;

const { QUOTATION, ORDER, PLANNED, IN_PROGRESS, WAITING, READY, INVOICE, CANCELLED } = LISTS.orderstatuses;

const MOVES: Readonly<Record<OrderStatus, readonly number[]>> = {
  [QUOTATION]: [ORDER, INVOICE, CANCELLED],
  [ORDER]: [PLANNED, IN_PROGRESS, READY, INVOICE, CANCELLED],
  [PLANNED]: [ORDER, IN_PROGRESS, INVOICE, CANCELLED],
  [IN_PROGRESS]: [WAITING, READY, INVOICE, CANCELLED],
  [WAITING]: [IN_PROGRESS, READY, INVOICE, CANCELLED],
  [READY]: [IN_PROGRESS, INVOICE],
  [INVOICE]: [],
  [CANCELLED]: [ORDER],
};

/** Whether an order may go from one status to another (specification, "Order status"). False for the same status. */
export function mayMove(from: number, to: number): boolean {
  return MOVES[from as OrderStatus]?.includes(to) === true;
}

/** Whether a new order may have this status: a quotation or an order. */
export function mayStart(status: number): boolean {
  return status === QUOTATION || status === ORDER;
}

/** The word for a status in which the order and its lines cannot change. Undefined for all other statuses. */
export function frozenState(status: number): 'invoice' | 'cancelled' | undefined {
  if (status === INVOICE) return 'invoice';
  return status === CANCELLED ? 'cancelled' : undefined;
}

/** The word for a status other than INVOICE: an order takes payments only as an invoice. */
export function paymentState(status: number): string | undefined {
  return status === INVOICE ? undefined : lowerNameOf('orderstatuses', status);
}
