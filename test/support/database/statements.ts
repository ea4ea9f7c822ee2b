// Counts the statements that a piece of code sends by the query builder, or that a request sends to the server.
import type { Database, Session } from '../../../src/core/model/statements/session.ts';
import { until } from '../service/until.ts';
import { execute, select } from './sql.ts';

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

/** Other work of the service, such as looking for jobs, may fall into one turn, but not into each. */
const TURNS = 4;
/** A job that still runs renews its lease all the time, and so in each turn. No request does. */
const RENEWAL = /^update `jobs` set `lease_until`/;

/**
 * The statements of a request, as the server's general log has them: of several turns the one with the fewest. The
 * log has the statements of all users of the server, and those that set up a connection.
 */
export async function statementsOfRequest(
  database: Database,
  request: (turn: number) => Promise<unknown>,
): Promise<string[]> {
  const turns: string[][] = [];
  for (let turn = 0; turn < TURNS; turn += 1) turns.push(await logged(database, () => request(turn)));
  return turns.reduce((fewest, one) => (one.length < fewest.length ? one : fewest));
}

/** The last statements of a transaction come in one packet. MariaDB logs them together, MySQL one by one. */
export const statementsIn = (packet: string): string[] =>
  packet.split(/;(?: (?=update `|insert into `|delete from `|SAVEPOINT |COMMIT$)|$)/).filter(Boolean);

async function logged(database: Database, work: () => Promise<unknown>): Promise<string[]> {
  await execute(database, "SET GLOBAL log_output = 'TABLE'");
  await execute(database, 'TRUNCATE TABLE mysql.general_log');
  await execute(database, 'SET GLOBAL general_log = ON');
  try {
    await work();
    // A snapshot ends after its answer.
    await until(async () => database.connections().used === 0);
  } finally {
    await execute(database, 'SET GLOBAL general_log = OFF');
  }
  const rows = await select(
    database,
    "SELECT CONVERT(argument USING utf8mb4) AS statement FROM mysql.general_log WHERE command_type IN ('Query', 'Execute')",
  );
  return rows
    .flatMap(({ statement }) => statementsIn(String(statement)))
    .filter((one) => !one.includes('general_log') && !RENEWAL.test(one));
}
