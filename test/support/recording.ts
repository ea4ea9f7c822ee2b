// Which statements something asks of the database, while the database answers them.
import type { Stored } from '../../src/model/field.ts';
import type { Session } from '../../src/model/session.ts';

export interface Recording {
  readonly session: Session;
  /** The SELECTs that were asked so far. */
  readonly statements: readonly (readonly [sql: string, values: readonly Stored[]])[];
}

export function recording(of: Session): Recording {
  const statements: [string, readonly Stored[]][] = [];
  const rows: Session['rows'] = (sql, values) => {
    statements.push([sql, values]);
    return of.rows(sql, values);
  };
  return { session: { ...of, rows }, statements };
}
