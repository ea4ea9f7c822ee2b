// The moves of an order from status to status. Invoice is the last one: nothing leaves it.

import { LISTS, type ListValue } from './lists.ts';

export type OrderStatus = ListValue<'orderstatuses'>;

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

/** Whether an order may go from one status to another (specification, "Order status"). Staying is no move. */
export function mayMove(from: number, to: number): boolean {
  return MOVES[from as OrderStatus]?.includes(to) === true;
}

/** Whether a new order may begin in this status: as a quotation or as an order. */
export function mayStart(status: number): boolean {
  return status === QUOTATION || status === ORDER;
}

/** The word for a status in which an order and its lines cannot change; undefined for all others. */
export function frozenState(status: number): 'invoice' | 'cancelled' | undefined {
  if (status === INVOICE) return 'invoice';
  return status === CANCELLED ? 'cancelled' : undefined;
}
