// The day whose VAT rates an order has: the day of its supply, otherwise today, on the calendar of the garage. A credit
// note has the rates of its invoice.
import type { Garage } from '../../../core/model/statements/garage.ts';
import type { OrderRow } from '../../../core/resources/order.ts';
import { dayOf } from '../../../core/trade/time/day.ts';
import { databaseNow } from '../../../core/trade/time/timestamp.ts';
import { steadyDay } from '../../../core/trade/vat-rate.ts';
import { readTimezone } from '../timezone.ts';

type Supplied = Pick<OrderRow, 'supply_date' | 'invoice_date'>;

/** `YYYY-MM-DD`. `order`: for a credit note, the invoice that it takes back. */
export async function rateDayOf(garage: Garage, order: Supplied): Promise<string> {
  const at = order.supply_date ?? order.invoice_date ?? databaseNow();
  const steady = steadyDay(at);
  if (steady !== undefined) return steady;
  return dayOf(at, await readTimezone(garage));
}
