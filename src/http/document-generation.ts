// POST /document/generate: asks for the PDFs of orders, one each.
import { type Violation, violation } from '../errors.ts';
import { int4Array } from '../model/array-field.ts';
import { refuse } from '../model/check.ts';
import { marks, padded } from '../model/clause.ts';
import { choice, type Row } from '../model/field.ts';
import { form } from '../model/form.ts';
import type { Session } from '../model/session.ts';
import { LISTS } from '../trade/lists.ts';
import type { Answer } from './answer.ts';
import { readBody } from './body.ts';
import type { Call, Endpoint } from './endpoint.ts';
import { accept, WEBHOOK_URL } from './jobs.ts';

const { INVOICE, CREDIT_NOTE } = LISTS.documenttypes;
const MOST_ORDERS = 1_000;

const DOCUMENT_TYPE = choice('documenttypes', { required: true });
const ORDER_IDS = int4Array({
  most: MOST_ORDERS,
  description: 'IDs of orders; for an invoice or a credit note, of invoiced ones',
});
export const GENERATE = form('generate', {
  document_type: DOCUMENT_TYPE,
  order_ids: ORDER_IDS,
  webhook_url: WEBHOOK_URL,
});

export const documentGenerationEndpoints: Endpoint[] = [
  { path: '/document/generate', methods: { POST: { handle: requestDocuments } } },
];

async function requestDocuments(call: Call): Promise<Answer> {
  const body = await readBody(call.ctx.req);
  const { document_type, order_ids, webhook_url } = GENERATE.read(body);
  const orders = [...new Set(JSON.parse(order_ids) as number[])];
  return accept(call, body, 'document-generation', webhook_url, async (session) => {
    await checkOrders(session, call.identity.owner, document_type, orders);
    return { document_type, order_ids: orders };
  });
}

/** Throws Problem: unknown orders 404, then those that the type does not fit 403. */
async function checkOrders(
  session: Session,
  owner: number,
  type: number,
  orders: readonly number[],
): Promise<void> {
  const rows = await session.rows(
    `SELECT id, is_invoiced FROM orders WHERE owner_id = ? AND id IN (${marks(orders.length)})`,
    [owner, ...padded(orders)],
  );
  const found = new Map(rows.map((row) => [Number(row.id), row]));
  const unknown = orders.filter((id) => !found.has(id));
  refuse(unknown.map((id) => violation('reference_unknown', { field: 'order_ids', value: id })));
  refuse(orders.flatMap((id) => misfit(id, found.get(id) ?? {}, type) ?? []));
}

/** What a credit order gets is a credit note, and any other invoice an invoice, whichever of the two was asked. */
function misfit(id: number, { is_invoiced }: Row, type: number): Violation | undefined {
  if ((type !== INVOICE && type !== CREDIT_NOTE) || is_invoiced === 1) return undefined;
  return violation('value_invalid', { field: 'order_ids', value: id, validation: 'invoiced order' });
}
