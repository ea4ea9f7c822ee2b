// Requests that make orders and lines, beside the record operations: flat rates, credit notes and deposits.

import { rowOf } from '../../business/invoicing/case.ts';
import { addCredit } from '../../business/invoicing/credit/credit.ts';
import { addDeposit } from '../../business/invoicing/deposit/deposit.ts';
import { addFlatRate } from '../../business/invoicing/flat-rate.ts';
import type { NewOrder } from '../../business/invoicing/new-order.ts';
import { violation } from '../../core/errors.ts';
import { objectArray } from '../../core/model/bodies/array-field.ts';
import { form } from '../../core/model/bodies/form.ts';
import { flag, money, quantity, reference } from '../../core/model/fields/field.ts';
import { bySortOrder, MOST_CHILDREN } from '../../core/model/lists/expand.ts';
import { findRecord } from '../../core/model/lists/find.ts';
import { recordJson } from '../../core/model/lists/list-json.ts';
import { readExpand } from '../../core/model/lists/list-query.ts';
import { serializer } from '../../core/model/records/serialize.ts';
import { type Garage, garageOf } from '../../core/model/statements/garage.ts';
import { refuseState } from '../../core/model/writes/state.ts';
import { demandRecord } from '../../core/model/writes/store.ts';
import { Order } from '../../core/resources/order.ts';
import { OrderLine } from '../../core/resources/order-line.ts';
import { EXCEEDS_ORDER, NO_TARGET } from '../../core/trade/order-case/deposit.ts';
import { type Answer, successJson } from '../answer.ts';
import { type Call, type Endpoint, post } from '../endpoint.ts';
import { etag } from '../etag.ts';
import { once } from '../idempotency.ts';
import { changeStates } from '../openapi/record-errors.ts';
import { object, ref } from '../openapi/schema.ts';
import { readPrimaryId, requireId } from '../primary-id.ts';
import { added } from '../record-answer.ts';

const FLAT_RATE = form('flatrate', { flatrate_id: reference('flatrate', { required: true }) });

const CREDIT = form('credit', {
  order_id: reference('order', { required: true, description: 'The invoice' }),
  orderline: objectArray(
    'orderline',
    { id: reference('orderline', { required: true }), quantity: quantity({ required: true }) },
    {
      most: MOST_CHILDREN,
      description: 'The lines of the invoice to take back, and how many pieces; all that is left if absent',
    },
  ),
  is_invoiced: flag({ description: '1: the credit note is an invoice at once' }),
});

const DEPOSIT = form('deposit', {
  order_id: reference('order', { required: true, description: 'The order that the deposit is paid for' }),
  amount: money({ required: true, description: 'VAT included, above 0' }),
});

const wrong = (field: string, value: unknown, validation: string) =>
  violation('value_invalid', { field, value, validation });

/** What the descriptions have in common: the answer is an order with its lines. */
const WITH_LINES = {
  status: 201,
  data: { allOf: [ref('order'), object({ orderline: { type: 'array', items: ref('orderline') } })] },
} as const;
const FROZEN = [...changeStates, violation('record_frozen', { resource: 'order', state: 'invoice' })];

