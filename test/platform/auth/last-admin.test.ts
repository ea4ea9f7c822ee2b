// An owner keeps an ADMIN who can log in, whatever takes the others away.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { type Client, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { type GarageUser, userOf } from '../../support/client/garage-user.ts';
import { execute, select } from '../../support/database/sql.ts';
import { database } from '../../support/service/service.ts';

const PAST = '2020-01-01T00:00:00Z';
const NEEDED = [409, 'Owner needs an ADMIN'] as const;
const TAKEN_AWAY: Record<string, object> = {
  demoted: { role_kind: LISTS.rolekinds.USER },
  blocked: { is_blocked: 1 },
  archived: { is_archived: 1 },
  ended: { end_date: PAST },
  'made external': { is_external: 1 },
  'left without a username': { username: null },
  'left without a password': { password: null },
};

describe('the last ADMIN of an owner', () => {
  let admin: Client;
  let self: number;
  let other: GarageUser;
  beforeEach(async () => {
    admin = await newClient();
    const [row] = await select(database(), 'SELECT id FROM employees WHERE username = ?', [
      admin.garage.username,
    ]);
    self = Number(row?.id);
  });

  for (const [what, body] of Object.entries(TAKEN_AWAY)) {
    it(`can't be ${what}`, async () => {
      await userOf(admin, 'USER');

      expect(await admin.put(`/employee/${self}`, body)).to.be.refused(...NEEDED);
      expect((await admin.get('/order')).status, 'the token').to.equal(200);
    });

    it(`may be ${what} where another ADMIN can log in`, async () => {
      other = await userOf(admin, 'ADMIN');

      expect((await admin.put(`/employee/${self}`, body)).status).to.equal(200);
      expect(await other.client.del(`/employee/${other.id}`)).to.be.refused(...NEEDED);
    });

    it(`is the one beside an ADMIN who was ${what}`, async () => {
      other = await userOf(admin, 'ADMIN');
      expect((await admin.put(`/employee/${other.id}`, body)).status).to.equal(200);

      expect(await admin.put(`/employee/${self}`, { is_blocked: 1 })).to.be.refused(...NEEDED);
    });
  }

  it("can't be deleted, and other employees can", async () => {
    other = await userOf(admin, 'USER');

    expect(await admin.del(`/employee/${self}`)).to.be.refused(...NEEDED);
    expect((await admin.del(`/employee/${other.id}`)).status).to.equal(200);
  });

  it('may change all else, also to a later end_date', async () => {
    const answer = await admin.put(`/employee/${self}`, { first_name: 'Anna', end_date: '2999-01-01' });

    expect(answer.status).to.equal(200);
  });

  it('stays where two ADMINs are taken away at once', async () => {
    for (const act of ['demote', 'delete'] as const) {
      for (let round = 1; round <= 5; round += 1) {
        const garage = await newClient();
        const colleagues = await Promise.all([userOf(garage, 'ADMIN'), userOf(garage, 'ADMIN')]);
        await execute(database(), 'UPDATE employees SET is_blocked = 1 WHERE username = ?', [
          garage.garage.username,
        ]);

        const answers = await Promise.all(
          colleagues.map(({ client, id }) =>
            act === 'demote'
              ? client.put(`/employee/${id}`, { role_kind: 2 })
              : client.del(`/employee/${id}`),
          ),
        );

        expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 409]);
      }
    }
  });
});
