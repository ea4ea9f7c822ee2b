// Reads the primary ID of a request from its path, its query or its body.
import { type Code, problem } from '../core/errors.ts';
import { INT4_MAX, isId } from '../core/model/fields/int4.ts';
import type { Address, JsonBody } from './endpoint.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The ID of path or query; `isOne` is false if both have one and they differ. Throws Problem if neither has. */
export function addressedId({ pathId, parameters }: Address): { id: string; isOne: boolean } {
  const queryId = parameters.get('id');
  const id = pathId ?? queryId;
  if (id === undefined) throw problem('primary_id_missing');
  return { id, isOne: queryId === undefined || queryId === id };
}

/** Reads the ID of path or query. Throws Problem: none, two that differ, or (with `code`) no int4 above 0. */
export function readPrimaryId(address: Address, code: Code & `primary_id_${string}`): number {
  const { id, isOne } = addressedId(address);
  if (!/^[1-9]\d{0,9}$/.test(id) || Number(id) > INT4_MAX) throw problem(code);
  if (!isOne) throw problem('primary_id_invalid');
  return Number(id);
}

/** The same for an ID that may also be in the body: undefined if neither path nor query has one. */
export const readOptionalId = (address: Address): number | undefined =>
  hasId(address) ? readPrimaryId(address, 'primary_id_invalid') : undefined;

/**
 * The ID of a PUT in path or query; undefined if the body has it, or if `external_id` addresses the record. Throws
 * Problem if external_id is empty or stands beside an ID.
 */
export function readIdOrKey(address: Address): number | undefined {
  const key = address.parameters.get('external_id');
  if (key === '' || (key !== undefined && hasId(address))) throw problem('primary_id_invalid');
  return readOptionalId(address);
}

const hasId = ({ pathId, parameters }: Address) => pathId !== undefined || parameters.has('id');

/** The ID that `readId` found. Throws Problem if it found none. */
export function requireId({ id }: { readonly id?: number }): number {
  if (id === undefined) throw problem('primary_id_missing');
  return id;
}

/** The ID of a PUT: of its address, or of its body. Throws Problem if both have one and they differ. */
export function bodyId(body: JsonBody, addressed: number | undefined): number {
  const { id } = body;
  if (id === undefined || id === null) return requireId({ id: addressed });
  if (!isId(id) || (addressed !== undefined && addressed !== id)) throw problem('primary_id_invalid');
  return id;
}

/** Reads a UUID, in lower case. Throws Problem if the text is no UUID. */
export function readUuid(id: string): string {
  if (!UUID.test(id)) throw problem('primary_id_malformed');
  return id.toLowerCase();
}
