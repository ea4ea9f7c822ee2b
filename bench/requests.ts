// The requests of every point, made from the records of one garage and spread over all of them.
import type { Knex } from 'knex';
import { LISTS } from '../src/core/trade/lists.ts';
import type { Login } from './dataset.ts';
import { deletableLines } from './delete-lines.ts';
import type { Request } from './load.ts';

const { INVOICE, CANCELLED } = LISTS.orderstatuses;
const { WORKSHOP } = LISTS.ordertypes;
const { HIGH, LOW } = LISTS.vatcodes;
const PAGE_SIZE = 100;
const MAX_REQUESTS = 30_000;
const MOST_BUYERS = 100;
/** DELETE requests prepared for each second of a run: about as many as a server answers. */
const DELETES_PER_SECOND = 1000;

const FILTER = `filter=order_type%5Beq%5D:${WORKSHOP}`;
export const LIST_PATHS = {
  all: '/v2/order',
  filtered: `/v2/order?${FILTER}`,
  sorted: `/v2/order?${FILTER}&sort=-order_date`,
};

export interface Requests {
  readonly getOrder: Request[];
  /** Contacts that got an invoice: they have all that an invoice needs. */
  readonly buyers: readonly number[];
  readonly login: Request[];
  /** A page number near the end of each list: 1000 if the list is that long. */
  readonly deepPage: { readonly all: number; readonly filtered: number };
  /** POST: new lines for open orders. */
  readonly addLine: Request[];
  /** PUT: new values for existing lines. Each run number gives other values, so every request changes a row. */
  changeLine(run: number): Request[];
  /** DELETE: inserts new lines first, so every request deletes a line that exists. */
  deleteLine(seconds: number): Promise<Request[]>;
}

export async function requestsFor(knex: Knex, owner: number, login: Login): Promise<Requests> {
  const orders = await ids(knex('orders').where('owner_id', owner));
  const filtered = await ids(knex('orders').where({ owner_id: owner, order_type: WORKSHOP }));
  // The baselines compute net prices only.
  const open = await ids(
    knex('orders')
      .where({ owner_id: owner, order_type: WORKSHOP, is_vat_included: 0 })
      .whereNotIn('order_status', [INVOICE, CANCELLED]),
  );
  const lines = await ids(
    knex('orderlines')
      .where('owner_id', owner)
      .whereIn('order_id', open)
      .whereIn('vat_code', [HIGH, LOW])
      .whereNull('discount_percentage'),
  );
  const invoiced: { contact_id: number }[] = await knex('orders')
    .distinct('contact_id')
    .where({ owner_id: owner, order_type: WORKSHOP, order_status: INVOICE, credited_order_id: null })
    .whereNotNull('contact_id')
    .orderBy('contact_id')
    .limit(MOST_BUYERS);
  const article = await knex('articles')
    .select('id', 'article_number', 'unit_type', 'turnover_group_id')
    .where('owner_id', owner)
    .orderBy('id')
    .first();
  return {
    getOrder: orders.slice(0, MAX_REQUESTS).map((id) => ({ method: 'GET', path: `/v2/order/${id}` })),
    buyers: invoiced.map(({ contact_id }) => contact_id),
    login: [{ method: 'POST', path: '/v2/authenticate', body: JSON.stringify(login) }],
    deepPage: { all: deepPage(orders.length), filtered: deepPage(filtered.length) },
    addLine: open.slice(0, MAX_REQUESTS).map((id, index) => ({
      method: 'POST',
      path: '/v2/orderline',
      body: JSON.stringify(newLine(id, index, article ?? {})),
    })),
    changeLine: (run) =>
      lines.slice(0, MAX_REQUESTS).map((id, index) => ({
        method: 'PUT',
        path: `/v2/orderline/${id}`,
        body: JSON.stringify({
          quantity: 1 + (run % 9),
          price: 10 + (index % 500) + ((run * 7) % 100) / 100,
        }),
      })),
    deleteLine: (seconds) =>
      deletableLines(knex, { owner, orders: open, count: Math.ceil(seconds * DELETES_PER_SECOND) }),
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

/** The IDs in an order that is unrelated to the order of the rows, but the same in every run. */
async function ids(query: Knex.QueryBuilder): Promise<number[]> {
  const rows: { id: number }[] = await query.select('id');
  return rows
    .map(({ id }) => ({ id, rank: Math.imul(id, 2654435761) >>> 0 }))
    .sort((first, second) => first.rank - second.rank)
    .map(({ id }) => id);
}
