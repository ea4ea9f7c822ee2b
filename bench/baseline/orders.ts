// GET one order, and the lists that the bench requests: by type, newest first, by page, by cursor. Pages use
// OFFSET over whole rows, as most people would write them.
import { createHash } from 'node:crypto';
import { type Baseline, Refused, type Row, type Value } from './database.ts';
import { orderJson, readOrderColumns } from './json.ts';

const PAGE_SIZE = 100;

export async function getOrder({ execute }: Baseline, owner: number, id: string): Promise<string> {
  if (!/^[1-9]\d{0,9}$/.test(id)) throw new Refused(403, 'Primary ID is invalid');
  const sql = `SELECT ${readOrderColumns} FROM orders WHERE owner_id = ? AND id = ?`;
  const [row] = await execute(sql, [owner, Number(id)]);
  if (!row) throw new Refused(404, 'not found');
  return `{"successCode":200,"data":${orderJson(row)}}`;
}

export interface Query {
  readonly filter?: string;
  readonly sort?: string;
  readonly page?: string;
  readonly cursor?: string;
}

export async function listOrders({ execute }: Baseline, owner: number, query: Query): Promise<string> {
  const { filter = '', sort = '', cursor } = query;
  const page = cursor === undefined ? Number(query.page ?? 1) : null;
  if (page !== null && !(Number.isInteger(page) && page > 0)) throw new Refused(400, 'page');
  if (sort !== '' && sort !== '-order_date') throw new Refused(400, 'sort');
  const byDate = sort !== '';
  const conditions = ['owner_id = ?'];
  const values: Value[] = [owner];
  if (filter !== '') {
    const [, type] = /^order_type\[eq\]:(\d+)$/.exec(filter) ?? [];
    if (type === undefined) throw new Refused(400, 'filter');
    conditions.push('order_type = ?');
    values.push(Number(type));
  }
  if (cursor !== undefined) {
    const [last, id = null] = readCursor(cursor, fingerprint(owner, filter, sort));
    conditions.push(byDate ? '(order_date < ? OR (order_date = ? AND id < ?))' : 'id > ?');
    values.push(...(byDate ? [last, last, id] : [last]));
  }
  values.push(String(PAGE_SIZE + 1));
  if (page !== null && page > 1) values.push(String((page - 1) * PAGE_SIZE));
  const rows = await execute(
    `SELECT ${readOrderColumns} FROM orders AS t WHERE ${conditions.join(' AND ')} ` +
      `ORDER BY ${byDate ? 't.order_date DESC, t.id DESC' : 't.id'} LIMIT ?${page !== null && page > 1 ? ' OFFSET ?' : ''}`,
    values,
  );
  return answer(rows, page, (row) => writeCursor(fingerprint(owner, filter, sort), row, byDate));
}

function answer(rows: Row[], page: number | null, cursorOf: (row: Row) => string): string {
  const more = rows.length > PAGE_SIZE;
  const shown = more ? PAGE_SIZE : rows.length;
  let data = '';
  let last: Row = {};
  for (let index = 0; index < shown; index += 1) {
    last = rows[index] as Row;
    data += index === 0 ? orderJson(last) : `,${orderJson(last)}`;
  }
  const next = more ? `"${cursorOf(last)}"` : 'null';
  return `{"successCode":200,"data":[${data}],"page":${page},"page_size":${PAGE_SIZE},"has_more":${more},"next":${next}}`;
}

const fingerprints = new Map<string, string>();

/** Identifies a list in its cursors, as the service does. There are few lists, so each fingerprint is cached. */
function fingerprint(owner: number, filter: string, sort: string): string {
  const list = `${owner}\norder\n${filter}\n${sort === '' ? 'id' : '-order_date,-id'}`;
  let made = fingerprints.get(list);
  if (made === undefined) {
    made = createHash('sha1').update(list).digest('base64url').slice(0, 8);
    fingerprints.set(list, made);
  }
  return made;
}

const writeCursor = (list: string, { id = 0, order_date = '' }: Row, byDate: boolean): string =>
  Buffer.from(JSON.stringify(byDate ? [list, order_date, id] : [list, id])).toString('base64url');

function readCursor(cursor: string, list: string): [Value, Value?] {
  const [of, ...values] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [string, Value, Value?];
  if (of !== list) throw new Refused(400, 'cursor');
  return values;
}