export const orderEndpoints: Endpoint[] = [
  post('/order/credit', {
    needs: 'USER',
    countsAs: '/order',
    form: CREDIT,
    handle: credit,
    doc: {
      ...WITH_LINES,
      operationId: 'creditOrder',
      summary: 'Make the credit note of an invoice',
      description:
        'Takes back the rest of the invoice, or the named lines. A credit note of the last pieces of a line takes the exact rest of ' +
        'its amounts, so an invoice and its credit notes end at 0. If `is_invoiced` is 1, the credit ' +
        'note is an invoice at once, and is settled with the invoice. A purchase, and a sale with a trade-in, is credited as a ' +
        'whole only; the credit note of the whole moves its vehicles back. Needs the permission of POST /order.',
      good: 'The credit note with its lines',
      headers: ['ETag', 'Location'],
      errors: [
        wrong('order_id', 5, 'invoiced order'),
        wrong('order_id', 5, 'credit exceeds the invoice'),
        wrong('orderline[0].quantity', 0, '>0'),
        wrong('orderline[0].quantity', 3, 'credit exceeds the invoice'),
        wrong('orderline', 1, 'whole order'),
        // If the credit note is invoiced at once, invoicing may refuse it.
        { ...violation('field_empty', { field: 'street' }), resource: 'contact', id: 1004 },
        ...changeStates,
      ],
    },
  }),
  post('/order/deposit', {
    needs: 'USER',
    countsAs: '/order',
    form: DEPOSIT,
    handle: deposit,
    doc: {
      ...WITH_LINES,
      operationId: 'depositOrder',
      summary: 'Make a deposit of an order',
      description:
        'A deposit is an order of the same contact and payer, with one line for each VAT code of the order that it is paid for. ' +
        'The invoice of that order takes an invoiced deposit off, and cancels a deposit that is not yet an invoice. ' +
        'Deposits together never exceed their order. Needs the permission of POST /order.',
      good: 'The deposit with its lines',
      headers: ['ETag', 'Location'],
      errors: [
        ...FROZEN,
        wrong('order_id', 5, NO_TARGET),
        wrong('amount', 0, '>0'),
        wrong('amount', 5000, EXCEEDS_ORDER),
      ],
    },
  }),
  post('/order/{id}/flatrate', {
    needs: 'USER',
    readId: (address) => readPrimaryId(address, 'primary_id_invalid'),
    form: FLAT_RATE,
    handle: addLines,
    doc: {
      ...WITH_LINES,
      operationId: 'addFlatRateToOrder',
      summary: 'Add the lines of a flat rate to an order',
      description:
        'All of them or none; a flat rate that is blocked, archived or empty is refused. Answers the order with its lines.',
      good: 'The order with its lines',
      headers: ['ETag'],
      errors: [
        ...FROZEN,
        wrong('line_kind', 1, 'BPM order'),
        violation('array_empty', { field: 'flatrateline' }),
      ],
    },
  }),
];

async function credit(call: Call): Promise<Answer> {
  const { identity, body } = call;
  return once(call, body, async (session) => {
    const { order_id, orderline, is_invoiced } = CREDIT.read(body);
    const wanted = orderline === null ? undefined : JSON.parse(orderline);
    const made = await addCredit(garageOf(session, identity.owner), order_id, {
      wanted,
      isInvoiced: is_invoiced === 1,
    });
    return addedWithLines(call, made);
  });
}

async function deposit(call: Call): Promise<Answer> {
  const { identity, body } = call;
  return once(call, body, async (session) => {
    const made = await addDeposit(garageOf(session, identity.owner), DEPOSIT.read(body));
    return addedWithLines(call, made);
  });
}

/** 201 with a new order and its lines, as `expand` shows them. */
function addedWithLines(call: Call, { order, lines }: NewOrder): Answer {
  const shown = lines
    .toSorted(bySortOrder)
    .slice(0, MOST_CHILDREN)
    .map(rowOf)
    .map(serializer(OrderLine.resource));
  const json = serializer(Order.resource)(order).slice(0, -1);
  return added(call, Order.resource, order, `${json},"orderline":[${shown.join()}]}`);
}

async function addLines(call: Call): Promise<Answer> {
  const { identity, body } = call;
  const order = Order.resource;
  const id = requireId(call);
  return once(call, body, async (session) => {
    const row = await demandRecord(garageOf(session, identity.owner), order, id);
    refuseState(order, row, {});
    await addFlatRate(garageOf(session, identity.owner), row, FLAT_RATE.read(body).flatrate_id);
    const { row: after, json } = await orderWithLines(garageOf(session, identity.owner), id);
    return successJson(json, 201, { ETag: etag(after) });
  });
}

async function orderWithLines(garage: Garage, id: number) {
  const order = Order.resource;
  const row = (await findRecord(garage, order, id)) ?? {};
  const expand = readExpand(order, 'orderline');
  const json = await recordJson(garage, { resource: order, row, columns: order.columns, expand });
  return { row, json };
}
