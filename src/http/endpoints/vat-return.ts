// GET /vatreturn, GET /vatreturn/lines and GET /icp: what an accountant sends to the tax office, from the invoices of a
// period.
import { readIcp } from '../../books/icp.ts';
import { type Books, type Days, openBooks } from '../../books/period.ts';
import { readVatLines } from '../../books/vat-lines.ts';
import { MARGINS, noBeginning, noEnd, readVatReturn, refuseParts } from '../../books/vat-return.ts';
import { WARNINGS } from '../../books/vat-warning.ts';
import { type Violation, violation } from '../../errors.ts';
import { collected, refuse } from '../../model/check.ts';
import { day } from '../../model/field.ts';
import { form } from '../../model/form.ts';
import { garageOf } from '../../model/garage.ts';
import { readCount, readPaging } from '../../model/list-query.ts';
import { BOXES, type Box } from '../../trade/vat-box.ts';
import { type Answer, success } from '../answer.ts';
import type { Call, Endpoint } from '../endpoint.ts';
import { ENDS_BEFORE, requireParameters } from '../middleware/query-parameters.ts';
import {
  instant,
  integer,
  type OperationDoc,
  optionalText,
  PAGING,
  type ParameterDoc,
  text,
} from '../openapi/operation.ts';
import { object, type SchemaObject } from '../openapi/schema.ts';
import { reading } from '../reading.ts';

const TAG = 'books';
const PERIOD = ['from', 'to'];
const DAYS = form('period', { from: day({ required: true }), to: day({ required: true }) });

export const vatReturnEndpoints: Endpoint[] = [
  {
    path: '/vatreturn',
    methods: { GET: { needs: 'ADMIN', parameters: PERIOD, handle: vatReturn, doc: vatReturnDoc } },
  },
  {
    path: '/vatreturn/lines',
    methods: {
      GET: {
        needs: 'ADMIN',
        parameters: ['box', ...PERIOD, 'page', 'page_size', 'cursor', 'count'],
        handle: vatLines,
        doc: vatLinesDoc,
      },
    },
  },
  { path: '/icp', methods: { GET: { needs: 'ADMIN', parameters: PERIOD, handle: icp, doc: icpDoc } } },
];

const readDays = ({ parameters }: Call): Days => {
  const [from = '', to = ''] = requireParameters(parameters, PERIOD);
  DAYS.read({ from, to });
  refuse(Object.entries({ from, to }).flatMap(([field, value]) => unlessDay(field, value)));
  refuse(from <= to ? [] : [ENDS_BEFORE]);
  return { from, to };
};

/** An instant is no day. */
export const unlessDay = (field: string, value: string): Violation[] =>
  /^\d{4}-\d\d-\d\d$/.test(value) ? [] : [notADay(field, value)];

export const notADay = (field: string, value: string): Violation =>
  violation('value_wrong_type', { field, value, datatype: 'timestamp(ISO 8601)' });

/** Reads the books of the period from one snapshot. */
const inBooks = <T>(call: Call, days: Days, read: (books: Books) => Promise<T>): Promise<T> =>
  reading(call, true, async (session) => read(await openBooks(garageOf(session, call.identity.owner), days)));

async function vatReturn(call: Call): Promise<Answer> {
  return success(await inBooks(call, readDays(call), readVatReturn));
}

async function icp(call: Call): Promise<Answer> {
  return success(await inBooks(call, readDays(call), readIcp));
}

async function vatLines(call: Call): Promise<Answer> {
  const { parameters } = call;
  const [box = ''] = requireParameters(parameters, ['box', ...PERIOD]);
  const { days, paging, count } = collected({
    box: () => refuse(BOXES.some((one) => one === box) ? [] : [unknownBox(box)]),
    days: () => readDays(call),
    paging: () => readPaging(parameters),
    count: () => readCount(parameters.get('count')),
  });
  const asked = { ...paging, count, box: box as Box };
  const found = await inBooks(call, days, (books) => {
    refuseParts(books);
    return readVatLines(books, asked);
  });
  const { lines, hasMore, next, total } = found;
  return {
    status: 200,
    body: JSON.stringify({
      successCode: 200,
      data: lines,
      page: paging.cursor === undefined ? (paging.page ?? 1) : null,
      page_size: paging.pageSize,
      has_more: hasMore,
      next,
      ...(count && { total }),
    }),
  };
}

const unknownBox = (value: string): Violation =>
  violation('value_invalid', { field: 'box', value, validation: 'boxes' });

