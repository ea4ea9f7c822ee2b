// The statements of one transaction, as the general log of the server has them.
import type { Session } from '../../../src/core/model/statements/session.ts';
import { execute, select } from './sql.ts';
import { statementsIn } from './statements.ts';

/** The end of another transaction, or the first words on a connection. */
const BEFORE = /^(COMMIT|ROLLBACK|SET )/i;
/** Every transaction that changes records logs its changes. */
const APPEND = /^insert into `change_outbox`/;

/**
 * The statements of the transaction in which `work` changes records, COMMIT included, from the general log of the
 * server. Nobody else changes records meanwhile.
 */
export async function transactionOf(session: Session, work: () => Promise<unknown>): Promise<string[]> {
  await execute(session, "SET GLOBAL log_output = 'TABLE'");
  await execute(session, 'TRUNCATE mysql.general_log');
  await execute(session, 'SET GLOBAL general_log = ON');
  try {
    await work();
  } finally {
    await execute(session, 'SET GLOBAL general_log = OFF');
  }
  const logged = await select(
    session,
    "SELECT thread_id, CONVERT(argument USING utf8mb4) AS argument FROM mysql.general_log WHERE command_type IN ('Query', 'Execute')",
  );
  const sent = logged.flatMap(({ thread_id, argument }) =>
    statementsIn(String(argument)).map((statement) => ({ thread_id, statement })),
  );
  const { thread_id } = sent.find(({ statement }) => APPEND.test(statement)) ?? {};
  const all = sent.filter((one) => one.thread_id === thread_id).map(({ statement }) => statement);
  const end = all.findIndex((sql) => APPEND.test(sql)) + 1;
  const begin = all.slice(0, end).findLastIndex((sql) => BEFORE.test(sql)) + 1;
  return all.slice(begin, all.findIndex((sql, index) => index >= end && sql === 'COMMIT') + 1);
}
