// POST, PUT and DELETE of an order line, written by hand. They make the checks that the bench's requests need, lock the
// line and then its order, and write what the service writes. A logging baseline also appends to the outbox of changes.
import { randomUUID } from 'node:crypto';
import { LISTS } from '../../src/core/trade/lists.ts';
import { databaseNow } from '../../src/core/trade/time/timestamp.ts';
import { lineAmounts, ORDER_AMOUNTS, orderAmounts } from './amounts.ts';
import {
  type Baseline,
  type Caller,
  type Execute,
  Refused,
  type Row,
  type Value,
  type Written,
} from './database.ts';
import { lineColumns, lineJson, readLineColumns, readOrderColumns } from './json.ts';

const { INVOICE, CANCELLED } = LISTS.orderstatuses;
const { CREATED, UPDATED, DELETED } = LISTS.changeactions;
const VAT_CODES: readonly unknown[] = [LISTS.vatcodes.HIGH, LISTS.vatcodes.LOW];
const LINE_KINDS: readonly unknown[] = Object.values(LISTS.linekinds);
const UNIT_TYPES: readonly unknown[] = Object.values(LISTS.unittypes);

const LOCK_ORDER = `SELECT ${readOrderColumns}, net_high, net_low, version FROM orders WHERE owner_id = ? AND id = ? FOR UPDATE`;
const LOCK_LINE = `SELECT id, ${readLineColumns}, version FROM orderlines WHERE owner_id = ? AND id = ? FOR UPDATE`;
const INSERT_LINE = `INSERT INTO orderlines (owner_id, ${lineColumns}, version) VALUES (${'?, '.repeat(29)}?)`;
const UPDATE_LINE =
  'UPDATE orderlines SET quantity = ?, price = ?, line_net = ?, line_vat = ?, line_gross = ?, modified_at = ?, version = ? ' +
  'WHERE owner_id = ? AND id = ?';
const DELETE_LINE = 'DELETE FROM orderlines WHERE owner_id = ? AND id = ?';
const UPDATE_ORDER =
  `UPDATE orders SET ${ORDER_AMOUNTS.map((column) => `${column} = ?, `).join('')}` +
  'modified_at = ?, version = version + 1 WHERE owner_id = ? AND id = ?';
const INSERT_ENTRY = 'INSERT INTO change_outbox (owner_id, changes) VALUES (?, ?)';
const LINE_AMOUNTS = ['quantity', 'price', 'line_net', 'line_vat', 'line_gross'];
const TOTALS = ['total_net', 'total_vat', 'total_gross'];

type Body = Readonly<Record<string, unknown>>;

export function addLine(baseline: Baseline, caller: Caller, body: Body): Promise<string> {
  const { owner } = caller;
  const given = check(body, ADDABLE);
  for (const name of REQUIRED) if (given[name] == null) throw new Refused(403, `${name} is required`);
  return baseline.transaction(async (execute) => {
    const order = await lockOrder(execute, owner, Number(given.order_id));
    const now = databaseNow();
    const row: Row = {
      ...EMPTY,
      ...given,
      ...lineAmounts(Number(given.quantity), Number(given.price), Number(given.vat_code)),
      created_at: now,
      modified_at: now,
    };
    const values = COLUMNS.map((column) => row[column] as Value);
    const { insertId } = await execute<Written>(INSERT_LINE, [owner, ...values, 1]);
    row.id = insertId;
    const totals = await updateOrder(execute, owner, order, Number(row.vat_code), 0, row.line_net as Value);
    if (baseline.isLogging) await log(execute, caller, { after: row, order, totals });
    return `{"successCode":201,"data":${lineJson(row)}}`;
  });
}

export function changeLine(baseline: Baseline, caller: Caller, id: string, body: Body): Promise<string> {
  const { owner } = caller;
  const given = check(body, CHANGEABLE);
  return baseline.transaction(async (execute) => {
    const [row] = await execute(LOCK_LINE, [owner, Number(id)]);
    if (!row) throw new Refused(404, 'not found');
    const order = await lockOrder(execute, owner, Number(row.order_id));
    refuseState(row);
    const before = { ...row };
    const { quantity, price, vat_code } = { ...row, ...given };
    const now = databaseNow();
    Object.assign(row, lineAmounts(Number(quantity), Number(price), Number(vat_code)), { modified_at: now });
    await execute(UPDATE_LINE, [
      row.quantity as Value,
      row.price as Value,
      row.line_net as Value,
      row.line_vat as Value,
      row.line_gross as Value,
      now,
      Number(row.version) + 1,
      owner,
      Number(id),
    ]);
    const [from, to] = [before.line_net as Value, row.line_net as Value];
    const totals = await updateOrder(execute, owner, order, Number(vat_code), from, to);
    if (baseline.isLogging) await log(execute, caller, { before, after: row, order, totals });
    return `{"successCode":200,"data":${lineJson(row)}}`;
  });
}

