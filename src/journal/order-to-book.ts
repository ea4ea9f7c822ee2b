// The fields of an order for the entries of its invoice and payments: its number, its payer, and the license plates of
// its cars.
import { Contact } from '../resources/contact.ts';
import { InvoiceParty } from '../resources/invoice-party.ts';
import { payerOf } from '../trade/payer.ts';
import { isPurchase } from '../trade/posting.ts';
import type { Scope } from './scope.ts';

export interface OrderToBook {
  readonly id: number;
  readonly order_type: number;
  readonly contact_id: number;
  readonly invoice_contact_id: number | null;
  readonly invoice_number: string | null;
  readonly supplier_invoice_number: string | null;
  readonly credited_order: {
    readonly order_type: number;
    readonly supplier_invoice_number: string | null;
  } | null;
}

export const OF_ORDER = [
  'id',
  'order_type',
  'contact_id',
  'invoice_contact_id',
  'invoice_number',
  'supplier_invoice_number',
  'credited_order_id',
];
export const OF_CREDITED = ['id', 'order_type', 'supplier_invoice_number'];

export const bought = ({ order_type, credited_order }: OrderToBook) =>
  isPurchase(order_type, credited_order?.order_type);

/** A credit note of a purchase may lack a number of its own; it then has the number of the seller's invoice. */
export const numberOf = ({ invoice_number, supplier_invoice_number, credited_order }: OrderToBook): string =>
  invoice_number ?? supplier_invoice_number ?? credited_order?.supplier_invoice_number ?? '';

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
    const own = bought(order) ? contact?.creditor_number : contact?.debtor_number;
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
