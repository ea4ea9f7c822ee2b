// The body of every refusal. The service sends this shape, and the OpenAPI document shows it.
import type { Violation } from '../errors.ts';

export function errorBody(violations: readonly Violation[], requestId: string): object {
  const [first] = violations;
  return {
    errorCode: first?.status,
    message: first?.message,
    code: first?.code,
    errors: violations.map(({ code, message, field, value }) => ({ code, message, field, value })),
    request_id: requestId,
  };
}
