// Checks a request for documents before its job starts: the orders exist and fit the type, and nothing that an
// e-invoice needs is missing. All orders are judged together, so that the caller can complete everything at once.

import { readAddressedParties } from '../../../business/invoicing/invoice/invoice-parties.ts';
import { type Violation, violation } from '../../../core/errors.ts';
import { refuse } from '../../../core/model/bodies/check.ts';
import type { Garage } from '../../../core/model/statements/garage.ts';
import { columns, oneOrNull, type Selected, selected } from '../../../core/model/statements/selected.ts';
import { Order } from '../../../core/resources/order.ts';
import { OrderLine } from '../../../core/resources/order-line.ts';
import { typeRow } from '../../../core/trade/kinds/document-type.ts';
import {
  isSelfBilled,
  isStatementBack,
  paperOf,
  proofOf,
  purchaseOf,
} from '../../../core/trade/kinds/purchase-proof.ts';
import { LISTS } from '../../../core/trade/lists.ts';
import { NEED_VAT_NUMBER } from '../../../core/trade/vat-code.ts';
import type { Format } from '../einvoice/format.ts';
import { missingOfAll } from '../einvoice/required.ts';
import { sidesOf } from './side.ts';

const { CREDIT_NOTE } = LISTS.documenttypes;

/** Throws Problem: 404 for unknown orders, then 403 for orders that do not fit the type. */
export async function checkOrders(garage: Garage, type: number, orders: readonly number[]): Promise<void> {
  const rows = await readTraded(garage, orders);
  const found = new Map(rows.map((row) => [row.id, row]));
  const unknown = orders.filter((id) => !found.has(id));
  refuse(unknown.map((id) => violation('reference_unknown', { field: 'order_ids', value: id })));
  refuse(orders.flatMap((id) => misfit(id, found.get(id), type) ?? []));
}

const TRADED = columns(Order, Order.tableName, 'id', 'order_type', 'purchase_proof', 'invoice_number');
const ASKED = {
  ...TRADED,
  ...columns(Order, Order.tableName, 'is_invoiced', 'credited_order_id', 'reference', 'buyer_reference'),
};
const BEHIND = { credited_order: oneOrNull(TRADED) };
type TradedOrder = Selected<typeof ASKED, typeof BEHIND>;

/** Orders, with the columns that tell purchases and their credit notes from sales. */
const readTraded = async (garage: Garage, orders: readonly number[]): Promise<TradedOrder[]> =>
  selected(Order.of(garage).whereIn('id', [...orders]), ASKED, BEHIND);

function misfit(id: number, order: TradedOrder | undefined, type: number): Violation | undefined {
  const validation = order && misfitOf(order, type);
  if (validation === undefined) return undefined;
  return violation('value_invalid', { field: 'order_ids', value: id, validation });
}

function misfitOf(order: TradedOrder, type: number): string | undefined {
  const { of } = typeRow(type);
  if (of === 'any order') return undefined;
  if (order.is_invoiced !== 1) return 'invoiced order';
  const proof = proofOf(order, order.credited_order);
  // The garage makes the invoices of its sales, and self-billed invoices for sellers.
  if (of === 'own invoice')
    return proof === undefined ||
      paperOf(proof) === 'invoice' ||
      (type === CREDIT_NOTE && isStatementBack(order, order.credited_order))
      ? undefined
      : 'own invoice';
  // A sale may have a proof too, which says nothing.
  return paperOf(purchaseOf(order)?.purchase_proof) === 'statement' ? undefined : 'purchase statement';
}

export const SELF_BILLED_BY_PEPPOL = violation('value_invalid', {
  field: 'format',
  value: 'peppol',
  validation: 'self billed',
});

/** Throws Problem with an entry for each missing field. The orders are invoices of the owner. */
export async function checkEInvoices(
  garage: Garage,
  format: Format,
  orders: readonly number[],
): Promise<void> {
  const rows = await readTraded(garage, orders);
  const isSelfBilledOrder = (order: TradedOrder) => isSelfBilled(order, order.credited_order);
  // The rules of Peppol take self-billed invoices in a profile of its own only.
  if (format === 'peppol') refuse(rows.some(isSelfBilledOrder) ? [SELF_BILLED_BY_PEPPOL] : []);
  const lines = await OrderLine.of(garage)
    .distinct('order_id', 'vat_code')
    .whereIn('order_id', [...orders]);
  const linesOf = (id: number) => lines.filter(({ order_id }) => order_id === id);
  const partiesOf = await readAddressedParties(garage, orders);
  refuse(
    missingOfAll(
      rows.map((order) => {
        const own = linesOf(order.id);
        const needsVatNumber = own.some(({ vat_code }) => NEED_VAT_NUMBER.includes(vat_code));
        const parties = partiesOf(order.id);
        const isOurs = isSelfBilledOrder(order);
        const sides = { ...sidesOf(parties, isOurs), contact: parties.buyer.id, isSelfBilled: isOurs };
        const hasInvoice = order.credited_order?.invoice_number != null;
        const more = { hasInvoice, hasLines: own.length > 0, needsVatNumber };
        return { format, owner: garage.owner, order, ...sides, ...more };
      }),
    ),
  );
}
