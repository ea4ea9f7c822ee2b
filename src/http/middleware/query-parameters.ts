// Reads the query: refuses repeated parameters, then unsupported ones, then values that are not UTF-8.
import { isUtf8 } from 'node:buffer';
import { Problem, problem, violation } from '../../core/errors.ts';
import type { Check } from '../endpoint.ts';

/** The reason of the refusal if `to` is a day before `from`. */
export const ENDS_BEFORE = violation('parameter_invalid', {
  field: 'to',
  reason: 'value must not be before from',
});

const NONE: ReadonlyMap<string, string> = new Map();

export const queryParameters =
  (supported: readonly string[] = []): Check =>
  (ctx, next) => {
    ctx.state.parameters = readParameters(ctx.querystring, supported);
    return next();
  };

/** `ctx.query` would fold repeated parameters into a list, and `__proto__` into nothing. */
function readParameters(querystring: string, supported: readonly string[]): ReadonlyMap<string, string> {
  if (querystring === '') return NONE;
  const parameters = new Map<string, string>();
  const repeated = new Set<string>();
  for (const [name, value] of new URLSearchParams(querystring)) {
    if (parameters.has(name)) repeated.add(name);
    parameters.set(name, value);
  }
  if (repeated.size > 0)
    throw new Problem([...repeated].map((field) => violation('parameter_repeated', { field })));
  const unsupported = [...parameters.keys()].filter((name) => !supported.includes(name));
  if (unsupported.length > 0)
    throw new Problem(unsupported.map((field) => violation('parameter_unsupported', { field })));
  const broken = [...parameters.keys()].filter((name) => parameters.get(name)?.includes(REPLACEMENT));
  if (broken.length > 0 && !isUtf8(bytesOf(querystring)))
    throw new Problem(
      broken.map((field) => violation('parameter_invalid', { field, reason: 'value is not UTF-8' })),
    );
  return parameters;
}

/** URLSearchParams puts this character in the place of bytes that are not UTF-8. So two keys would become one. */
const REPLACEMENT = '\ufffd';

/** The query before its bytes were read as characters. */
const bytesOf = (querystring: string): Buffer =>
  Buffer.from(
    querystring.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );

/** The values of required parameters. Throws Problem with the names of missing and empty ones. */
export function requireParameters(
  parameters: ReadonlyMap<string, string>,
  names: readonly string[],
): string[] {
  const missing = names.filter((name) => !parameters.get(name));
  if (missing.length > 0) throw problem('parameters_required', { fields: missing });
  return names.map((name) => parameters.get(name) ?? '');
}
