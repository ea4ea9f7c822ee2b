// Checks, before the job of e-invoices starts, that nothing is missing: all orders together, so that the caller can
// complete everything at once.

import type { Format } from '../../documents/einvoice/format.ts';
import { missingOfAll } from '../../documents/einvoice/required.ts';
import { readAddressedParties } from '../../invoicing/invoice-parties.ts';
import { refuse } from '../../model/check.ts';
import type { Session } from '../../model/session.ts';
import { Order } from '../../resources/order.ts';
import { OrderLine } from '../../resources/order-line.ts';
import { LISTS } from '../../trade/lists.ts';

/** Throws Problem with an entry for each missing field. The orders are invoices of the owner. */
export async function checkEInvoices(
  session: Session,
  owner: number,
  format: Format,
  orders: readonly number[],
): Promise<void> {
  const rows = await Order.of(session, owner)
    .select('id', 'reference', 'buyer_reference')
    .whereIn('id', [...orders]);
  const shifted = await OrderLine.of(session, owner)
    .distinct('order_id')
    .whereIn('order_id', [...orders])
    .where('vat_code', LISTS.vatcodes.REVERSE_CHARGE);
  const reverseCharged = new Set(shifted.map(({ order_id }) => order_id));
  const partiesOf = await readAddressedParties(session, owner, orders);
  refuse(
    missingOfAll(
      rows.map((order) => {
        const isReverseCharged = reverseCharged.has(order.id);
        return { format, owner, order, ...partiesOf(order.id), isReverseCharged };
      }),
    ),
  );
}
