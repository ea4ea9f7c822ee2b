// The body of every refusal; one shape, written here for those who send it and for those who describe it.
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