const amount: SchemaObject = { type: 'number', format: 'double' };
const optionalAmount: SchemaObject = { type: ['number', 'null'], format: 'double' };
const dayOf = (description: string): ParameterDoc => ({
  description,
  required: true,
  schema: { type: 'string', format: 'date' },
  example: '2026-01-01',
});
const DAY_PARAMETERS = {
  from: dayOf('The first day, on the calendar of the garage'),
  to: { ...dayOf('The last day'), example: '2026-03-31' },
};
const DAY_ERRORS = (path: string): Violation[] => [
  violation('parameters_required', { fields: ['from', 'to'] }),
  notADay('from', '2026-02-30'),
  ENDS_BEFORE,
  violation('role_forbids', { endpoint: `GET ${path}` }),
  violation('request_too_slow'),
  violation('request_advice'),
];
const PART_ERRORS: readonly Violation[] = [
  noBeginning('QUARTER'),
  noEnd('QUARTER'),
  { ...violation('field_empty', { field: 'vat_period' }), resource: 'owner', id: 1 },
];

function vatReturnDoc(): OperationDoc {
  return {
    tag: TAG,
    operationId: 'readVatReturn',
    summary: 'The Dutch VAT return of a period',
    description:
      'For an ADMIN. The amount of each box, in euros, from the invoices of the period. 5a adds up the boxes before it, and 5b is ' +
      'the VAT that the garage deducts. Boxes 1c, 1d and 3c are 0. `margin_method` of the garage says how `margin` is counted; it is ' +
      'required once a line is under the margin scheme. With GLOBAL the days must be whole periods of the `vat_period`; ' +
      '`value` in `errors` of the refusal names it: `MONTH`, `QUARTER` or `YEAR`. ' +
      '`sales` and `purchases` then add up the period, `margin` is their difference before `carried_in` is taken off, and ' +
      '`carried_out` is a loss. With INDIVIDUAL `margin` adds up only the vehicles that were sold for more than they cost.',
    parameters: DAY_PARAMETERS,
    data: object({
      ...Object.fromEntries(BOXES.map((box) => [box, object({ base: amount, vat: amount })])),
      margin: object(Object.fromEntries(MARGINS.map((name) => [name, amount]))),
      warnings: {
        type: 'array',
        items: object({ code: { ...text, enum: WARNINGS }, message: text }),
      },
    }),
    errors: [
      ...DAY_ERRORS('/vatreturn'),
      ...PART_ERRORS,
      { ...violation('field_empty', { field: 'margin_method' }), resource: 'owner', id: 1 },
    ],
  };
}

function vatLinesDoc(): OperationDoc {
  return {
    tag: TAG,
    operationId: 'listVatLines',
    summary: 'The invoice lines behind a box of the VAT return',
    description:
      'For an ADMIN. By the date of the invoice. Base and VAT of the lines add up to the box. If the garage counts margins over ' +
      'periods, no single line has a margin: `base` and `vat` are null.',
    parameters: {
      box: { description: `Out of ${BOXES.join(', ')}`, required: true, example: '1a' },
      ...DAY_PARAMETERS,
      ...PAGING,
      cursor: { description: '`next` of the page before. Not together with `page`' },
      count: {
        description: '1: `total` tells how many lines there are in all',
        schema: { type: 'integer', enum: [0, 1] },
      },
    },
    answer: object(
      {
        successCode: { type: 'integer', const: 200 },
        data: {
          type: 'array',
          items: object({
            id: { ...integer, description: 'ID of the line' },
            order_id: integer,
            invoice_number: optionalText,
            invoice_date: instant,
            contact_id: { ...integer, description: 'The payer' },
            line_kind: integer,
            vat_code: integer,
            description: text,
            line_net: { ...amount, description: 'As on the invoice' },
            base: optionalAmount,
            vat: optionalAmount,
          }),
        },
        page: { type: ['integer', 'null'], description: 'null if a cursor was used' },
        page_size: integer,
        has_more: { type: 'boolean' },
        next: optionalText,
        total: { type: 'integer', description: 'Only if `count=1` asks for it' },
      },
      { required: ['successCode', 'data', 'page', 'page_size', 'has_more', 'next'] },
    ),
    good: 'One page of lines',
    errors: [
      ...DAY_ERRORS('/vatreturn/lines'),
      ...PART_ERRORS,
      unknownBox('9z'),
      violation('parameter_invalid', { field: 'page', reason: 'value must be greater than 0' }),
    ],
  };
}

function icpDoc(): OperationDoc {
  return {
    tag: TAG,
    operationId: 'listSuppliesToEu',
    summary: 'Supplies to businesses in other EU countries, by buyer (ICP)',
    description:
      'For an ADMIN. Buyers with the same VAT number are one entry. LABOUR lines are services, all others are goods. The sum equals box 3b.',
    parameters: DAY_PARAMETERS,
    data: {
      type: 'array',
      items: object({
        country_code: { ...text, description: 'The beginning of the VAT number' },
        vat_number: { ...optionalText, description: 'null if the invoice keeps none' },
        goods: amount,
        services: amount,
      }),
    },
    errors: DAY_ERRORS('/icp'),
  };
}
