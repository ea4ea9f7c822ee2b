// What a token may use: its key lists endpoints by pattern, its user's role takes away from that.
import { type Violation, violation } from '../errors.ts';
import { LISTS } from '../trade/lists.ts';

const { ADMIN, READONLY } = LISTS.rolekinds;

/** `GET /order`, `* /contact`, `*`: a method or star, a path in which `*` stands for anything. */
export const PATTERN = /^(\*|(GET|POST|PUT|DELETE|\*) \/?[a-z0-9/*_-]*)$/;

// What only an ADMIN may do, beside which a READONLY user may GET only.
const ADMIN_ONLY = new Set([
  'POST /employee',
  'PUT /employee',
  'DELETE /employee',
  'PUT /owner',
  'POST /backup/owner',
  'DELETE /contact',
  'DELETE /vehicle',
]);

export type Allow = (method: string, path: string) => boolean;

/** Compiles a key's patterns. `/authenticate/…` is always allowed. */
export function allowance(patterns: readonly string[]): Allow {
  const rules = patterns.map(
    (pattern) => new RegExp(`^${pattern.replace(/[/-]/g, '\\$&').replaceAll('*', '.*')}$`),
  );
  const decided = new Map<string, boolean>();
  return (method, path) => {
    const endpoint = `${method} ${path}`;
    let allowed = decided.get(endpoint);
    if (allowed === undefined) {
      allowed = path.startsWith('/authenticate') || rules.some((rule) => rule.test(endpoint));
      decided.set(endpoint, allowed);
    }
    return allowed;
  };
}

/** Why a token may not use an endpoint, if so. `path` is that of the endpoint, without an ID. */
export function forbidden(allow: Allow, role: number, method: string, path: string): Violation | undefined {
  const endpoint = `${method} ${path}`;
  if (!allow(method, path)) return violation('key_forbids', { endpoint });
  if (role === ADMIN || path.startsWith('/authenticate')) return undefined;
  const refused = (role === READONLY && method !== 'GET') || ADMIN_ONLY.has(endpoint);
  return refused ? violation('role_forbids', { endpoint }) : undefined;
}
