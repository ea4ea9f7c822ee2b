// A dry run judges rows as the import will, though the rows before them are not there.
import { removeProgress } from '../../../src/work/jobs/upload.ts';
import { build } from '../../support/build/build.ts';
import { newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { importJson, person } from '../../support/client/import.ts';
import { importHere } from '../../support/client/import-here.ts';
import { select } from '../../support/database/sql.ts';
import { database } from '../../support/service/service.ts';
import { until } from '../../support/service/until.ts';

/** More sets of four tyres than one batch of 200 rows has. */
const SETS = 51;

describe('a dry run', () => {
  it('takes values that are unique within a parent, whatever other parents have', async () => {
    const client = await newClient();
    const whose = (await build(client, 'tyreset')).contact_id;
    const sets = Array.from({ length: SETS }, (_, index) => ({
      contact_id: whose,
      season: 1,
      external_id: `set-${index}`,
    }));
    await importJson(client, 'resource=tyreset', sets);
    const tyres = sets.flatMap(({ external_id }) =>
      [1, 2, 3, 4].map((position) => ({ tyreset_external_id: external_id, position })),
    );
    const rows = [...tyres, tyres[0] ?? {}];

    const tried = await importJson(client, 'resource=tyre&dry_run=1', rows);

    expect(tried.summary).to.include({ rows: SETS * 4 + 1, created: SETS * 4, refused: 1 });
    expect((await importJson(client, 'resource=tyre', rows)).summary).to.include({ created: SETS * 4 });
  });

  it('keeps the count of its rows until the values that they would have added are gone', async () => {
    const client = await newClient();
    const id = await importHere(client, 'contact', [person({ external_id: 'K' })], { isDryRun: true });
    const left = (table: string) => select(database(), `SELECT 1 FROM ${table} WHERE import_id = ?`, [id]);
    const before = (await left('import_keys')).length;

    const { removed } = await database().transaction(async (session) => {
      await select(session, 'SELECT 1 FROM import_batches WHERE import_id = ? FOR UPDATE', [id]);
      const removed = removeProgress(database(), id);
      await until(async () => (await left('import_keys')).length === 0, 10_000);
      return { removed };
    });

    await removed;
    expect(before).to.be.above(0);
    expect(await left('import_batches')).to.deep.equal([]);
  });

  it('names no record that it undoes, also where a later row changes it', async () => {
    const client = await newClient();
    const old = await build(client, 'contact', person({ external_id: 'old' }));
    const rows = [
      person({ external_id: 'new' }),
      person({ external_id: 'new' }),
      person({ external_id: 'new', city: 'Zwolle' }),
      person({ external_id: 'old', city: 'Zwolle' }),
    ];

    const { rows: reported } = await importJson(client, 'resource=contact&mode=upsert&dry_run=1', rows);

    expect(reported.map(({ status, id }) => [status, id])).to.deep.equal([
      ['created', null],
      ['unchanged', null],
      ['updated', null],
      ['updated', old.id],
    ]);
  });
});
