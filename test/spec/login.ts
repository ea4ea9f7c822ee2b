// Logs in as the specification describes: GET /authenticate with everything in the query.
import { type Answer, send } from '../support/client/client.ts';
import { execute } from '../support/database/sql.ts';
import { database, type Garage, PASSWORD } from '../support/service/service.ts';

type Credentials = Readonly<Record<string, string>>;

/** `changes` replaces or adds parameters. */
export function login({ apiKey: api_key, username }: Garage, changes: Credentials = {}): Promise<Answer> {
  return send(
    'GET',
    `/authenticate?${new URLSearchParams({ api_key, username, password: PASSWORD, ...changes })}`,
  );
}

/** Forgets failed logins, so that tests that cause them do not shut one another out. */
export const clearFailures = () => execute(database(), 'DELETE FROM login_failures', []);
