// The body of every refusal. The service sends this shape, and the OpenAPI document shows it. `errors` has an end, since
// a body of 1 MiB can break 100,000 rules.
import { type Violation, violation } from '../errors.ts';

export const MOST_ERRORS = 100;

export function errorBody(violations: readonly Violation[], requestId: string): object {
  const [first] = violations;
  const left = violations.length - MOST_ERRORS;
  const shown = violations.slice(0, MOST_ERRORS);
  if (left > 0) shown.push(violation('more_errors', { count: left }));
  return {
    errorCode: first?.status,
    message: first?.message,
    code: first?.code,
    errors: shown.map(({ code, message, field, value, resource, id }) => {
      return { code, message, field, value, resource, id };
    }),
    request_id: requestId,
  };
}
