// What an endpoint is: a path below /v2 and, for each method, what it takes and who answers. One table of
// them serves, refuses, describes (/authenticate/acces, OpenAPI) and is compared with the docs.
import type { Context } from 'koa';
import type { Identity } from '../auth/token.ts';
import type { Code } from '../errors.ts';
import type { Method } from '../model/record.ts';
import type { Parts } from '../parts.ts';
import type { Answer } from './answer.ts';

/** One request to one endpoint, with all checks before the body done. */
export interface Call {
  readonly parts: Parts;
  readonly ctx: Context;
  readonly identity: Identity;
  /** The ID in the path, as it stands there. */
  readonly pathId?: string;
  readonly parameters: ReadonlyMap<string, string>;
}

export interface Operation {
  /** Query parameters that are supported. */
  readonly parameters?: readonly string[];
  /** A call that needs no token; its `identity` must not be read. */
  readonly open?: boolean;
  /** A GET that does more than tell: there is no HEAD of it, which must do nothing (RFC 9110, 9.2.1). */
  readonly unsafe?: boolean;
  /** What a missing and a dead token are refused with, where that is not `Not authorized`. */
  readonly refusal?: { readonly missing?: Code; readonly dead?: Code };
  readonly handle: (call: Call) => Promise<Answer>;
}

export interface Endpoint {
  /** Below /v2, without an ID: `/order`. */
  readonly path: string;
  /** Whether `/order/5` is `/order?id=5`. */
  readonly byId?: boolean;
  readonly methods: Readonly<Partial<Record<Method, Operation>>>;
}
