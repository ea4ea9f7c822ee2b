// Which columns have an index of their own, behind the owner: read from the database once, for the lists that it
// answers well only when it is told.
import type { Session } from './session.ts';

const names = new Map<string, string>();

export async function learnIndexes(session: Session): Promise<void> {
  const rows = await session.rows(
    'SELECT table_name AS of_table, index_name AS name, GROUP_CONCAT(column_name ORDER BY seq_in_index) AS columns_in ' +
      'FROM information_schema.statistics WHERE table_schema = DATABASE() GROUP BY table_name, index_name',
    [],
  );
  for (const { of_table, name, columns_in } of rows) {
    const [owner, ...columns] = String(columns_in).split(',');
    if (owner === 'owner_id') names.set(key(String(of_table), columns), String(name));
  }
}

/** The name of the index of the owner and these columns, in this order; undefined where there is none. */
export const indexOf = (table: string, ...columns: string[]): string | undefined =>
  names.get(key(table, columns));

const key = (table: string, columns: readonly string[]) => `${table}.${columns}`;
