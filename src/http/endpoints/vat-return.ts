// GET /vatreturn, GET /vatreturn/lines and GET /icp: what an accountant sends to the tax office, from the invoices of a
// period.
import { readIcp } from '../../business/books/icp.ts';
import { type Books, type Days, openBooks } from '../../business/books/period.ts';
import { readVatLines } from '../../business/books/vat-lines.ts';
import {
  MARGINS,
  noBeginning,
  noEnd,
  readVatReturn,
  refuseParts,
  YEAR_MARGINS,
} from '../../business/books/vat-return.ts';
import { WARNINGS } from '../../business/books/vat-warning.ts';
import { completeBooks } from '../../business/invoicing/invoice/book-date.ts';
import { type Violation, violation } from '../../core/errors.ts';
import { collected, refuse } from '../../core/model/bodies/check.ts';
import { day } from '../../core/model/fields/field.ts';
import { readCount, readPaging } from '../../core/model/lists/list-query.ts';
import { garageOf } from '../../core/model/statements/garage.ts';
import { utcDay } from '../../core/trade/time/timestamp.ts';
import { BOXES, BOXES_BY_HAND, type Box } from '../../core/trade/vat-box.ts';
import { type Answer, success } from '../answer.ts';
import { type Call, type Endpoint, get } from '../endpoint.ts';
import { ENDS_BEFORE, requireParameters } from '../middleware/query-parameters.ts';
import {
  amount,
  instant,
  integer,
  type OperationDoc,
  optionalAmount,
  optionalText,
  PAGING,
  pageOf,
  TOO_SLOW,
  text,
} from '../openapi/operation.ts';
import { list, object } from '../openapi/schema.ts';
import { anyText, query } from '../query.ts';
import { reading } from '../reading.ts';

const DAYS = query({
  from: day({
    required: true,
    description: 'The first day, on the calendar of the garage',
    example: '2026-01-01',
  }),
  to: day({ required: true, description: 'The last day', example: '2026-03-31' }),
});
const BOX = query({
  box: anyText({
    required: true,
    description: `Out of ${BOXES.join(', ')}`,
    example: '1a',
    validation: { name: 'boxes', normalise: (name) => BOXES.find((box) => box === name) },
  }),
});

export const vatReturnEndpoints: Endpoint[] = [
  inBooks('/vatreturn', readVatReturn, () => ({
    operationId: 'readVatReturn',
    summary: 'The Dutch VAT return of a period',
    description:
      'For an ADMIN. The amount of each box, in euros, from the invoices of the period. 5a adds up the boxes before it, and 5b is ' +
      `the VAT that the garage deducts. Boxes ${BOXES_BY_HAND.join(', ')} are 0. ` +
      '`margin_method` of the garage says how `margin` is counted; it is ' +
      'required once a line is under the margin scheme. With GLOBAL the days must be whole periods of the `vat_period`; ' +
      '`value` in `errors` of the refusal names it: `MONTH`, `QUARTER` or `YEAR`. ' +
      '`sales` and `purchases` then add up the period, `margin` is their difference before `carried_in` is taken off, and ' +
      '`carried_out` is a loss. With INDIVIDUAL `margin` adds up only the vehicles that were sold for more than they cost. ' +
      'The settings of each day are those of `vatregime`. The answer for a calendar year has the margin and the VAT of the year, ' +
      'and `settlement`: what the last return of the year takes back, because its periods declared more. It is in no box. The ' +
      'answer for the last period of a year has `settlement` too. The last period of a year carries out the loss of the year.',
    data: object({
      ...Object.fromEntries(BOXES.map((box) => [box, object({ base: amount, vat: amount })])),
      margin: object(Object.fromEntries([...MARGINS, ...YEAR_MARGINS].map((name) => [name, amount])), {
        required: [...MARGINS],
      }),
      warnings: list({ code: { ...text, enum: WARNINGS }, message: text }),
    }),
    errors: [...PART_ERRORS, { ...violation('field_empty', { field: 'margin_method' }), ...OF_OWNER }],
  })),
  get('/vatreturn/lines', {
    needs: 'ADMIN',
    parameters: [...BOX.names, ...DAYS.names, 'page', 'page_size', 'cursor', 'count'],
    handle: vatLines,
    doc: () => ({
      tag: 'books',
      operationId: 'listVatLines',
      summary: 'The invoice lines behind a box of the VAT return',
      description:
        'For an ADMIN. By the book_date of the invoice. Base and VAT of the lines add up to the box. If the garage counts margins over ' +
        'periods (GLOBAL), no single line has a margin with VAT: `base` and `vat` are null, and `margin` adds up to the `margin.margin` of ' +
        'the return; sales are above 0, purchases and trade-ins below 0. Then 1a is the sum of the other lines, and of the VAT of the ' +
        'margin and the taxed margin without it. A car that leaves the margin, because it was sold with VAT, is a row of its own: the ' +
        'line of its acquisition with the sign turned round, on the book_date of the sale.',
      parameters: {
        ...BOX.shown,
        ...DAYS.shown,
        ...PAGING,
        cursor: { description: '`next` of the page before. Not together with `page`' },
        count: {
          description: '1: `total` tells how many lines there are in all',
          schema: { type: 'integer', enum: [0, 1] },
        },
      },
      answer: pageOf(
        object({
          id: { ...integer, description: 'ID of the line' },
          order_id: integer,
          invoice_number: optionalText,
          invoice_date: instant,
          book_date: instant,
          contact_id: { ...integer, description: 'The payer' },
          line_kind: integer,
          vat_code: integer,
          description: text,
          line_net: { ...amount, description: 'As on the invoice' },
          base: optionalAmount,
          vat: optionalAmount,
          margin: { ...optionalAmount, description: 'Under GLOBAL. VAT included' },
        }),
      ),
      good: 'One page of lines',
      errors: [
        violation('parameters_required', { fields: DAYS.names }),
        ...errorsOf('/vatreturn/lines'),
        ...PART_ERRORS,
        violation('value_invalid', { field: 'box', value: '9z', validation: 'boxes' }),
        violation('parameter_invalid', { field: 'page', reason: 'value must be greater than 0' }),
      ],
    }),
  }),
  inBooks('/icp', readIcp, () => ({
    operationId: 'listSuppliesToEu',
    summary: 'Supplies to businesses in other EU countries, by buyer (ICP)',
    description:
      'For an ADMIN. Buyers with the same VAT number are one entry. LABOUR lines are services, all others are goods. The sum equals box 3b.',
    data: list({
      country_code: { ...text, description: 'The beginning of the VAT number' },
      vat_number: { ...optionalText, description: 'null if the invoice keeps none' },
      number: {
        ...optionalText,
        description: 'The VAT number without country_code, as the form asks for it',
      },
      goods: amount,
      services: amount,
    }),
  })),
];

