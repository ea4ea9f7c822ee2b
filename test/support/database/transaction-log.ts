// The statements of one transaction, as the general log of the server has them.
import type { Session } from '../../../src/core/model/statements/session.ts';
import { sentDuring } from './general-log.ts';

/** The end of another transaction, or the first words on a connection. */
const BEFORE = /^(COMMIT|ROLLBACK|SET )/i;
/** Every transaction that changes records logs its changes. */
const APPEND = /^insert into `change_outbox`/;

/**
 * The statements of the transaction in which `work` changes records, COMMIT included, from the general log of the
 * server. Nobody else changes records meanwhile.
 */
export async function transactionOf(session: Session, work: () => Promise<unknown>): Promise<string[]> {
  const sent = await sentDuring(session, work);
  const { thread } = sent.find(({ statement }) => APPEND.test(statement)) ?? {};
  const all = sent.filter((one) => one.thread === thread).map(({ statement }) => statement);
  const end = all.findIndex((sql) => APPEND.test(sql)) + 1;
  const begin = all.slice(0, end).findLastIndex((sql) => BEFORE.test(sql)) + 1;
  return all.slice(begin, all.findIndex((sql, index) => index >= end && sql === 'COMMIT') + 1);
}
