// How one operation is described beyond what the table of endpoints says of it.
import type { Violation } from '../../errors.ts';
import { LARGEST_PAGE_SIZE, PAGE_SIZE } from '../../model/list-query.ts';
import type { REQUEST_HEADERS } from './parameters.ts';
import type { SchemaObject } from './schema.ts';

export interface OperationDoc {
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Unique, for generated clients. */
  readonly operationId: string;
  /** Parameters of path and query: what each means; the names are those of the table of endpoints. */
  readonly parameters?: Readonly<Record<string, ParameterDoc>>;
  readonly body?: SchemaObject;
  /** Status of a good answer. */
  readonly status?: number;
  /** What `data` holds, where the answer is `{successCode, data}`. */
  readonly data?: SchemaObject;
  /** The whole answer, where the specification gives it a shape of its own. */
  readonly answer?: SchemaObject;
  /** What a good answer says, in words. */
  readonly good?: string;
  readonly headers?: readonly string[];
  /** Headers that a request may carry; each brings its refusals. */
  readonly requestHeaders?: readonly (keyof typeof REQUEST_HEADERS)[];
  /** An open call that takes the token's header all the same (logout). */
  readonly takesToken?: boolean;
  /** Refusals of its own, as they are sent; those that all operations share are added. */
  readonly errors?: readonly Violation[];
}

export interface ParameterDoc {
  readonly description: string;
  readonly required?: boolean;
  readonly schema?: SchemaObject;
  readonly example?: unknown;
}

export const text: SchemaObject = { type: 'string' };
export const optionalText: SchemaObject = { type: ['string', 'null'] };
export const integer: SchemaObject = { type: 'integer', format: 'int32' };
export const optionalInteger: SchemaObject = { type: ['integer', 'null'] };
export const flag: SchemaObject = { type: 'integer', enum: [0, 1] };
export const instant: SchemaObject = { type: 'string', format: 'date-time' };
export const optionalInstant: SchemaObject = { type: ['string', 'null'], format: 'date-time' };
export const uuid: SchemaObject = { type: 'string', format: 'uuid' };
export const address: SchemaObject = { type: 'string', format: 'uri' };

export const RECORD_ID: ParameterDoc = {
  description: 'Primary ID of the record',
  schema: { ...integer, minimum: 1 },
};

/** Where a list begins and how much of it is answered. */
export const PAGING: Readonly<Record<'page' | 'page_size', ParameterDoc>> = {
  page: { description: 'Page, from 1', schema: { ...integer, minimum: 1 } },
  page_size: {
    description: 'Records a page',
    schema: { ...integer, minimum: 1, maximum: LARGEST_PAGE_SIZE, default: PAGE_SIZE },
  },
};
