// What is asked of the servers: requests made from the records of one garage, spread over all of them.
import type { Session } from '../src/model/session.ts';
import { LISTS } from '../src/trade/lists.ts';
import type { Request } from './load.ts';

const { INVOICE, CANCELLED } = LISTS.orderstatuses;
const { WORKSHOP } = LISTS.ordertypes;
const { HIGH, LOW } = LISTS.vatcodes;
const PAGE_SIZE = 100;
const MOST_REQUESTS = 30_000;

export const FILTER = `filter=order_type%5Beq%5D:${WORKSHOP}`;
export const LISTS_ASKED = {
  all: '/v2/order',
  list: `/v2/order?${FILTER}`,
  sorted: `/v2/order?${FILTER}&sort=-order_date`,
};

export interface Requests {
  readonly one: Request[];
  /** A page number near the end of each list, 1000 where it is that long. */
  readonly deep: { readonly all: number; readonly filtered: number };
  /** New lines for open orders. */
  readonly add: Request[];
  /** Changes of lines; another number gives other values, so that each is a change. */
  change(run: number): Request[];
}

export async function requestsFor(session: Session, owner: number): Promise<Requests> {
  const ids = async (sql: string, values: number[]) =>
    shuffled((await session.rows(sql, values)).map(({ id }) => Number(id)));
  const orders = await ids('SELECT id FROM orders WHERE owner_id = ?', [owner]);
  const [{ filtered } = { filtered: 0 }] = await session.rows(
    'SELECT COUNT(*) AS filtered FROM orders WHERE owner_id = ? AND order_type = ?',
    [owner, WORKSHOP],
  );
  const open = await ids(
    'SELECT id FROM orders WHERE owner_id = ? AND order_type = ? AND order_status NOT IN (?, ?)',
    [owner, WORKSHOP, INVOICE, CANCELLED],
  );
  const lines = await ids(
    'SELECT l.id FROM orderlines l JOIN orders o ON o.owner_id = l.owner_id AND o.id = l.order_id WHERE l.owner_id = ? ' +
      'AND o.order_type = ? AND o.order_status NOT IN (?, ?) AND l.vat_code IN (?, ?) AND l.discount_percentage IS NULL',
    [owner, WORKSHOP, INVOICE, CANCELLED, HIGH, LOW],
  );
  const [article] = await session.rows(
    'SELECT id, article_number, unit_type, turnover_group_id FROM articles WHERE owner_id = ? LIMIT 1',
    [owner],
  );
  return {
    one: orders.slice(0, MOST_REQUESTS).map((id) => ({ method: 'GET', path: `/v2/order/${id}` })),
    deep: { all: deepPage(orders.length), filtered: deepPage(Number(filtered)) },
    add: open.slice(0, MOST_REQUESTS).map((id, index) => ({
      method: 'POST',
      path: '/v2/orderline',
      body: JSON.stringify(newLine(id, index, article ?? {})),
    })),
    change: (run) =>
      lines.slice(0, MOST_REQUESTS).map((id, index) => ({
        method: 'PUT',
        path: `/v2/orderline/${id}`,
        body: JSON.stringify({
          quantity: 1 + (run % 9),
          price: 10 + (index % 500) + ((run * 7) % 100) / 100,
        }),
      })),
  };
}

const deepPage = (rows: number) => Math.max(2, Math.min(1000, Math.ceil(rows / PAGE_SIZE) - 1));

const newLine = (order: number, index: number, article: Record<string, unknown>) => ({
  order_id: order,
  line_kind: LISTS.linekinds.ARTICLE,
  article_id: article.id,
  article_number: article.article_number,
  description: 'Motorolie 5W-30, per liter – synthetisch',
  quantity: 1 + (index % 40) / 10,
  unit_type: article.unit_type,
  price: 10 + (index % 997) / 100,
  vat_code: index % 5 === 0 ? LOW : HIGH,
  turnover_group_id: article.turnover_group_id,
});

/** In an order that has nothing to do with that of the rows, but is the same in each run. */
function shuffled(ids: number[]): number[] {
  return ids
    .map((id) => ({ id, place: Math.imul(id, 2654435761) >>> 0 }))
    .sort((one, other) => one.place - other.place)
    .map(({ id }) => id);
}
