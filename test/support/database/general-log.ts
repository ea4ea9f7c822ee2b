// What clients send to the database server, as the server's general log has it.
import type { Session } from '../../../src/core/model/statements/session.ts';
import { execute, select } from './sql.ts';

interface Sent {
  /** The connection. */
  readonly thread: unknown;
  readonly statement: string;
}

/** The statements of all connections while `work` runs, in the order of the log. */
export async function sentDuring(session: Session, work: () => Promise<unknown>): Promise<Sent[]> {
  await execute(session, "SET GLOBAL log_output = 'TABLE'");
  await execute(session, 'TRUNCATE TABLE mysql.general_log');
  await execute(session, 'SET GLOBAL general_log = ON');
  try {
    await work();
  } finally {
    await execute(session, 'SET GLOBAL general_log = OFF');
  }
  const rows = await select(
    session,
    "SELECT thread_id, CONVERT(argument USING utf8mb4) AS packet FROM mysql.general_log WHERE command_type IN ('Query', 'Execute')",
  );
  return rows.flatMap(({ thread_id: thread, packet }) =>
    statementsIn(String(packet)).map((statement) => ({ thread, statement })),
  );
}

/** The last statements of a transaction come in one packet. MariaDB logs them together, MySQL one by one. */
const statementsIn = (packet: string): string[] =>
  packet.split(/;(?: (?=update `|insert into `|delete from `|SAVEPOINT |COMMIT$)|$)/).filter(Boolean);
