// The fields of an order for the entries of its invoice and payments: its number, its payer, and the license plates of
// its cars.
import { instant } from '../../core/model/statements/fragment.ts';
import { columns, oneOrNull, orNull, type Selected, text } from '../../core/model/statements/selected.ts';
import { Contact } from '../../core/resources/contact.ts';
import { InvoiceParty } from '../../core/resources/invoice-party.ts';
import { Order } from '../../core/resources/order.ts';
import { isDeposit } from '../../core/trade/deposit.ts';
import { printedNumber } from '../../core/trade/invoice-number.ts';
import { isCreditNote } from '../../core/trade/kinds/order-type.ts';
import { isPurchase } from '../../core/trade/kinds/purchase.ts';
import { payerOf } from '../../core/trade/payer.ts';
import type { Scope } from './scope.ts';

const CREDITED = {
  ...columns(Order, Order.tableName, 'id', 'order_type', 'invoice_number', 'supplier_invoice_number'),
  ...columns(Order, Order.tableName, 'deposit_of_order_id'),
  supplied: orNull(text(instant('orders.supply_date'))),
};
export const ORDER = {
  ...CREDITED,
  ...columns(Order, Order.tableName, 'contact_id', 'invoice_contact_id', 'credited_order_id'),
};
export const BEHIND_ORDER = { credited_order: oneOrNull(CREDITED) };
type OrderToBook = Selected<typeof ORDER, typeof BEHIND_ORDER>;

export const isBought = ({
  order_type,
  credited_order,
}: Pick<OrderToBook, 'order_type' | 'credited_order'>) => isPurchase(order_type, credited_order?.order_type);

/** Whether an order is the credit note of a deposit. */
export const creditsDeposit = ({
  order_type,
  credited_order,
}: Pick<OrderToBook, 'order_type' | 'credited_order'>): boolean =>
  isCreditNote(order_type) && credited_order != null && isDeposit(credited_order);

/** The columns that name an invoice in the journal. */
export interface BookedInvoice {
  /** Null if the entry belongs to no order. */
  readonly order_id: number | null;
  /** Null if a purchase has only the number of the seller's invoice. */
  readonly invoice_number: string | null;
  /** The invoice number, or else the number of the seller's invoice. */
  readonly number: string;
}

/** The invoice that a credit note takes back. Undefined for any other order. */
export const creditedOf = ({ credited_order }: OrderToBook): BookedInvoice | undefined => {
  if (!credited_order) return undefined;
  const { id, invoice_number } = credited_order;
  return { order_id: id, invoice_number, number: printedNumber(credited_order) ?? '' };
};

/** The instant whose day has the VAT rates of an invoice. A credit note has those of its invoice. */
export const suppliedOf = ({ order_type, supplied, credited_order }: OrderToBook): string | null =>
  (isCreditNote(order_type) ? credited_order?.supplied : undefined) ?? supplied;

/** A credit note of a purchase may lack a number of its own; it then has the number of the seller's invoice. */
export const numberOf = (order: OrderToBook): string =>
  printedNumber(order) ?? order.credited_order?.supplier_invoice_number ?? '';

/** The debtor, creditor or contact numbers of the payers of these orders. */
export async function readRelations(
  { garage }: Scope,
  orders: readonly OrderToBook[],
): Promise<(order: OrderToBook) => string> {
  const contacts = await Contact.of(garage)
    .select('id', 'contact_number', 'debtor_number', 'creditor_number')
    .whereIn('id', [...new Set(orders.map(payerOf))]);
  const byId = new Map(contacts.map((contact) => [contact.id, contact]));
  return (order) => {
    const contact = byId.get(payerOf(order));
    const own = isBought(order) ? contact?.creditor_number : contact?.debtor_number;
    return own?.trim() || String(contact?.contact_number ?? '');
  };
}

type Plates = ReadonlyMap<number, string>;

/** The license plates that these invoices keep, by vehicle. */
export async function readPlates(
  { garage }: Scope,
  invoices: readonly { readonly id: number }[],
): Promise<(order: number) => Plates | undefined> {
  const rows = await InvoiceParty.of(garage)
    .select('order_id', 'vehicles')
    .whereIn(
      'order_id',
      invoices.map(({ id }) => id),
    );
  const byOrder = new Map(
    rows.map(({ order_id, vehicles }): [number, Plates] => {
      const kept: { id: number; license_plate: string }[] = JSON.parse(vehicles);
      return [order_id, new Map(kept.map(({ id, license_plate }) => [id, license_plate]))];
    }),
  );
  return (order) => byOrder.get(order);
}
