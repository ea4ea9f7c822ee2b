// Usernames: which are taken, how they are compared, and that names of an earlier version stay valid.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from '../../support/build/build.ts';
import { type Client, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { clearCounts, type GarageUser, linkCount, userOf } from '../../support/client/garage-user.ts';
import { importJson, rowMessages } from '../../support/client/import.ts';
import { execute } from '../../support/database/sql.ts';
import { forecourt, forecourtJson } from '../../support/process/forecourt.ts';
import { database, serviceEnvironment } from '../../support/service/service.ts';
import { until } from '../../support/service/until.ts';

const CYRILLIC = '\u0430nna';
const refusal = (name: string) =>
  [403, `Field: [username] has an invalid value: [${name}] for validation: [username]`] as const;

describe('usernames', () => {
  let admin: Client;
  let user: GarageUser;
  let made = 0;
  beforeEach(async () => {
    admin = await newClient();
    user = await userOf(admin, 'ADMIN');
    await clearCounts();
  });
  after(clearCounts);

  /** A name that no other test has. */
  const fresh = (name: string) => {
    made += 1;
    return `${name}${made}`;
  };
  const rename = (username: string) => admin.put(`/employee/${user.id}`, { username });
  /** As an earlier version stored it. */
  const store = async (name: string, id = user.id) => {
    await execute(database(), 'UPDATE employees SET username = ? WHERE id = ?', [name, id]);
    return name;
  };

  it('are refused with letters of two scripts, on POST, PUT and import, and by the command line', async () => {
    const employee = { first_name: 'Anna', last_name: 'de Vries', role_kind: 2, username: CYRILLIC };
    const words = ['--owner', String(admin.garage.owner), '--email', 'a@garage.example', '--role', 'USER'];

    const imported = await importJson(admin, 'resource=employee', [employee]);
    const created = await forecourt(
      serviceEnvironment(),
      ['employee', 'create', ...words, '--username', CYRILLIC, '--password-stdin'],
      undefined,
      'correct horse battery',
    );
    const renamed = await forecourt(serviceEnvironment(), [
      'employee',
      'username',
      String(user.id),
      CYRILLIC,
    ]);

    expect(await admin.post('/employee', employee)).to.be.refused(...refusal(CYRILLIC));
    expect(await rename(CYRILLIC)).to.be.refused(...refusal(CYRILLIC));
    expect(imported.rows.flatMap(rowMessages)).to.deep.equal([refusal(CYRILLIC)[1]]);
    for (const { code, err } of [created, renamed])
      expect([code, err]).to.deep.equal([1, `forecourt: ${refusal(CYRILLIC)[1]}\n`]);
  });

  it('are stored after NFKC and in lower case, and nobody else gets the same name', async () => {
    const name = fresh('Jansen');
    const wide = name.replace('J', 'Ｊ');

    const { data } = await rename(wide);
    const again = await admin.post('/employee', {
      ...{ first_name: 'Jan', last_name: 'Jansen', role_kind: 2 },
      username: name,
    });

    expect(data.username).to.equal(name.toLowerCase());
    expect(again.status).to.equal(409);
    expect(
      (await admin.post('/employee', { first_name: 'A', last_name: 'B', role_kind: 2, username: '' })).data,
    ).to.include({ username: null });
  });

  it('are found in any form, wherever a username is asked for', async () => {
    const stored = fresh('jansen');
    await rename(stored);
    const given = stored.replace('j', 'Ｊ');
    const query = `username=${encodeURIComponent(given)}`;

    const answers = [
      await admin.get(`/empoyee/email?${query}`),
      await admin.get(`/util/environment?${query}`),
      await user.login({ username: given }),
    ];
    const listed = await admin.get(`/employee?filter=username:${encodeURIComponent(given)}`);
    const others = await admin.get(`/employee?filter=username[ne]:${encodeURIComponent(given)}`);
    await admin.post('/authenticate/forgotpassword', { username: given });
    await until(async () => (await linkCount(user.id)) === 1);
    const { password } = await forecourtJson(serviceEnvironment(), 'employee', 'password', given);

    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200]);
    expect(listed.data.map(({ id }: { id: number }) => id)).to.deep.equal([user.id]);
    expect(others.data.map(({ id }: { id: number }) => id)).to.not.include(user.id);
    expect((await user.login({ username: given, password: String(password) })).status).to.equal(200);
  });

  it('of an earlier version stay valid: for logins, and in a PUT that does not change them', async () => {
    const odd = await store(fresh('jan de vries '));
    const other = await build(admin, 'employee', { username: null });

    const login = await user.login({ username: odd.toUpperCase() });
    const put = await admin.put(`/employee/${user.id}`, { username: `Jan${odd.slice(3)}`, notes: 'Odd' });
    const changed = await rename(`${odd}x`);

    expect(login.status).to.equal(200);
    expect(put.data).to.include({ username: odd, notes: 'Odd' });
    expect(changed).to.be.refused(...refusal(`${odd}x`));
    expect(await admin.put(`/employee/${other.id}`, { username: odd })).to.be.refused(...refusal(odd));
  });

  it('of an earlier version go before the name that they would have now', async () => {
    const name = fresh('jansen');
    const odd = name.replace('j', 'ｊ');
    const other = await userOf(admin);
    await rename(name);
    await store(odd, other.id);

    const answers = [name, odd].map(async (username) => {
      const { data } = await admin.get(`/empoyee/email?username=${encodeURIComponent(username)}`);
      return data.username;
    });

    expect(await Promise.all(answers)).to.deep.equal([name, odd]);
    expect((await other.login({ username: odd })).status).to.equal(200);
  });

  it('of a backup are taken if somebody has the same name, in whatever form', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'forecourt-username-'));
    const file = join(folder, 'backup.zip');
    const name = fresh('jansen');
    const odd = await store(name.replace('j', 'ｊ'));
    await forecourtJson(serviceEnvironment(), 'backup', '--owner', String(admin.garage.owner), '--out', file);
    await store(name);

    const restored = await forecourtJson(serviceEnvironment(), 'restore', file);
    await rm(folder, { recursive: true });

    const unnamed = restored.employees_without_username as { username: string }[];
    expect(unnamed.map(({ username }) => username)).to.have.members([admin.garage.username, odd]);
  });
});
