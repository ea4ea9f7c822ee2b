// An export of many rows: its progress, and its end when it is stopped in the middle.

import { insertMany } from '../../../src/core/model/statements/insert-many.ts';
import { databaseNow } from '../../../src/core/trade/time/timestamp.ts';
import { type ListSource, openList } from '../../../src/work/export/list-source.ts';
import { readListAsked } from '../../../src/work/export/request.ts';
import { writeExport } from '../../../src/work/export/write.ts';
import { expect } from '../../support/client/expect.ts';
import { select } from '../../support/database/sql.ts';
import { database, makeGarage, theService } from '../../support/service/service.ts';
import { until } from '../../support/service/until.ts';

const ROWS = 10_000;
const FORM = { format: 'ndjson', raw: 0, asked: {} } as const;

describe('an export of many rows', () => {
  let owner: number;
  let ending: AbortController;
  let source: ListSource;
  before(async () => {
    ({ owner } = await makeGarage());
    const now = databaseNow();
    const row = { owner_id: owner, name: 'Onderdelen', vat_code: 1, created_at: now, modified_at: now };
    const rows = Array.from({ length: ROWS }, (_, index) => ({ ...row, code: `${index}` }));
    await insertMany(database(), 'turnovergroups', rows);
  });
  beforeEach(async () => {
    ending = new AbortController();
    const { connection } = theService().base;
    const asked = { resource: 'turnovergroup', filter: null, fields: null, sort: null };
    const options = { database: database(), connection, owner, signal: ending.signal };
    source = await openList(readListAsked(owner, asked), options);
  });
  afterEach(() => source.close());

  it('tells percents that rise to 100', async () => {
    const percents: number[] = [];
    const chunks: Buffer[] = [];

    const made = await writeExport(collect(chunks), source, {
      ...FORM,
      signal: ending.signal,
      onProgress: (percent) => percents.push(percent),
    });

    expect(source.total).to.be.at.least(ROWS);
    expect(made.size).to.equal(Buffer.concat(chunks).length);
    expect(percents.at(-1)).to.equal(100);
    expect(percents).to.deep.equal([...new Set(percents)].sort((one, other) => one - other));
  });

  it('rejects with the reason when it is stopped, and the server has no statement of it', async () => {
    const reason = new Error('stopped');
    const options = { ...FORM, signal: ending.signal };

    const ended = await writeExport(
      collect([], () => ending.abort(reason)),
      source,
      options,
    ).catch((error) => error);

    expect(ended).to.equal(reason);
    await until(async () => (await reading()).length === 0);
  });

  /** Keeps chunks; calls back after each. */
  const collect = (chunks: Buffer[], then: () => void = () => {}) => {
    return async (bytes: AsyncIterable<Buffer>): Promise<void> => {
      for await (const chunk of bytes) {
        chunks.push(chunk);
        then();
      }
    };
  };

  const reading = () =>
    select(
      database(),
      "SELECT id FROM information_schema.processlist WHERE info LIKE '%from `turnovergroups`%' AND id <> CONNECTION_ID()",
    );
});