export function deleteLine(baseline: Baseline, caller: Caller, id: string): Promise<string> {
  const { owner } = caller;
  return baseline.transaction(async (execute) => {
    const [row] = await execute(LOCK_LINE, [owner, Number(id)]);
    if (!row) throw new Refused(404, 'not found');
    const order = await lockOrder(execute, owner, Number(row.order_id));
    refuseState(row);
    await execute(DELETE_LINE, [owner, Number(id)]);
    const totals = await updateOrder(execute, owner, order, Number(row.vat_code), row.line_net as Value, 0);
    if (baseline.isLogging) await log(execute, caller, { before: row, order, totals });
    return `{"successCode":200,"data":{"id":${row.id}}}`;
  });
}

async function lockOrder(execute: Execute, owner: number, id: number): Promise<Row> {
  const [order] = await execute(LOCK_ORDER, [owner, id]);
  if (!order) throw new Refused(404, 'order not found');
  refuseState(order);
  if (order.order_status === INVOICE || order.order_status === CANCELLED) throw new Refused(409, 'frozen');
  return order;
}

/** Answers the new amounts. */
async function updateOrder(
  execute: Execute,
  owner: number,
  order: Row,
  vatCode: number,
  before: Value,
  after: Value,
): Promise<string[]> {
  const amounts = orderAmounts(order, vatCode, before, after);
  await execute(UPDATE_ORDER, [...amounts, databaseNow(), owner, order.id as Value]);
  return amounts;
}

interface Logged {
  readonly before?: Row;
  readonly after?: Row;
  readonly order: Row;
  readonly totals: readonly string[];
}

/** Appends the entry that the service appends. */
function log(execute: Execute, caller: Caller, { before, after, order, totals }: Logged): Promise<unknown> {
  const about = {
    at: databaseNow(),
    employee_id: caller.employee,
    api_key_id: caller.apiKey,
    request_id: randomUUID(),
  };
  const line = after ?? before;
  const action = before === undefined ? CREATED : after === undefined ? DELETED : UPDATED;
  const entry = [
    {
      resource: 'orderline',
      record_id: line?.id,
      external_id: line?.external_id ?? null,
      contact_id: null,
      action,
      version: before === undefined ? 1 : Number(before.version) + (after ? 1 : 0),
      ...about,
      changes: before && after ? changesOf(LINE_AMOUNTS, before, after) : null,
    },
    {
      resource: 'order',
      record_id: order.id,
      external_id: order.external_id,
      contact_id: order.contact_id,
      action: UPDATED,
      version: Number(order.version) + 1,
      ...about,
      changes: changesOf(
        TOTALS,
        order,
        Object.fromEntries(TOTALS.map((name) => [name, totals[ORDER_AMOUNTS.indexOf(name)] ?? null])),
      ),
    },
  ];
  return execute(INSERT_ENTRY, [caller.owner, JSON.stringify(entry)]);
}

function changesOf(names: readonly string[], before: Row, after: Row): string {
  const changed = names.filter((name) => before[name] !== after[name]);
  return JSON.stringify(
    Object.fromEntries(changed.map((name) => [name, [Number(before[name]), Number(after[name])]])),
  );
}

function refuseState({ is_system, is_blocked, is_archived }: Row): void {
  if (is_system || is_blocked || is_archived) throw new Refused(409, 'blocked');
}

const integer = (value: unknown) => Number.isInteger(value) && Math.abs(value as number) < 2 ** 31;
const number = (value: unknown) => typeof value === 'number' && Math.abs(value) < 1e9;
const textOf = (length: number) => (value: unknown) =>
  typeof value === 'string' && [...value].length <= length;

type Checks = Readonly<Record<string, (value: unknown) => boolean>>;

const CHANGEABLE: Checks = { quantity: number, price: number };
const ADDABLE: Checks = {
  ...CHANGEABLE,
  order_id: integer,
  sort_order: integer,
  line_kind: (value) => LINE_KINDS.includes(value),
  article_id: integer,
  article_number: textOf(40),
  description: textOf(255),
  unit_type: (value) => UNIT_TYPES.includes(value),
  vat_code: (value) => VAT_CODES.includes(value),
  turnover_group_id: integer,
};
const REQUIRED = ['order_id', 'line_kind', 'description', 'quantity', 'price', 'vat_code'];
const COLUMNS = lineColumns.split(', ');
const EMPTY: Row = {
  ...Object.fromEntries(COLUMNS.map((column) => [column, null])),
  is_blocked: 0,
  is_archived: 0,
  is_system: 0,
};

function check(body: Body, checks: Checks): Row {
  for (const name of Object.keys(body)) {
    const valid = checks[name];
    if (!valid) throw new Refused(403, `${name} not found`);
    if (!valid(body[name])) throw new Refused(403, `${name} is invalid`);
  }
  return body as Row;
}
