// A connection that takes several statements in one packet (see postponed.ts) would take an injected one too. So knex
// and Objection see such a connection through this view, which refuses a text of more than one statement.
import type { Connection, QueryError, QueryOptions } from 'mysql2';

const QUOTED = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`/gs;
/** The end of a statement, or a comment: quotes in comments hide what is between them from QUOTED. No query has one. */
const END = /;|\/\*|#|--\s/;

/** The same connection. Its `query` throws if the text with its values is not one statement. */
export const ofOneStatement = (connection: Connection): Connection =>
  Object.create(connection, {
    query: {
      value: (options: QueryOptions, values: unknown[], done?: (error: QueryError | null) => void) => {
        const sql = connection.format(options.sql, values);
        if (END.test(sql.replace(QUOTED, ''))) throw new Error('a query has more than one statement');
        return connection.query({ ...options, sql }, done);
      },
    },
  });
