// Counts the statements that a piece of code sends by the query builder.
import type { Session } from '../../src/model/session.ts';

interface Statement {
  readonly sql: string;
  readonly bindings: readonly string[];
}

/** The statements that `work` runs outside transactions, and those that others run in the database meanwhile. */
export async function statementsOf({ knex }: Session, work: () => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = [];
  const record = (statement: Statement) => void statements.push(statement);
  knex.on('query', record);
  try {
    await work();
  } finally {
    knex.removeListener('query', record);
  }
  return statements;
}
