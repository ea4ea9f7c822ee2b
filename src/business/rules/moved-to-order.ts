// A record that moves to another order: the order that it moves to must take it, as on POST.
import { lockRecord } from '../../core/model/lists/find.ts';
import type { Change, Resource } from '../../core/model/records/record.ts';
import { refuseParent } from '../../core/model/writes/state.ts';
import { Order } from '../../core/resources/order.ts';

interface OfOrder {
  readonly order_id: number | null;
}

/** The parts of a change that the rule needs. */
interface Move extends Pick<Change, 'garage' | 'parent'> {
  readonly next: OfOrder;
  readonly previous?: OfOrder;
}

/**
 * A rule for children of orders. The order that the body of a POST names was judged before its fields, and so was the
 * order of a record as it is. Throws Problem for the state of another order.
 */
export const orderMayChange =
  (child: Resource) =>
  async ({ next: { order_id }, previous, parent, garage }: Move): Promise<undefined> => {
    if (order_id === null || order_id === previous?.order_id || order_id === parent?.id) return;
    const order = await lockRecord(garage, Order.resource, order_id);
    if (order) refuseParent({ resource: Order.resource, row: order }, child);
  };
