// One employee of a client's garage, for tests of access: logs in, gets reset links, and sets passwords with them.
import { createHash } from 'node:crypto';
import { openReset } from '../../../src/platform/auth/reset.ts';
import { execute, select } from '../database/sql.ts';
import { database, makeGarage, PASSWORD, theService } from '../service/service.ts';
import { type Answer, type Client, clientOf, send } from './client.ts';

export interface GarageUser {
  readonly client: Client;
  readonly id: number;
  /** `changes` replaces credentials. */
  login(changes?: Record<string, string>): Promise<Answer>;
  /** A link as forgotpassword mails it; its secret. */
  link(): Promise<string>;
}

export async function userOf(admin: Client, role: 'ADMIN' | 'USER' = 'USER'): Promise<GarageUser> {
  const client = clientOf(await makeGarage({ owner: admin.garage.owner, role }));
  const { apiKey, username, owner } = client.garage;
  const [row] = await select(database(), 'SELECT id FROM employees WHERE username = ?', [username]);
  const id = Number(row?.id);
  return {
    client,
    id,
    login: (changes = {}) => logIn({ api_key: apiKey, username, password: PASSWORD, ...changes }),
    link: async () => (await openReset(database(), owner, id))?.secret ?? '',
  };
}

export const logIn = (credentials: Record<string, string>, url = theService().url): Promise<Answer> =>
  send('POST', `${url}/v2/authenticate`, {
    body: JSON.stringify(credentials),
    headers: { 'content-type': 'application/json' },
  });

/** Sends the form of the page for a new password. */
export const setByLink = (secret: string, password: string, url = theService().url): Promise<Response> =>
  fetch(`${url}/password-reset`, {
    method: 'POST',
    body: new URLSearchParams({ token: secret, password, again: password }),
  });

export const linkCount = async (employee: number): Promise<number> =>
  (await select(database(), 'SELECT 1 FROM password_resets WHERE employee_id = ?', [employee])).length;

/** Makes a link old enough to have expired. */
export const expireLink = (secret: string) =>
  execute(database(), 'UPDATE password_resets SET expires_at = ? WHERE reset_hash = ?', [
    '2020-01-01 00:00:00.000',
    createHash('sha256').update(secret).digest('hex'),
  ]);

/** Forgets failures and mails, so that tests that cause them do not shut one another out. */
export const clearCounts = () => execute(database(), 'DELETE FROM login_failures', []);
