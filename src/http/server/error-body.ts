// The body of every refusal. The service sends this shape, and the OpenAPI document shows it.
import type { Violation } from '../../core/errors.ts';
import { errorEntries } from '../../core/model/bodies/error-entries.ts';

export function errorBody(violations: readonly Violation[], requestId: string): object {
  const [first] = violations;
  return {
    errorCode: first?.status,
    message: first?.message,
    code: first?.code,
    errors: errorEntries(violations),
    request_id: requestId,
  };
}
