// The description of one operation, and the schemas and parameters that several descriptions use.
import { type Violation, violation } from '../../core/errors.ts';
import { LARGEST_PAGE_SIZE, PAGE_SIZE } from '../../core/model/lists/list-query.ts';
import type { REQUEST_HEADERS } from './parameters.ts';
import { object, type SchemaObject } from './schema.ts';

export interface OperationDoc {
  /** The first segment of the path, if it is missing. */
  readonly tag?: string;
  readonly summary: string;
  /** What the summary leaves out: what is special, what happens besides, and what comes next. */
  readonly description: string;
  /**
   * Unique without regard to case, `_` and `-`, because generators make functions and files of it. In camelCase, except
   * for the operations that each resource has.
   */
  readonly operationId: string;
  /** The meaning of each parameter of path and query that is no field of the operation's `query`. */
  readonly parameters?: Readonly<Record<string, ParameterDoc>>;
  /** The body, if it is no form. */
  readonly body?: SchemaObject;
  /** The types of the body if it is not JSON. */
  readonly bodyTypes?: readonly string[];
  /** Status of a good answer. */
  readonly status?: number;
  /** The schema of `data`, if the answer is `{successCode, data}`. */
  readonly data?: SchemaObject;
  /** The schema of the whole answer, if it has another shape. */
  readonly answer?: SchemaObject;
  /** Describes the good answer. */
  readonly good?: string;
  /** The schema of `data` in the answer 201, if the operation may also add a record. */
  readonly added?: SchemaObject;
  readonly headers?: readonly string[];
  /** Headers that a request may have; each adds its refusals. A POST has `Idempotency-Key` if this is missing. */
  readonly requestHeaders?: readonly (keyof typeof REQUEST_HEADERS)[];
  /** The operation's own refusals, as they are sent. The refusals of its form, and shared ones, are added. */
  readonly errors?: readonly Violation[];
  /** The calls that the service makes later, by a name of their own. */
  readonly callbacks?: Readonly<Record<string, SchemaObject>>;
}

export type CompleteDoc = OperationDoc & { readonly tag: string };

export interface ParameterDoc {
  readonly description: string;
  readonly required?: boolean;
  readonly schema?: SchemaObject;
  readonly example?: unknown;
  /** Shown only if the parameter is in the path: the test page would send the example of an optional one. */
  readonly exampleInPath?: unknown;
}

export const text: SchemaObject = { type: 'string' };
export const optionalText: SchemaObject = { type: ['string', 'null'] };
export const integer: SchemaObject = { type: 'integer', format: 'int32' };
export const optionalInteger: SchemaObject = { type: ['integer', 'null'] };
export const flag: SchemaObject = { type: 'integer', enum: [0, 1] };
export const instant: SchemaObject = { type: 'string', format: 'date-time' };
export const optionalInstant: SchemaObject = { type: ['string', 'null'], format: 'date-time' };
export const amount: SchemaObject = { type: 'number', format: 'double' };
export const optionalAmount: SchemaObject = { type: ['number', 'null'], format: 'double' };
export const uuid: SchemaObject = { type: 'string', format: 'uuid' };
export const address: SchemaObject = { type: 'string', format: 'uri' };

export const RECORD_ID: ParameterDoc = {
  description: 'Primary ID of the record',
  schema: { ...integer, minimum: 1 },
  exampleInPath: 5,
};

/** A body that may hold the ID of the record, and nothing else. */
export const BODY_WITH_ID = object({ id: integer }, { required: [], additionalProperties: false });

/** The answer with one page of a list. */
export const pageOf = (items: SchemaObject): SchemaObject =>
  object(
    {
      successCode: { type: 'integer', const: 200 },
      data: { type: 'array', items },
      page: { type: ['integer', 'null'], description: 'null if a cursor was used' },
      page_size: integer,
      has_more: { type: 'boolean' },
      next: optionalText,
      total: { type: 'integer', description: 'Only if `count=1` asks for it' },
    },
    { required: ['successCode', 'data', 'page', 'page_size', 'has_more', 'next'] },
  );

/** The refusals of a request whose statements take too long. */
export const TOO_SLOW: readonly Violation[] = [violation('request_too_slow'), violation('request_advice')];

/** The parameters that choose a page of a list. */
export const PAGING: Readonly<Record<'page' | 'page_size', ParameterDoc>> = {
  page: { description: 'Page, from 1', schema: { ...integer, minimum: 1 } },
  page_size: {
    description: 'Records a page',
    schema: { ...integer, minimum: 1, maximum: LARGEST_PAGE_SIZE, default: PAGE_SIZE },
  },
};
