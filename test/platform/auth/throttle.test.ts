// The limits of guesses and mails: which callers they shut out, and which they don't.
import { readdir } from 'node:fs/promises';
import { hashPassword } from '../../../src/platform/auth/password.ts';
import { networkOf } from '../../../src/platform/auth/throttle.ts';
import { type Answer, type Client, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import {
  clearCounts,
  expireLink,
  type GarageUser,
  linkCount,
  logIn,
  setByLink,
  userOf,
} from '../../support/client/garage-user.ts';
import { execute, select } from '../../support/database/sql.ts';
import { database, PASSWORD, theService } from '../../support/service/service.ts';
import { until } from '../../support/service/until.ts';

const NO_KEY = '00000000-0000-4000-8000-000000000000';
const WRONG = 'wrong wrong wrong';

describe('the throttle', () => {
  let admin: Client;
  let user: GarageUser;
  beforeEach(async () => {
    admin = await newClient();
    user = await userOf(admin);
    await clearCounts();
  });
  after(clearCounts);

  it('lets nobody without a key lock a user out', async () => {
    for (let guess = 1; guess <= 10; guess += 1)
      expect(await user.login({ api_key: NO_KEY, password: WRONG })).to.be.refused(401, 'Not authorized');

    expect((await user.login()).status).to.equal(200);
  });

  it('counts one user by whatever name the database finds the user', async () => {
    const { username } = user.client.garage;
    for (let guess = 1; guess <= 5; guess += 1)
      await user.login({ username: username + ' '.repeat(guess), password: WRONG });

    expect(await user.login()).to.be.refused(429, 'Too many attempts');
  });

  it('counts a name that nobody has likewise', async () => {
    const guess = (username: string) => logIn({ api_key: admin.garage.apiKey, username, password: WRONG });
    for (let blanks = 1; blanks <= 5; blanks += 1)
      expect((await guess(`nobody${' '.repeat(blanks)}`)).status).to.equal(401);

    expect(await guess('nobody')).to.be.refused(429, 'Too many attempts');
    expect(await guess('nobody\t')).to.be.refused(401, 'Not authorized');
  });

  /** Asks for more hashes than there are places. */
  const crowd = () => Array.from({ length: 40 }, () => hashPassword(PASSWORD, '127.0.0.1'));

  it('computes two hashes at a time, lets twenty wait, and refuses the others at once', async () => {
    const refused: unknown[] = [];
    const all = crowd().map((hash) => hash.catch((error) => refused.push(error)));
    await Promise.resolve();
    expect(refused.length, 'before any hash is done').to.be.at.most(18);

    await Promise.all(all);

    expect(refused).to.have.length(18);
    for (const error of refused) expect(error).to.include({ status: 429, message: 'Too many attempts' });
  });

  it('refuses a login where too many wait', async () => {
    const crowded = async (act: () => Promise<Answer>) => {
      const hashes = Promise.allSettled(crowd());
      const answer = await act();
      await hashes;
      return answer.status === 429 && answer;
    };

    const answer = await until(() => crowded(() => user.login()));

    expect(answer).to.be.refused(429, 'Too many attempts');
    expect(Number(answer.headers.get('retry-after'))).to.be.above(0);
  });

  it('lets an address with few logins in before one with many', async () => {
    const hashes = Array.from({ length: 40 }, () => hashPassword(PASSWORD, 'many').catch(() => 'refused'));

    const few = await Promise.all([hashPassword(PASSWORD, 'few'), hashPassword(PASSWORD, 'few')]);

    expect(few.join()).to.match(/^\$argon2id.*,\$argon2id/);
    const refused = (await Promise.all(hashes)).filter((hash) => hash === 'refused');
    expect(refused).to.have.length(20);
  });

  it('computes no hash for a link that does not work', async () => {
    const secret = await user.link();
    await expireLink(secret);
    /** The answers, if they came before the hashes of others were made. */
    const early = async () => {
      await clearCounts();
      let isOver = false;
      const hashes = Promise.allSettled(crowd()).then(() => {
        isOver = true;
      });
      const both = [await setByLink(secret, PASSWORD), await setByLink('no link', PASSWORD)];
      const areEarly = !isOver;
      await hashes;
      return areEarly && both;
    };

    // A hash would wait for the others each time, or be refused with 429. A busy database may be late once.
    const answers = await until(early);

    expect(answers.map(({ status }) => status)).to.deep.equal([410, 410]);
  });

  it('refuses links from an address that has sent twenty wrong ones', async () => {
    for (let guess = 1; guess <= 20; guess += 1)
      expect((await setByLink(`guess ${guess}`, PASSWORD)).status).to.equal(410);

    const answer = await setByLink(await user.link(), PASSWORD);

    expect(answer.status).to.equal(429);
    expect(Number(answer.headers.get('retry-after'))).to.be.within(1, 900);
    expect(await answer.text()).to.include('Too many attempts');
    expect((await user.login()).status, 'a login').to.equal(200);
  });

  for (const [address, network] of [
    ['198.51.100.7', '198.51.100.7'],
    ['::ffff:198.51.100.7', '198.51.100.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:1:2::9', '2001:db8:1:2'],
    ['2001:db8:1:3::9', '2001:db8:1:3'],
    ['unknown', 'unknown'],
  ] as const) {
    it(`takes ${address} for ${network}`, () => {
      expect(networkOf(address)).to.equal(network);
    });
  }

  describe('of mails', () => {
    const mails = async () => (await readdir(theService().base.storage.mail)).length;
    const forgot = (username: string) => admin.post('/authenticate/forgotpassword', { username });
    const later = (seconds: number, prefix: string) =>
      execute(database(), 'UPDATE login_failures SET expire = expire - ? WHERE `key` LIKE ?', [
        seconds * 1000,
        `${prefix}%`,
      ]);

    it('sends a user one link a minute', async () => {
      const { username } = user.client.garage;
      const before = await mails();

      const first = await forgot(username);
      await until(async () => (await mails()) === before + 1);
      const second = await forgot(`${username} `);
      await later(61, 'mail-minute');
      await forgot(username);
      await until(async () => (await mails()) === before + 2);

      expect(second.body).to.deep.equal(first.body);
      expect(await linkCount(user.id)).to.equal(2);
    });

    it('answers before what is done for known users only', async () => {
      const { username } = user.client.garage;
      await database().transaction(async (session) => {
        await select(session, 'SELECT id FROM employees WHERE id = ? FOR UPDATE', [user.id]);

        expect((await forgot(username)).status).to.equal(200);

        expect(await linkCount(user.id)).to.equal(0);
      });
      await until(async () => (await linkCount(user.id)) === 1);
    });

    it('sends a user five links an hour', async () => {
      const { username } = user.client.garage;
      const ask = async (links: number) => {
        await forgot(username);
        await later(61, 'mail-minute');
        await until(async () => (await linkCount(user.id)) >= links);
      };
      for (let link = 1; link <= 5; link += 1) await ask(link);

      await ask(5);
      await later(3601, 'mail-hour');
      await ask(6);

      expect(await linkCount(user.id)).to.equal(6);
    });
  });

  it('takes the same time for each wrong part of a login', async () => {
    const time = async (changes: Record<string, string>) => {
      const started = performance.now();
      await user.login({ password: WRONG, ...changes });
      return performance.now() - started;
    };
    const parts: Record<string, string>[] = [{}, { username: 'nobody' }, { api_key: NO_KEY }];
    const best = parts.map(() => Number.POSITIVE_INFINITY);
    for (let round = 1; round <= 8; round += 1) {
      for (const [index, changes] of parts.entries()) {
        await clearCounts();
        best[index] = Math.min(best[index] ?? 0, await time(changes));
      }
    }

    // A hash takes tens of milliseconds. An answer without one would take a tenth of the others' time.
    expect(Math.max(...best) / Math.min(...best)).to.be.below(3);
  });

  /** Lets a login with the right password wait for its transaction, until `act` is done. */
  async function meanwhile(act: () => Promise<unknown>): Promise<Answer> {
    const { owner } = user.client.garage;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    // An owner has ten transactions at once.
    const holders = Array.from({ length: 10 }, () => database().transaction(() => held, { owner }));
    const answer = user.login();
    await until(async () => database().connections().waiting > 0);
    await act();
    release();
    await Promise.all(holders);
    return answer;
  }

  it('refuses a right guess if the limit is reached before its token is made', async () => {
    const answer = await meanwhile(async () => {
      for (let guess = 1; guess <= 5; guess += 1) await user.login({ password: WRONG });
    });

    expect(answer).to.be.refused(429, 'Too many attempts');
  });

  for (const [what, change] of [
    ['is blocked', 'is_blocked = 1'],
    ['has left', "end_date = '2020-01-01 00:00:00.000'"],
    ['has another password', "password_hash = 'another'"],
  ]) {
    it(`gives no token to a user who ${what} before it is made`, async () => {
      const answer = await meanwhile(() =>
        execute(database(), `UPDATE employees SET ${change} WHERE id = ?`, [user.id]),
      );

      expect(answer).to.be.refused(401, 'Not authorized');
    });
  }

  it('leaves a login alone where another user is shut out', async () => {
    for (let guess = 1; guess <= 5; guess += 1) await user.login({ password: WRONG });
    const { apiKey: api_key, username } = admin.garage;

    expect((await user.login()).status).to.equal(429);
    expect((await logIn({ api_key, username, password: PASSWORD })).status).to.equal(200);
  });
});
