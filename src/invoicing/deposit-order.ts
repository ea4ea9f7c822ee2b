// Makes the deposit of an order. The deposit is an order of its own, with one line for each VAT code of its target.
import { problem } from '../errors.ts';
import type { Garage } from '../model/garage.ts';
import { addRecord, insertRecord, refuseState } from '../model/store.ts';
import { Contact } from '../resources/contact.ts';
import { Order } from '../resources/order.ts';
import { OrderLine, type OrderLineChange, type OrderLineRow } from '../resources/order-line.ts';
import { depositsByCode } from '../trade/deposit.ts';
import { type Language, languageOf } from '../trade/language.ts';
import { LISTS } from '../trade/lists.ts';
import { payerOf } from '../trade/payer.ts';
import { databaseNow, formatTimestamp } from '../trade/timestamp.ts';
import { cents, euros } from '../trade/totals.ts';
import {
  claimTarget,
  EXCEEDS_ORDER,
  grossOf,
  isTarget,
  NO_TARGET,
  readByCode,
  readDeposits,
  sumOfDeposits,
} from './deposit.ts';
import { keepTotalsOf } from './order-totals.ts';

const { DEPOSIT } = LISTS.linekinds;

const WORDS: Readonly<Record<Language, string>> = { nl: 'Aanbetaling op order', en: 'Deposit on order' };

/**
 * Adds a deposit that is not invoiced yet, and returns its ID. `amount` is a decimal text and includes VAT. Throws
 * Problem.
 */
export async function addDeposit(
  garage: Garage,
  { order_id, amount }: { readonly order_id: number; readonly amount: string },
): Promise<number> {
  const target = await claimTarget(garage, order_id);
  if (!target) throw problem('reference_unknown', { field: 'order_id', value: order_id });
  refuseState(Order.resource, target, {});
  const wrong = (field: string, value: number, validation: string) =>
    problem('value_invalid', { field, value, validation });
  if (!isTarget(target)) throw wrong('order_id', order_id, NO_TARGET);
  if (cents(amount) <= 0n) throw wrong('amount', Number(amount), '>0');
  const taken = await sumOfDeposits(garage, await readDeposits(garage, order_id));
  if (taken + cents(amount) > cents(target.total_gross ?? '0'))
    throw wrong('amount', Number(amount), EXCEEDS_ORDER);

  const { order_type, contact_id, invoice_contact_id, vehicle_id, reference, buyer_reference } = target;
  const deposit = await addRecord(garage, Order.resource, {
    ...{ order_type, contact_id, invoice_contact_id, vehicle_id, reference, buyer_reference },
    order_date: formatTimestamp(databaseNow()),
    deposit_of_order_id: order_id,
    // The buyer pays exactly the amount, whatever its VAT is.
    is_vat_included: 1,
  });
  const codes = (await readByCode(garage, [target])).get(order_id) ?? new Map();
  const grosses = new Map([...codes].map(([code, taxed]) => [code, grossOf(taxed)]));
  const language = await languageOfPayer(garage, payerOf(target));
  const changes: OrderLineChange[] = [];
  for (const [vat_code, part] of depositsByCode(cents(amount), grosses)) {
    const next = {
      order_id: deposit.id,
      line_kind: DEPOSIT,
      description: `${WORDS[language]} ${target.order_number}`,
      quantity: '1',
      price: euros(part),
      discount_percentage: null,
      vat_code,
    } as OrderLineRow;
    const change = { next, given: () => undefined, garage, parent: deposit };
    await insertRecord(OrderLine.resource, change);
    changes.push(change);
  }
  await keepTotalsOf(changes);
  return deposit.id;
}

async function languageOfPayer(garage: Garage, payer: number): Promise<Language> {
  const contact = await Contact.of(garage).select('language').findOne('id', payer);
  return languageOf(contact?.language ?? null);
}
