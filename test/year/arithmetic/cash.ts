// Cash beyond the limit of the law: a trader in goods takes or pays less than € 3,000 for one sale from 2026 on.
import { dayOf } from '../../support/build/day.ts';
import type { Json } from '../../support/client/client.ts';
import { type Books, LINE, linesOf, named, originOf } from './books.ts';
import { cents, sum } from './exact.ts';

const CASH = 1;
const FROM = '2026-01-01';
const LIMIT = 300_000;
/** Work alone is no sale of goods, and the target of a deposit has the goods. */
const NO_GOODS: readonly unknown[] = [LINE.LABOUR, LINE.DEPOSIT];

/** The order of the goods: deposits and credit notes lead to it. */
function rootOf(books: Books, order: Json): Json {
  const origin = originOf(books, order);
  return books.byId.get(origin.deposit_of_order_id) ?? origin;
}

export function cashFaults(books: Books): string[] {
  const paid = books.payments
    .filter(({ method, paid_at }) => method === CASH && dayOf(String(paid_at)) >= FROM)
    .map(({ order_id, amount }) => ({
      root: rootOf(books, books.byId.get(order_id) ?? {}),
      amount: cents(amount),
    }));
  return [...new Set(paid.map(({ root }) => root))]
    .filter((root) => hasGoods(books, root))
    .flatMap((root) => {
      const amounts = paid.filter((one) => one.root === root).map(({ amount }) => amount);
      return [1, -1].flatMap((sign) => {
        const cash = sum(amounts, (amount) => Math.max(0, sign * amount));
        return cash < LIMIT ? [] : [`the sale of ${named(root)} has ${cash / 100} of cash on one side`];
      });
    });
}

const hasGoods = (books: Books, root: Json): boolean =>
  books.orders
    .filter((order) => rootOf(books, order) === root)
    .some((order) => linesOf(books, order).some(({ line_kind }) => !NO_GOODS.includes(line_kind)));
