// Pieces of SQL for the plan. Columns and values are bound.
import { type Raw, raw } from 'objection';

/**
 * The latest earlier value of a column: among the rows with the same value of `within` that come before this row in the
 * order of `by`.
 */
export const latestBefore = (column: string, within: string, by: string, name: string): Raw =>
  raw(
    'MAX(??) OVER (PARTITION BY ?? ORDER BY ??, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS ??',
    [column, within, by, name],
  );
