// The very first start of the service makes a demo garage and prints its key and login once.

import type { Session } from '../core/model/statements/session.ts';
import { Owner } from '../core/resources/owner.ts';
import { LISTS } from '../core/trade/lists.ts';
import { createKey } from '../platform/auth/key.ts';
import { randomSecret } from '../platform/auth/secret.ts';
import type { Base } from '../platform/base.ts';
import { withStartLock } from '../platform/database/start-lock.ts';
import { addEmployee, addOwner } from './new-garage.ts';

export interface DemoAccess {
  owner_id: number;
  api_key: string;
  webhook_secret: string;
  username: string;
  password: string;
}

/** Margins over quarters, as the law has it for cars, and cash in five cents. */
const BOOKS = {
  margin_method: LISTS.marginmethods.GLOBAL,
  vat_period: LISTS.vatperiods.QUARTER,
  is_cash_rounded: 1,
  margin_turnover_account: '8190',
};

/** Makes the demo garage if there is no garage at all. Undefined if there is one. */
export async function makeDemoOwner({ database, signingSecret, log }: Base): Promise<DemoAccess | undefined> {
  const anyOwner = () => Owner.ofAllOwners('operator', database).select('id').first();
  if (await anyOwner()) return undefined;
  return withStartLock(
    database.knex,
    async () =>
      (await anyOwner()) ? undefined : database.transaction((session) => addDemo(session, signingSecret)),
    (line) => log.warn(line),
  );
}

/** In one transaction: no start would give access to a garage that an earlier start left without it. */
async function addDemo(session: Session, signingSecret: string): Promise<DemoAccess> {
  const owner = await addOwner(session, { name: 'Garage De Vries (demo)', demo: true, books: BOOKS });
  const [username, password] = ['demo', randomSecret(12)];
  await addEmployee(session, {
    owner,
    username,
    password,
    emailaddress: 'demo@garagedevries.example',
    role: 'ADMIN',
    firstName: 'Demo',
    lastName: 'de Vries',
  });
  const { api_key, webhook_secret } = await createKey(session, signingSecret, { party: 'demo', allow: [] });
  return { owner_id: owner, api_key, webhook_secret, username, password };
}
