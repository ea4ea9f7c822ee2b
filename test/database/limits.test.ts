// Limits of the database server: the service stays within them, or refuses in plain words.
import { clientOf } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { execute, select } from '../support/database/sql.ts';
import { makeGarage, theService } from '../support/service/service.ts';

describe('the number of prepared statements of the server', () => {
  const database = () => theService().base.database;
  let most: unknown;

  before(async () => {
    const [row] = await select(database(), 'SELECT @@max_prepared_stmt_count AS most');
    most = row?.most;
  });
  after(() => execute(database(), 'SET GLOBAL max_prepared_stmt_count = ?', [Number(most)]));

  it('may be used up: a connection gives up older statements of its own', async () => {
    const client = clientOf(await makeGarage());
    await client.get('/contact');
    const [row] = await select(database(), "SHOW GLOBAL STATUS LIKE 'Prepared_stmt_count'");
    await execute(database(), 'SET GLOBAL max_prepared_stmt_count = ?', [Number(row?.Value)]);

    const statuses: number[] = [];
    for (const sort of ['city', '-city', 'street', '-street', 'postcode', '-postcode'])
      statuses.push((await client.get(`/contact?sort=${sort}`)).status);

    expect(statuses).to.deep.equal([200, 200, 200, 200, 200, 200]);
  });
});
