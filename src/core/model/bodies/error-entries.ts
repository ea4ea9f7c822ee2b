// The entries of `errors`, as refusals and the reports of imports show them. They have an end, since a body of 1 MiB
// can break 100,000 rules.
import { type Violation, violation } from '../../errors.ts';

export const MOST_ERRORS = 100;

/** At most 100 entries, and then one with the number of the others. */
export function errorEntries(violations: readonly Violation[]): Omit<Violation, 'status'>[] {
  const shown = violations.slice(0, MOST_ERRORS);
  const left = violations.slice(MOST_ERRORS).reduce((sum, { count = 1 }) => sum + count, 0);
  if (left > 0) shown.push(violation('more_errors', { count: left }));
  return shown.map(({ code, message, field, value, resource, id }) => {
    return { code, message, field, value, resource, id };
  });
}
