// The VAT percentage on lines of old invoices that a process of 1.0.0 imported, or that a backup of 1.0.0 has: such
// lines have the rates of the day of the import. The migration of old percentages does the same for older invoices.
import type { Garage } from '../../../core/model/statements/garage.ts';
import { columns, decimal, selected } from '../../../core/model/statements/selected.ts';
import { Order } from '../../../core/resources/order.ts';
import { OrderLine } from '../../../core/resources/order-line.ts';
import { grouped } from '../../../core/trade/grouped.ts';
import { gapTo } from '../../../core/trade/totals.ts';
import { percentageOn, SUMMED } from '../../../core/trade/vat-code.ts';
import { rateDayOf } from '../totals/rate-day.ts';

/** The day of 1.0.0, which gave all lines the rates of its day. */
const RELEASED = '2026-11-23';

const ORDER = {
  ...columns(Order, Order.tableName, 'id', 'supply_date', 'invoice_date'),
  net_high: decimal('orders.net_high'),
  vat_high: decimal('orders.vat_high'),
  net_low: decimal('orders.net_low'),
  vat_low: decimal('orders.vat_low'),
};

/** Completes the lines of these invoices. An invoice whose VAT fits the rates of 1.0.0 keeps them. */
export async function completePercentages(garage: Garage, invoices: readonly number[]): Promise<void> {
  const orders = [];
  for (const order of await selected(Order.of(garage).whereIn('id', [...invoices]), ORDER))
    orders.push({ ...order, day: await rateDayOf(garage, order) });
  for (const { code, net, vat } of SUMMED) {
    const now = percentageOn(code, RELEASED);
    const older = orders.filter((order) => {
      const gap = (percentage: string) => gapTo(percentage, order[net], order[vat]);
      return gap(percentageOn(code, order.day)) < gap(now);
    });
    for (const [vat_percentage, some] of grouped(older, ({ day }) => percentageOn(code, day)))
      await OrderLine.of(garage)
        .patch({ vat_percentage })
        .where({ vat_code: code, vat_percentage: now })
        .whereIn(
          'order_id',
          some.map(({ id }) => id),
        );
  }
}
