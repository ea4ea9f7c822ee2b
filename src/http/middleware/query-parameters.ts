// Reads the query: refuses repeated parameters, then unsupported ones.
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
  return parameters;
}

/** The values of required parameters. Throws Problem with the names of missing and empty ones. */
export function requireParameters(
  parameters: ReadonlyMap<string, string>,
  names: readonly string[],
): string[] {
  const missing = names.filter((name) => !parameters.get(name));
  if (missing.length > 0) throw problem('parameters_required', { fields: missing });
  return names.map((name) => parameters.get(name) ?? '');
}
