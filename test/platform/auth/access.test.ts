// Changes that end the access of an employee: each ends the tokens and the reset links that were made before.
import { databaseTime } from '../../../src/core/trade/time/timestamp.ts';
import { type Client, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import {
  clearCounts,
  type GarageUser,
  linkCount,
  setByLink,
  userOf,
} from '../../support/client/garage-user.ts';
import { waitingFor } from '../../support/database/at-once.ts';
import { execute, select } from '../../support/database/sql.ts';
import { database } from '../../support/service/service.ts';
import { until } from '../../support/service/until.ts';

const OTHER = 'another long password';
const PAST = '2020-01-01T00:00:00Z';

describe('the access of an employee', () => {
  let admin: Client;
  let user: GarageUser;
  beforeEach(async () => {
    await clearCounts();
    admin = await newClient();
    user = await userOf(admin);
  });
  after(clearCounts);

  const change = (body: object) => admin.put(`/employee/${user.id}`, body);
  const isDead = async () => (await user.client.get('/order')).status === 401;

  for (const [what, body] of Object.entries({
    'a new password': { password: OTHER },
    'the loss of the password': { password: null },
    'a new e-mail address': { emailaddress: 'new@garage.example' },
    'the loss of the e-mail address': { emailaddress: null },
    'a block': { is_blocked: 1 },
    archiving: { is_archived: 1 },
    'an end_date in the past': { end_date: PAST },
    is_external: { is_external: 1 },
  })) {
    it(`ends with ${what}: tokens and links`, async () => {
      const secret = await user.link();
      expect(await isDead()).to.equal(false);

      expect((await change(body)).status).to.equal(200);

      expect(await isDead()).to.equal(true);
      expect(await linkCount(user.id)).to.equal(0);
      expect((await setByLink(secret, OTHER)).status).to.equal(410);
    });
  }

  it('goes on after a change of anything else', async () => {
    await user.link();

    await change({ first_name: 'Anna', end_date: '2999-01-01', role_kind: 3 });

    expect(await isDead()).to.equal(false);
    expect(await linkCount(user.id)).to.equal(1);
  });

  it('ends with a password that a link sets: other links and tokens', async () => {
    const [used, other] = [await user.link(), await user.link()];

    expect((await setByLink(used, OTHER)).status).to.equal(200);

    expect(await isDead()).to.equal(true);
    expect((await setByLink(other, 'yet another password')).status).to.equal(410);
    expect((await user.login({ password: OTHER })).status).to.equal(200);
  });

  it('gives a blocked user nothing for a link that was there before', async () => {
    const secret = await user.link();
    await execute(database(), 'UPDATE employees SET is_blocked = 1 WHERE id = ?', [user.id]);

    expect((await setByLink(secret, OTHER)).status).to.equal(410);
    expect(await user.link()).to.equal('');
  });

  it('is refused after end_date', async () => {
    await change({ end_date: PAST });

    expect(await user.login()).to.be.refused(401, 'Not authorized');
  });

  it('ends when end_date passes, also for a token in use', async () => {
    const { token } = (await user.login()).body;
    const soon = new Date(Date.now() + 3_000);
    await execute(database(), 'UPDATE employees SET end_date = ? WHERE id = ?', [
      databaseTime(soon),
      user.id,
    ]);
    const asked: number[] = [];

    await until(async () => {
      const at = Date.now();
      const { status } = await admin.get('/order', { token });
      if (status === 200) asked.push(at);
      return status === 401;
    });

    expect(Date.now()).to.be.at.least(soon.getTime());
    expect(asked).not.to.deep.equal([]);
    expect(Math.max(...asked)).to.be.below(soon.getTime());
  });

  for (const [what, change] of [
    ['a new password', "password_hash = 'another'"],
    ['the loss of the e-mail address', 'emailaddress = NULL'],
    ['is_external', 'is_external = 1'],
  ])
    it(`is not given by a login that ${what} overtakes`, async () => {
      const started = await database().transaction(async (session) => {
        await select(session, 'SELECT id FROM employees WHERE id = ? FOR UPDATE', [user.id]);
        const answer = user.login();
        await until(async () => (await waitingFor('employees')) > 0);
        await execute(session, `UPDATE employees SET ${change} WHERE id = ?`, [user.id]);
        // Not awaited here: the login ends when this transaction has.
        return { answer };
      });

      expect(await started.answer).to.be.refused(401, 'Not authorized');
    });
});
