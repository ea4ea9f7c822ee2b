// The migration that tells who asked for a job gives older jobs the endpoint that they count as.
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect } from '../../support/client/expect.ts';
import { openScratch, type Scratch } from '../../support/database/scratch-database.ts';
import { execute } from '../../support/database/sql.ts';

const MIGRATION = fileURLToPath(new URL('../../../migrations/0038-job-asker.js', import.meta.url));

/** A job as the release before stored it. Answers its ID. */
async function olderJob(scratch: Scratch, kind: string, params: object): Promise<string> {
  const id = await scratch.request(scratch.owners[0]);
  await execute(
    scratch.database,
    "UPDATE jobs SET kind = ?, params = ?, endpoint = '', employee_id = NULL WHERE id = ?",
    [kind, JSON.stringify(params), id],
  );
  return id;
}

describe('the migration of the askers of jobs', () => {
  it('gives older jobs their endpoint, and imports their employee', async () => {
    const scratch = await openScratch();
    const ids = [
      await olderJob(scratch, 'owner-backup', {}),
      await olderJob(scratch, 'journal', { from: '2026-01-01', to: '2026-01-31' }),
      await olderJob(scratch, 'export', { resource: 'contact', filter: null }),
      await olderJob(scratch, 'export', {}),
      await olderJob(scratch, 'import', { resource: 'contact', actor: { owner: 1, employee: 7, apiKey: 2 } }),
    ];

    const { up } = await import(pathToFileURL(MIGRATION).href);
    await up(scratch.database.knex);

    const jobs = await Promise.all(ids.map((id) => scratch.job(id)));
    await scratch.close();
    expect(jobs.map(({ endpoint, employee_id }) => [endpoint, employee_id])).to.deep.equal([
      ['POST /backup/owner', null],
      ['POST /export', null],
      ['GET /contact', null],
      ['POST /export', null],
      ['POST /import', 7],
    ]);
  }).timeout(60_000);
});
