// A dry run judges rows as the import will, though the rows before them are not there.
import { build } from '../../support/build/build.ts';
import { newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { importJson } from '../../support/client/import.ts';

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
});