/** Answers what `read` finds in the books of the period. */
function inBooks(
  path: string,
  read: (books: Books) => Promise<unknown>,
  doc: () => Omit<OperationDoc, 'tag'>,
): Endpoint {
  return get(path, {
    needs: 'ADMIN',
    query: DAYS,
    handle: async (call) => success(await readBooks(call, readDays(call), read)),
    doc: () => {
      const { errors = [], ...own } = doc();
      return { ...own, tag: 'books', errors: [...errorsOf(path), ...errors] };
    },
  });
}

function readDays({ parameters }: Call): Days {
  const read = DAYS.read(parameters);
  const [from, to] = [utcDay(read.from), utcDay(read.to)];
  refuse(from <= to ? [] : [ENDS_BEFORE]);
  return { from, to };
}

/** Reads the books of the period from one snapshot; without `days`, of today. */
export async function readBooks<T>(
  call: Call,
  days: Days | undefined,
  read: (books: Books) => Promise<T>,
): Promise<T> {
  const { services, identity } = call;
  await completeBooks(services.database, identity.owner);
  return reading(call, true, async (session) =>
    read(await openBooks(garageOf(session, identity.owner), days)),
  );
}

async function vatLines(call: Call): Promise<Answer> {
  const { parameters } = call;
  requireParameters(parameters, [...BOX.names, ...DAYS.names]);
  const { box, days, paging, count } = collected({
    box: () => BOX.read(parameters).box as Box,
    days: () => readDays(call),
    paging: () => readPaging(parameters),
    count: () => readCount(parameters.get('count')),
  });
  const found = await readBooks(call, days, (books) => {
    refuseParts(books);
    return readVatLines(books, { ...paging, count, box });
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

const OF_OWNER = { resource: 'owner', id: 1 };
const PART_ERRORS: readonly Violation[] = [
  noBeginning('QUARTER'),
  noEnd('QUARTER'),
  { ...violation('field_empty', { field: 'vat_period' }), ...OF_OWNER },
];

/** The refusals of each list of a period. */
const errorsOf = (path: string): Violation[] => [
  notADay('from', '2026-02-30'),
  ENDS_BEFORE,
  violation('role_forbids', { endpoint: `GET ${path}` }),
  ...TOO_SLOW,
];

export const notADay = (field: string, value: string): Violation =>
  violation('value_wrong_type', { field, value, datatype: 'timestamp(ISO 8601)' });
