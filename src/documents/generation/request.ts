// Checks a request for documents before its job starts: the orders exist and fit the type, and nothing that an e-invoice
// needs is missing. All orders are judged together, so that the caller can complete everything at once.
import { type Violation, violation } from '../../errors.ts';
import { readAddressedParties } from '../../invoicing/invoice-parties.ts';
import { refuse } from '../../model/check.ts';
import type { Session } from '../../model/session.ts';
import { Order } from '../../resources/order.ts';
import { OrderLine } from '../../resources/order-line.ts';
import { LISTS } from '../../trade/lists.ts';
import type { Format } from '../einvoice/format.ts';
import { missingOfAll, NEED_VAT_NUMBER } from '../einvoice/required.ts';

const { INVOICE, CREDIT_NOTE, UBL } = LISTS.documenttypes;
/** These need an invoiced order; the order itself decides whether it gets an invoice or a credit note. */
const OF_INVOICES: readonly number[] = [INVOICE, CREDIT_NOTE, UBL];

/** Throws Problem: 404 for unknown orders, then 403 for orders that do not fit the type. */
export async function checkOrders(
  session: Session,
  owner: number,
  type: number,
  orders: readonly number[],
): Promise<void> {
  const rows = await Order.of(session, owner)
    .select('id', 'is_invoiced')
    .whereIn('id', [...orders]);
  const found = new Map(rows.map((row) => [row.id, row]));
  const unknown = orders.filter((id) => !found.has(id));
  refuse(unknown.map((id) => violation('reference_unknown', { field: 'order_ids', value: id })));
  refuse(orders.flatMap((id) => misfit(id, found.get(id), type) ?? []));
}

function misfit(id: number, order: Order | undefined, type: number): Violation | undefined {
  if (!OF_INVOICES.includes(type) || order?.is_invoiced === 1) return undefined;
  return violation('value_invalid', { field: 'order_ids', value: id, validation: 'invoiced order' });
}

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
    .whereIn('vat_code', [...NEED_VAT_NUMBER]);
  const withoutVat = new Set(shifted.map(({ order_id }) => order_id));
  const partiesOf = await readAddressedParties(session, owner, orders);
  refuse(
    missingOfAll(
      rows.map((order) => {
        const needsVatNumber = withoutVat.has(order.id);
        return { format, owner, order, ...partiesOf(order.id), needsVatNumber };
      }),
    ),
  );
}
