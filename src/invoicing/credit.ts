// Checks credit notes. A credit note is an order that credits an invoice of the same contact. All credit notes of an
// invoice together never exceed the invoice, in all and for each VAT code.

import { type Violation, violation } from '../errors.ts';
import { claimRecord } from '../model/find.ts';
import { sumOf } from '../model/fragment.ts';
import type { Garage } from '../model/garage.ts';
import { Order, type OrderChange, type OrderRow } from '../resources/order.ts';
import { OrderLine } from '../resources/order-line.ts';
import { LISTS } from '../trade/lists.ts';
import { payerOf } from '../trade/payer.ts';
import { cents } from '../trade/totals.ts';
import type { Invoiced } from './credit-rest.ts';
import { isDeducted } from './deposit.ts';

/** The validation that refuses a credit note of more than the rest. */
export const EXCEEDS = 'credit exceeds the invoice';

export const isCredit = ({ order_type }: Pick<Order, 'order_type'>): boolean =>
  order_type === LISTS.ordertypes.INTERNAL_REVERSAL;

/** A credit note must refer to the credited invoice. The invoice must have the same contact. */
export async function checkCredit({ next, previous, garage }: OrderChange): Promise<Violation | undefined> {
  if (!isCredit(next)) return undefined;
  const field = 'credited_order_id';
  const value = next.credited_order_id;
  if (value === null) return violation('field_required', { field });
  const same = previous && previous.credited_order_id === value && previous.contact_id === next.contact_id;
  if (same) return undefined;
  const credited = await Order.of(garage).findOne('id', value);
  // The check of references reports an unknown order.
  if (!credited) return undefined;
  if (credited.is_invoiced !== 1 || credited.contact_id !== next.contact_id)
    return violation('value_invalid', { field, value, validation: 'invoiced order of the same contact' });
  // A credit note can't be credited: make an ordinary invoice instead.
  if (!isCredit(credited)) return undefined;
  return violation('value_invalid', { field, value, validation: 'no credit note' });
}

/** The invoice that a credit note takes back; undefined for any other order. */
export async function readCredited({ next, garage }: OrderChange): Promise<OrderRow | undefined> {
  if (!isCredit(next) || next.credited_order_id === null) return undefined;
  return Order.of(garage).findOne('id', next.credited_order_id).castTo<OrderRow | undefined>();
}

/** Like `readCredited`, but locks the invoice by writing it: two credit notes of one invoice wait for each other. */
export async function claimCredited(change: OrderChange): Promise<OrderRow | undefined> {
  const { next, garage } = change;
  if (isCredit(next) && next.credited_order_id !== null)
    await claimRecord(garage, Order.resource, next.credited_order_id);
  return readCredited(change);
}

/**
 * Called at invoicing, after claimCredited. Refuses a credit note that exceeds the invoice together with the `earlier`
 * ones, that adds to the invoice, or that has another payer.
 */
export async function unfitCredit(
  { next, garage }: OrderChange,
  credited: OrderRow,
  earlier: readonly Invoiced[],
): Promise<Violation[]> {
  const gross = ({ total_gross }: Pick<Order, 'total_gross'>) => cents(total_gross ?? '0');
  const given = gross(next);
  const left = earlier.reduce((sum, row) => sum + gross(row), gross(credited) + given);
  // An invoice below 0 has credit notes above 0: `sign` turns both around.
  const sign = gross(credited) < 0n ? -1n : 1n;
  const exceeds = (field: string, value: number) =>
    violation('value_invalid', { field, value, validation: EXCEEDS });
  const codes = await exceededCodes(garage, credited.id, [...earlier.map(({ id }) => id), next.id]);
  return [
    ...(given * sign > 0n || left * sign < 0n || (await isDeducted(garage, credited))
      ? [exceeds('total_gross', Number(next.total_gross))]
      : []),
    ...codes.map((code) => exceeds('vat_code', code)),
    ...(payerOf(next) === payerOf(credited)
      ? []
      : [
          violation('value_invalid', {
            field: 'invoice_contact_id',
            value: next.invoice_contact_id,
            validation: 'payer of the invoice',
          }),
        ]),
  ];
}

/** The VAT codes for which the credit notes together take more than the invoice has. */
async function exceededCodes(garage: Garage, invoice: number, credits: readonly number[]): Promise<number[]> {
  const sums = async (orders: readonly number[]) => {
    const rows = await OrderLine.of(garage)
      .select('vat_code', sumOf('line_net', 'net'))
      .whereIn('order_id', [...orders])
      .groupBy('vat_code')
      .orderBy('vat_code')
      .castTo<{ vat_code: number; net: string }[]>();
    return new Map(rows.map(({ vat_code, net }) => [vat_code, cents(net)]));
  };
  const invoiced = await sums([invoice]);
  const credited = await sums(credits);
  return [...credited].flatMap(([code, taken]) => {
    const has = invoiced.get(code) ?? 0n;
    const left = has + taken;
    const isWithin = has < 0n ? left <= 0n : left >= 0n;
    return isWithin && (has !== 0n || taken === 0n) ? [] : [code];
  });
}
