// Another ADMIN of a garage, who logs in at the process that the script names.
import { LISTS } from '../../src/core/trade/lists.ts';
import { send } from '../../test/support/client/client.ts';
import { cli } from '../../test/support/process/process.ts';
import { PASSWORD } from '../../test/support/service/service.ts';
import type { Scene } from './scene.ts';

export interface User {
  readonly id: number;
  /** The body of a login. */
  readonly credentials: string;
  /** A new token, got at the process with this index. */
  token(index: number): Promise<string>;
}

let made = 0;

/** Adds an ADMIN to the scene's garage, or to the garage of `token`. */
export async function openUser(scene: Scene, token?: string): Promise<User> {
  made += 1;
  const username = `bram${made}`;
  const body = {
    username,
    password: PASSWORD,
    emailaddress: `${username}@garage.example`,
    first_name: 'Bram',
    last_name: 'de Vries',
    role_kind: LISTS.rolekinds.ADMIN,
  };
  const added = await scene.ask(0, 'POST', '/employee', { body, headers: token ? { token } : {} });
  if (added.status !== 201) throw new Error(`no user: ${added.status} ${added.text}`);
  const { api_key } = await cli(scene.process(0).env, 'key', 'create', '--party', 'cluster');
  const credentials = JSON.stringify({ api_key, username, password: PASSWORD });
  return {
    id: added.data.id,
    credentials,
    token: async (index) => {
      const headers = { 'content-type': 'application/json' };
      const { url } = scene.process(index);
      const answer = await send('POST', `${url}/v2/authenticate`, { body: credentials, headers });
      scene.tally.add(answer, 'POST /authenticate');
      if (answer.status !== 200) throw new Error(`no token: ${answer.status} ${answer.text}`);
      return answer.body.token;
    },
  };
}
