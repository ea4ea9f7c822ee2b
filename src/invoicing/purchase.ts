// The conditions for the invoice of a purchase. The garage buys from the contact, and the law asks for proof of each
// purchase.
import { about, type Violation, violation } from '../errors.ts';
import type { OrderChange } from '../resources/order.ts';
import { OrderLine } from '../resources/order-line.ts';
import { LISTS } from '../trade/lists.ts';
import { isPurchase } from '../trade/posting.ts';
import type { Parties } from './invoice-parties.ts';

const { SUPPLIER_INVOICE, SELF_BILLED, STATEMENT } = LISTS.purchaseproofs;
const { MARGIN } = LISTS.vatcodes;
const NO_AMOUNT = '0.00';

/** Finds fields that a purchase lacks to become an invoice. The seller is the other party. */
export async function unfitPurchase(change: OrderChange, { buyer: seller }: Parties): Promise<Violation[]> {
  const { next } = change;
  if (!isPurchase(next.order_type)) return [];
  switch (next.purchase_proof) {
    case SUPPLIER_INVOICE:
      return emptyOf(next, ['supplier_invoice_number']);
    case SELF_BILLED:
      return about('contact', seller.id, emptyOf(seller, ['vat_number', 'self_billing_agreed_at']));
    case STATEMENT:
      return [...notPrivate(seller), ...(await notUnderMargin(change))];
    default:
      return emptyOf(next, ['purchase_proof']);
  }
}

const emptyOf = <F extends string>(row: Readonly<Record<F, unknown>>, fields: readonly F[]): Violation[] =>
  fields
    .filter((field) => String(row[field] ?? '').trim() === '')
    .map((field) => violation('field_empty', { field }));

/** A statement needs a private seller: a company makes out an invoice. */
const notPrivate = ({ contact_kind }: Parties['buyer']): Violation[] =>
  contact_kind === LISTS.contactkinds.PERSON
    ? []
    : [
        violation('value_invalid', {
          field: 'purchase_proof',
          value: STATEMENT,
          validation: 'private seller',
        }),
      ];

/** A private person sells without VAT, so the car can only be sold on under the margin scheme. */
async function notUnderMargin({ next, garage }: OrderChange): Promise<Violation[]> {
  const lines = await OrderLine.of(garage)
    .select('id', 'vat_code')
    .where('order_id', next.id)
    .whereNot('vat_code', MARGIN)
    .whereNot('line_gross', NO_AMOUNT)
    .orderBy('id');
  return lines.flatMap(({ id, vat_code }) =>
    about('orderline', id, [
      violation('value_invalid', { field: 'vat_code', value: vat_code, validation: 'margin purchase' }),
    ]),
  );
}
