// The table of a drill that measures: a column for each case, a row for each figure.

/** The cells of a column, by the names of the table's rows. */
export type Column = Record<string, string>;

/** As Markdown, for docs/operations.md. */
export function tableOf(columns: readonly Column[]): string[] {
  const names = [...new Set(columns.flatMap((column) => Object.keys(column)))];
  const rows = names.map((name) => [name, ...columns.map((column) => column[name] ?? '')]);
  rows.splice(1, 0, names.length > 0 ? ['---', ...columns.map(() => '---')] : []);
  return rows.map((row) => `| ${row.join(' | ')} |`);
}
