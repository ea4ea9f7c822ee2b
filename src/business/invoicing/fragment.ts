// Pieces of SQL for amounts of orders, each by name. Columns and values are bound.
import { type Raw, type RawBuilder, raw } from 'objection';

/** An empty column. */
export const nothing = (name: string): Raw => raw('NULL AS ??', [name]);

/** Whether two instants are at most that many seconds apart. */
export const within = (one: string, other: string, seconds: number): RawBuilder =>
  raw('ABS(TIMESTAMPDIFF(SECOND, ??, ??)) <= ?', [one, other, seconds]);

/** The sum of a column over the rows in which another column has that value; 0 if there are no such rows. */
export const sumWhere = (column: string, where: string, value: number, name: string): Raw =>
  raw('COALESCE(SUM(CASE WHEN ?? = ? THEN ?? END), 0) AS ??', [where, value, column, name]);

export const sumOfColumns = (columns: readonly string[]): Raw =>
  raw(columns.map(() => '??').join(' + '), [...columns]);

/** The highest value of a column in the rows in which another column has that value; 0 if there are no such rows. */
export const highestWhere = (column: string, where: string, value: number, name: string): Raw =>
  raw('COALESCE(MAX(CASE WHEN ?? = ? THEN ?? END), 0) AS ??', [where, value, column, name]);

/** A percentage of an amount, rounded to the cent, half away from zero. */
export const percentOf = (column: string, percentage: string): Raw =>
  raw('ROUND(?? * ?? / 100, 2)', [column, percentage]);

/** A column less another one, which counts as 0 if it is empty. */
export const less = (column: string, other: string): Raw => raw('?? - COALESCE(??, 0)', [column, other]);
