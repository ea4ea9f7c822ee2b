// Counts the statements that a piece of code sends by the query builder, or that a request sends to the server.
import type { Database, Session } from '../../../src/core/model/statements/session.ts';
import type { Client } from '../client/client.ts';
import { expect } from '../client/expect.ts';
import { theService } from '../service/service.ts';
import { until } from '../service/until.ts';
import { sentDuring } from './general-log.ts';

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

/** Other work of the service, such as looking for jobs, falls into many turns of a busy machine, but not into each. */
const TURNS = 30;
/** A job that still runs renews its lease all the time, and so in each turn. No request does. */
const RENEWAL = /^update `jobs` set `lease_until`/;

/**
 * Fails, with the statements, if a request of the client sends more than `most` to the database. The server's general
 * log has the statements of all its users, and those that set up a connection. So the request is sent anew until a turn
 * has few enough.
 */
export async function expectStatements(
  { garage }: Client,
  most: number,
  request: (turn: number) => Promise<unknown>,
): Promise<void> {
  const { database, tokens } = theService().service.services;
  const turns: string[][] = [];
  do {
    // The service keeps a token for less than a second, and on a busy machine each turn takes longer.
    await tokens.find(garage.token);
    const turn = turns.length;
    turns.push(await logged(database, () => request(turn)));
  } while (turns.every(({ length }) => length > most) && turns.length < TURNS);
  const fewest = turns.reduce((fewest, one) => (one.length < fewest.length ? one : fewest));
  expect(fewest.length, fewest.join('\n')).to.be.at.most(most);
}

async function logged(database: Database, work: () => Promise<unknown>): Promise<string[]> {
  const sent = await sentDuring(database, async () => {
    await work();
    // A snapshot ends after its answer.
    await until(async () => database.connections().used === 0);
  });
  return sent
    .map(({ statement }) => statement)
    .filter((one) => !one.includes('general_log') && !RENEWAL.test(one));
}
