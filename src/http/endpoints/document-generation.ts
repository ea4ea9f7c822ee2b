// POST /document/generate: asks for one PDF or e-invoice of each order.

import { type Violation, violation } from '../../core/errors.ts';
import { int4Array } from '../../core/model/bodies/array-field.ts';
import { refuse } from '../../core/model/bodies/check.ts';
import { choice, word } from '../../core/model/fields/field.ts';
import { garageOf } from '../../core/model/statements/garage.ts';
import { LISTS, type ListValue } from '../../core/trade/lists.ts';
import { DEFAULT_FORMAT, FORMATS } from '../../work/documents/einvoice/format.ts';
import { readOrdersInDefault, wrongOrder } from '../../work/documents/generation/reminder-request.ts';
import {
  checkEInvoices,
  checkOrders,
  SELF_BILLED_BY_PEPPOL,
} from '../../work/documents/generation/request.ts';
import type { Answer } from '../answer.ts';
import { type Call, type Endpoint, post } from '../endpoint.ts';
import { accept, answeredOnce, longRunningDoc, longRunningForm } from './long-running.ts';

const { UBL, REMINDER } = LISTS.documenttypes;
const MOST_ORDERS = 1_000;

const DOCUMENT_TYPE = choice('documenttypes', { required: true });
const ORDER_IDS = int4Array({
  most: MOST_ORDERS,
  description:
    'IDs of orders; for an invoice, a credit note, an e-invoice or a purchase statement, of invoiced ones',
});
const FORMAT = word(FORMATS, { description: `Of an e-invoice (UBL); ${DEFAULT_FORMAT} if none is given` });
const FIELDS = { document_type: DOCUMENT_TYPE, order_ids: ORDER_IDS, format: FORMAT };
const GENERATE = longRunningForm('generate', FIELDS, { webhookUrl: 'optional' });

export const documentGenerationEndpoints: Endpoint[] = [
  post('/document/generate', {
    needs: 'USER',
    form: GENERATE,
    handle: answeredOnce(requestDocuments),
    doc: () =>
      longRunningDoc(
        'generateDocuments',
        'Make a PDF or an e-invoice (UBL) of each order; the zip has an index.csv, and each file becomes a document of its order. A reminder is one letter about all orders',
        [
          violation('array_empty', { field: 'order_ids' }),
          violation('reference_unknown', { field: 'order_ids', value: 5 }),
          ...['invoiced order', 'own invoice', 'purchase statement'].map((validation) =>
            violation('value_invalid', { field: 'order_ids', value: 5, validation }),
          ),
          ...(['one payer', 'in default', 'no reminders'] as const).map((reason) => wrongOrder(5, reason)),
          formatOfPaper('peppol'),
          SELF_BILLED_BY_PEPPOL,
          { ...violation('field_empty', { field: 'vat_number' }), resource: 'contact', id: 1004 },
        ],
      ),
  }),
];

async function requestDocuments(call: Call): Promise<Answer> {
  const { document_type, order_ids, webhook_url, ...asked } = await GENERATE.read(call);
  const { owner } = call.identity;
  const orders = [...new Set(JSON.parse(order_ids) as number[])];
  const format = document_type === UBL ? (asked.format ?? DEFAULT_FORMAT) : undefined;
  refuse(document_type === UBL || asked.format === null ? [] : [formatOfPaper(asked.format)]);
  return accept(call, 'document-generation', webhook_url, async (session) => {
    if (document_type === REMINDER) await readOrdersInDefault(garageOf(session, owner), orders);
    else await checkOrders(garageOf(session, owner), document_type, orders);
    if (format !== undefined) await checkEInvoices(garageOf(session, owner), format, orders);
    return {
      document_type: document_type as ListValue<'documenttypes'>,
      order_ids: orders,
      ...(format && { format }),
    };
  });
}

/** Only an e-invoice has a format. */
const formatOfPaper = (value: string): Violation =>
  violation('value_invalid', { field: 'format', value, validation: `document_type ${UBL}` });
