// Which endpoints a token may use: they match a pattern of its key, and the user's role is what the operation needs.
import { type Violation, violation } from '../../core/errors.ts';
import type { Role } from '../../core/model/records/record.ts';
import { LISTS } from '../../core/trade/lists.ts';

/**
 * `GET /order`, `* /contact`, `*`: a method or `*`, and a path as /authenticate/acces lists it, where `*` stands for
 * any text.
 */
export const PATTERN = /^(\*|(GET|POST|PUT|DELETE|\*) \/?[a-z0-9/*_{}-]*)$/;

/**
 * The least that a caller needs for an operation. `nothing`: not even a token. `token`: a token, whatever its key and
 * its user. A role: a user with this role or a higher one, and a key that allows the endpoint.
 */
export type Need = 'nothing' | 'token' | Role;

/** Whether the patterns of the key and the role of the user decide. */
export const isUpToKey = (needs: Need): needs is Role => needs !== 'nothing' && needs !== 'token';

export type Allow = (method: string, path: string) => boolean;

/** Compiles the patterns of a key. */
export function allowance(patterns: readonly string[]): Allow {
  const rules = patterns.map(
    (pattern) => new RegExp(`^${pattern.replace(/[/{}-]/g, '\\$&').replaceAll('*', '.*')}$`),
  );
  const decided = new Map<string, boolean>();
  return (method, path) => {
    const endpoint = `${method} ${path}`;
    let allowed = decided.get(endpoint);
    if (allowed === undefined) {
      allowed = rules.some((rule) => rule.test(endpoint));
      decided.set(endpoint, allowed);
    }
    return allowed;
  };
}

/**
 * Whether a key with these patterns, as JSON, may read the record of an event by its type, such as `order.updated`. A
 * test has no record.
 */
export function mayReadEvent(patterns: string, type: string): boolean {
  const [resource, action] = type.split('.');
  return action === undefined || allowance(JSON.parse(patterns) as string[])('GET', `/${resource}`);
}

/** Why a caller may not use an operation; undefined: the caller may. `path` is the endpoint's, without an ID. */
export function forbidden(
  { allow, role }: { readonly allow: Allow; readonly role: number },
  needs: Need,
  method: string,
  path: string,
): Violation | undefined {
  if (!isUpToKey(needs)) return undefined;
  const endpoint = `${method} ${path}`;
  if (!allow(method, path)) return violation('key_forbids', { endpoint });
  // The list has the higher roles first.
  return role <= LISTS.rolekinds[needs] ? undefined : violation('role_forbids', { endpoint });
}
