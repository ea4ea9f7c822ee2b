// A transaction sends several statements in one packet. A query of knex is one of them, and can't smuggle in another.
import { expect } from '../../support/client/expect.ts';
import { select } from '../../support/database/sql.ts';
import { theService } from '../../support/service/service.ts';

describe('knex within a transaction', () => {
  const asked = (sql: string, values: string[] = []) =>
    theService()
      .base.database.transaction((session) => select(session, sql, values))
      .catch(({ message }) => message);

  it('runs one statement only', async () => {
    const refused = [
      'SELECT 1 AS one; SELECT 2 AS two',
      "SELECT 'a\\'; b' AS one; SELECT 2 AS two",
      "SELECT 1 /*'*/; SELECT 2 AS two /*'*/",
      "SELECT 1 # '\n; SELECT 2 # '",
      "SELECT 1 -- '\n; SELECT 2 -- '",
    ];

    for (const sql of refused) expect(await asked(sql)).to.include('a query has more than one statement');
  });

  it('takes semicolons and comments in texts', async () => {
    const text = `a; b ' /* c */ -- d # "e" \\`;

    expect(await asked('SELECT ? AS `a;b`', [text])).to.deep.equal([{ 'a;b': text }]);
  });
});
