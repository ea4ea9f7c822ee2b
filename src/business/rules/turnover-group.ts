// The journal posts the cost of a sale only if the group has an account for its stock.

import { type ChangeOf, rulesOf } from '../../core/model/records/record.ts';
import { OrderLine } from '../../core/resources/order-line.ts';
import { TurnoverGroup } from '../../core/resources/turnover-group.ts';
import { CLOSED, claimBooks } from '../invoicing/closed-period.ts';

rulesOf(TurnoverGroup, { rules: [keepsClosedRows], refuses: { change: [CLOSED] } });

/** Refuses a first account of the stock, and its removal, if closed invoices would get other postings. */
async function keepsClosedRows({ next, previous, garage }: ChangeOf<typeof TurnoverGroup>) {
  const hasStock = (group: Pick<TurnoverGroup, 'stock_ledger_account'>) =>
    (group.stock_ledger_account ?? '').trim() !== '';
  if (!previous || hasStock(previous) === hasStock(next)) return undefined;
  const { opens } = await claimBooks(garage, next.id);
  if (opens === undefined) return undefined;
  const line = await OrderLine.of(garage, 'l')
    .select('l.id')
    .join('orders as o', (join) => join.on('o.owner_id', 'l.owner_id').on('o.id', 'l.order_id'))
    .where('l.turnover_group_id', next.id)
    .where('o.is_invoiced', 1)
    .where('o.book_date', '<', opens)
    .first();
  return line && CLOSED;
}
