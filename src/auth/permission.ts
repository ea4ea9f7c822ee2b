// Which endpoints a token may use: they match a pattern of its key, and the user's role does not forbid them.
import { type Violation, violation } from '../errors.ts';
import { LISTS } from '../trade/lists.ts';

const { ADMIN, READONLY } = LISTS.rolekinds;

/**
 * `GET /order`, `* /contact`, `*`: a method or `*`, and a path as /authenticate/acces lists it, where `*` stands for
 * any text.
 */
export const PATTERN = /^(\*|(GET|POST|PUT|DELETE|\*) \/?[a-z0-9/*_{}-]*)$/;

// Only an ADMIN may use these. A READONLY user may only GET.
const ADMIN_ONLY = new Set([
  'GET /audit',
  'POST /employee',
  'PUT /employee',
  'DELETE /employee',
  'POST /workplace',
  'PUT /workplace',
  'DELETE /workplace',
  'POST /workhour',
  'PUT /workhour',
  'DELETE /workhour',
  'POST /absence',
  'PUT /absence',
  'DELETE /absence',
  'PUT /owner',
  'POST /backup/owner',
  'POST /import',
  'POST /contact/personaldata',
  'PUT /contact/anonymise',
  'DELETE /contact',
  'DELETE /vehicle',
  'GET /webhooksubscription',
  'POST /webhooksubscription',
  'PUT /webhooksubscription',
  'DELETE /webhooksubscription',
  'POST /webhooksubscription/test',
  'GET /webhookdelivery',
  'POST /webhookdelivery/redeliver',
  'GET /vatreturn',
  'GET /vatreturn/lines',
  'GET /icp',
]);

/** A READONLY user may not GET these: they show the debts of every customer. */
const NOT_READONLY = new Set(['GET /debtor']);

/** Whether only an ADMIN may use an endpoint. */
export const isForAdmin = (method: string, path: string): boolean => ADMIN_ONLY.has(`${method} ${path}`);

export type Allow = (method: string, path: string) => boolean;

/** Compiles the patterns of a key. `/authenticate/…` is always allowed. */
export function allowance(patterns: readonly string[]): Allow {
  const rules = patterns.map(
    (pattern) => new RegExp(`^${pattern.replace(/[/{}-]/g, '\\$&').replaceAll('*', '.*')}$`),
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

/**
 * Whether a key with these patterns, as JSON, may read the record of an event by its type, such as `order.updated`. A
 * test has no record.
 */
export function mayReadEvent(patterns: string, type: string): boolean {
  const [resource, action] = type.split('.');
  return action === undefined || allowance(JSON.parse(patterns) as string[])('GET', `/${resource}`);
}

/** Why a token may not use an endpoint; undefined: it may. `path` is the endpoint's, without an ID. */
export function forbidden(allow: Allow, role: number, method: string, path: string): Violation | undefined {
  const endpoint = `${method} ${path}`;
  if (!allow(method, path)) return violation('key_forbids', { endpoint });
  if (role === ADMIN || path.startsWith('/authenticate')) return undefined;
  const isReadonlyRefused = role === READONLY && (method !== 'GET' || NOT_READONLY.has(endpoint));
  const refused = isReadonlyRefused || isForAdmin(method, path);
  return refused ? violation('role_forbids', { endpoint }) : undefined;
}
