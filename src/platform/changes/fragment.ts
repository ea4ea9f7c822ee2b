// Pieces of SQL for the log of changes, each by name. Columns and values are bound.
import { type Raw, raw } from 'objection';

/** The number of a column plus one; 1 if the column is empty. */
export const numberAfter = (column: string): Raw => raw('COALESCE(??, 0) + 1', [column]);
/** Numbers as the rows of a table `given`, with the column `id`. */
export const givenIds = (ids: readonly number[]): Raw =>
  raw("JSON_TABLE(?, '$[*]' COLUMNS (id BIGINT PATH '$')) AS given", [JSON.stringify(ids)]);
