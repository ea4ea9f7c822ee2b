// POST /document/generate: asks for one PDF or e-invoice of each order.

import { DEFAULT_FORMAT, FORMATS, type Format } from '../../documents/einvoice/format.ts';
import { type Violation, violation } from '../../errors.ts';
import { int4Array } from '../../model/array-field.ts';
import { refuse } from '../../model/check.ts';
import { choice, word } from '../../model/field.ts';
import type { Session } from '../../model/session.ts';
import { Order } from '../../resources/order.ts';
import { LISTS } from '../../trade/lists.ts';
import type { Answer } from '../answer.ts';
import type { Call, Endpoint } from '../endpoint.ts';
import type { OperationDoc } from '../openapi/operation.ts';
import { checkEInvoices } from './e-invoice-check.ts';
import { accept, longRunningDoc, longRunningForm } from './long-running.ts';

const { INVOICE, CREDIT_NOTE, UBL } = LISTS.documenttypes;
/** These need an invoiced order; the order itself decides whether it gets an invoice or a credit note. */
const OF_INVOICES: readonly number[] = [INVOICE, CREDIT_NOTE, UBL];
const MOST_ORDERS = 1_000;

const DOCUMENT_TYPE = choice('documenttypes', { required: true });
const ORDER_IDS = int4Array({
  most: MOST_ORDERS,
  description: 'IDs of orders; for an invoice, a credit note or an e-invoice, of invoiced ones',
});
const FORMAT = word(FORMATS, { description: `Of an e-invoice (UBL); ${DEFAULT_FORMAT} if none is given` });
const FIELDS = { document_type: DOCUMENT_TYPE, order_ids: ORDER_IDS, format: FORMAT };
const GENERATE = longRunningForm('generate', FIELDS, { webhookUrl: 'optional' });

export const documentGenerationEndpoints: Endpoint[] = [
  {
    path: '/document/generate',
    methods: { POST: { body: 'required', handle: requestDocuments, doc: generateDoc } },
  },
];

function generateDoc(): OperationDoc {
  return longRunningDoc(
    'generateDocuments',
    'Make a PDF or an e-invoice (UBL) of each order; the zip has an index.csv, and each file becomes a document of its order',
    GENERATE,
    [
      violation('array_empty', { field: 'order_ids' }),
      violation('reference_unknown', { field: 'order_ids', value: 5 }),
      violation('value_invalid', { field: 'order_ids', value: 5, validation: 'invoiced order' }),
      formatOfPaper('peppol'),
      { ...violation('field_empty', { field: 'vat_number' }), resource: 'contact', id: 1004 },
    ],
  );
}

async function requestDocuments(call: Call): Promise<Answer> {
  const { document_type, order_ids, webhook_url, ...asked } = await GENERATE.read(call);
  const { owner } = call.identity;
  const orders = [...new Set(JSON.parse(order_ids) as number[])];
  const format = document_type === UBL ? ((asked.format ?? DEFAULT_FORMAT) as Format) : undefined;
  refuse(document_type === UBL || asked.format === null ? [] : [formatOfPaper(asked.format)]);
  return accept(call, 'document-generation', webhook_url, async (session) => {
    await checkOrders(session, owner, document_type, orders);
    if (format !== undefined) await checkEInvoices(session, owner, format, orders);
    return { document_type, order_ids: orders, ...(format && { format }) };
  });
}

/** Only an e-invoice has a format. */
const formatOfPaper = (value: string): Violation =>
  violation('value_invalid', { field: 'format', value, validation: `document_type ${UBL}` });

/** Throws Problem: 404 for unknown orders, then 403 for orders that do not fit the type. */
async function checkOrders(
  session: Session,
  owner: number,
  type: number,
  orders: readonly number[],
): Promise<void> {
  const rows = await Order.of(session, owner)
    .select('id', 'is_invoiced')
    .whereIn('id', [...orders]);
  const found = new Map(rows.map((row) => [row.id, row]));
  const unknown = orders.filter((id) => !found.has(id));
  refuse(unknown.map((id) => violation('reference_unknown', { field: 'order_ids', value: id })));
  refuse(orders.flatMap((id) => misfit(id, found.get(id), type) ?? []));
}

function misfit(id: number, order: Order | undefined, type: number): Violation | undefined {
  if (!OF_INVOICES.includes(type) || order?.is_invoiced === 1) return undefined;
  return violation('value_invalid', { field: 'order_ids', value: id, validation: 'invoiced order' });
}
