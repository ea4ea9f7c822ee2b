// Remembers every kind of answer of all tests in a run. At the end all must match the OpenAPI document.
import { Description, type OpenApi } from './description.ts';

interface Seen {
  readonly method: string;
  readonly path: string;
  /** `/order?id=5` is `/order/5`. */
  readonly id: string | null;
  readonly status: number;
  readonly body: unknown;
}

const seen = new Map<string, Seen>();
// Refusals of requests that are no operation of the document.
const NOWHERE = ['endpoint_invalid', 'method_unsupported'];

export function witness(
  method: string,
  url: string,
  { status, body }: { status: number; body: unknown },
): void {
  const [, path, query] = /\/v2(\/[^?]*)(.*)/.exec(url) ?? [];
  const codes = ((body as { errors?: { code: string }[] })?.errors ?? []).map(({ code }) => code);
  if (path === undefined || path === '/openapi.json' || ['HEAD', 'OPTIONS'].includes(method)) return;
  if (codes.some((code) => NOWHERE.includes(code))) return;
  const kind = `${method} ${path.replaceAll(/\d+/g, '0')} ${/\bid=/.test(query ?? '')} ${status} ${[...new Set(codes)].sort()}`;
  if (!seen.has(kind))
    seen.set(kind, { method, path, id: new URLSearchParams(query).get('id'), status, body });
}

/** Throws if an answer of the run differs from its description. */
export function holdAgainst(document: OpenApi): void {
  const description = new Description(document);
  const wrong = [...seen.values()].flatMap(({ method, path, id, status, body }) => {
    const described =
      (id && description.find(method, `${path}/${id}`)) ||
      (description.find(method, path) ?? description.find(method, `${path}/0`));
    return described
      ? description.wrongAnswer(described, status, body)
      : [`${method} ${path} answered ${status} and is not described`];
  });
  if (wrong.length > 0) throw new Error(`Not as described:\n${[...new Set(wrong)].join('\n')}`);
}
