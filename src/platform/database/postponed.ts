// Statements of a transaction whose answers nobody needs. They wait for the transaction's next command, usually its
// COMMIT, and go to the server with it in one packet. So the last statements of a request cost one round trip, which
// matters most if the database is on another machine. The order of the statements stays.
import { LRUCache } from 'lru-cache';
import { type Connection, escape as literal } from 'mysql2';
import type { Stored } from '../../core/model/fields/field.ts';

/** Far below the longest packet that a server takes by default. */
const MOST_CHARACTERS = 100_000;

interface Waiting {
  readonly texts: string[];
  characters: number;
}

const waiting = new WeakMap<Connection, Waiting>();

/** Notes a statement. The connection must take several statements at once. False: the statement is too long. */
export function postpone(connection: Connection, sql: string, values: readonly Stored[]): boolean {
  const text = withValues(sql, values);
  const known = waiting.get(connection) ?? { texts: [], characters: 0 };
  if (known.characters + text.length > MOST_CHARACTERS) return false;
  known.texts.push(text);
  known.characters += text.length;
  waiting.set(connection, known);
  return true;
}

/** Takes the statements that wait. */
export function takePostponed(connection: Connection): readonly string[] {
  const { texts = [] } = waiting.get(connection) ?? {};
  if (texts.length > 0) waiting.delete(connection);
  return texts;
}

export const hasPostponed = (connection: Connection): boolean => waiting.has(connection);

/** Statements cut at their question marks, which no constant in them has: the driver would search each text again. */
const parts = new LRUCache<string, readonly string[]>({ max: 1_000, memoMethod: (sql) => sql.split('?') });

function withValues(sql: string, values: readonly Stored[]): string {
  const [first = '', ...rest] = parts.memo(sql);
  if (rest.length !== values.length) throw new Error(`${values.length} values for ${rest.length} places`);
  return rest.reduce((text, part, index) => text + literal(values[index]) + part, first);
}
