// Records the prepared statements that a piece of code runs, while the database answers them.
import type { Stored } from '../../../src/core/model/fields/field.ts';
import type { Session } from '../../../src/core/model/statements/session.ts';

interface Recording {
  readonly session: Session;
  /** The prepared statements so far. */
  readonly statements: readonly (readonly [sql: string, values: readonly Stored[]])[];
}

export function recording(of: Session): Recording {
  const statements: [string, readonly Stored[]][] = [];
  const execute: Session['execute'] = (sql, values) => {
    statements.push([sql, values]);
    return of.execute(sql, values);
  };
  return { session: { ...of, execute }, statements };
}
