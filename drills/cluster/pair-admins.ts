// The last two ADMINs of a garage are demoted at once, each by the other at another node. One of them must stay.
import { LISTS } from '../../src/core/trade/lists.ts';
import { openTenant } from '../../test/support/process/process-garage.ts';
import type { Pair, Rule } from './pair.ts';
import type { Scene } from './scene.ts';
import { openUser } from './user.ts';

const { ADMIN, USER } = LISTS.rolekinds;
/** Longer than a process remembers the role of a token. */
const FORGOTTEN_MS = 1_500;

interface Admin {
  readonly id: number;
  readonly token: string;
}

/** A garage with two ADMINs, and the rule that it keeps one. */
export async function adminRule(scene: Scene): Promise<Rule> {
  const tenant = await openTenant(scene.process(0).env);
  const token = await tenant.token(scene.process(0).url);
  const user = await openUser(scene, token);
  const [first] = await scene.cluster.first.query(
    'SELECT id FROM forecourt.employees WHERE owner_id = ? AND id <> ?',
    [tenant.owner, user.id],
  );
  const admins: readonly [Admin, Admin] = [
    { id: Number(first?.id), token },
    { id: user.id, token: await user.token(0) },
  ];
  return {
    name: 'an owner keeps an ADMIN',
    prepare: (_, round) => prepare(scene, tenant.owner, admins, round),
  };
}

async function prepare(
  scene: Scene,
  owner: number,
  admins: readonly [Admin, Admin],
  round: number,
): Promise<Pair> {
  await promoteBoth(scene, owner, admins);
  const demote = (by: Admin, whom: Admin) => ({
    method: 'PUT',
    path: `/employee/${whom.id}`,
    body: { role_kind: USER, notes: `round ${round}` },
    headers: { token: by.token },
  });
  return {
    requests: [demote(admins[0], admins[1]), demote(admins[1], admins[0])],
    isBroken: async () => (await adminsOf(scene, owner)).length !== 1,
  };
}

/** By the ADMIN who is left; by SQL if there is none. */
async function promoteBoth(scene: Scene, owner: number, admins: readonly [Admin, Admin]): Promise<void> {
  const ids = await adminsOf(scene, owner);
  const left = admins.find(({ id }) => ids.includes(id));
  const other = admins.find(({ id }) => !ids.includes(id));
  if (left && other) {
    const headers = { token: left.token };
    await scene.ask(0, 'PUT', `/employee/${other.id}`, { body: { role_kind: ADMIN }, headers });
  } else if (!left) {
    await scene.cluster.first.query('UPDATE forecourt.employees SET role_kind = ? WHERE owner_id = ?', [
      ADMIN,
      owner,
    ]);
    await new Promise((resolve) => setTimeout(resolve, FORGOTTEN_MS));
  }
}

async function adminsOf(scene: Scene, owner: number): Promise<number[]> {
  const rows = await scene.cluster.first.query(
    'SELECT id FROM forecourt.employees WHERE owner_id = ? AND role_kind = ?',
    [owner, ADMIN],
  );
  return rows.map(({ id }) => Number(id));
}
