// Limits of the database server: the service stays within them, or refuses in plain words.
import type { Row } from '../../../src/core/model/fields/field.ts';
import { clientOf } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { execute, select } from '../../support/database/sql.ts';
import { makeGarage, theService } from '../../support/service/service.ts';

describe('the number of prepared statements of the server', () => {
  const database = () => theService().base.database;
  let most: unknown;

  before(async () => {
    const [row] = await select(database(), 'SELECT @@max_prepared_stmt_count AS most');
    most = row?.most;
  });
  afterEach(() => execute(database(), 'SET GLOBAL max_prepared_stmt_count = ?', [Number(most)]));

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

  it('does not grow by a statement of very many values', async () => {
    const many = Array.from({ length: 12_000 }, (_, index) => String(index));
    const text = `SELECT COUNT(*) AS total FROM owners WHERE id IN (${many.map(() => '?').join()})`;

    const closed = await database().transaction(async ({ execute: run }) => {
      const count = async () =>
        Number(((await run("SHOW SESSION STATUS LIKE 'Com_stmt_close'", [])) as Row[])[0]?.Value);
      await count(); // Its own statement may push an older one out of a connection that is full.
      const before = await count();
      await run(text, many);
      await run(text, many);
      return (await count()) - before;
    });

    expect(closed).to.equal(2);
  });

  it('is used up by no connection: it keeps the statements that it used last', async () => {
    const texts = Array.from({ length: 80 }, (_, index) => `SELECT ? AS value, ${index} AS text`);
    const asked = [...texts, ...texts.toReversed(), ...texts];
    const [before] = await select(database(), "SHOW GLOBAL STATUS LIKE 'Prepared_stmt_count'");

    const answers = await database().transaction(async ({ execute: run }) => {
      const rows = [];
      for (const text of asked) rows.push(((await run(text, ['7'])) as Row[])[0]);
      return rows;
    });
    const [after] = await select(database(), "SHOW GLOBAL STATUS LIKE 'Prepared_stmt_count'");

    expect(answers).to.deep.equal(asked.map((text) => ({ value: '7', text: texts.indexOf(text) })));
    expect(Number(after?.Value) - Number(before?.Value)).to.be.below(texts.length);
  });
});
