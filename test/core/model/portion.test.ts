// Many rows are read in portions, and large rows in small ones: none is left out, doubled or out of order.
import { expect } from 'chai';
import type { Row } from '../../../src/core/model/fields/field.ts';
import { parseListQuery } from '../../../src/core/model/lists/list-query.ts';
import { inPortions } from '../../../src/core/model/lists/portion.ts';
import { resourceNamed } from '../../../src/core/model/records/registry.ts';
import { garageOf } from '../../../src/core/model/statements/garage.ts';
import type { Session } from '../../../src/core/model/statements/session.ts';
import { newOwner, useDatabase } from '../../business/seed/seeded.ts';
import { readList } from '../../support/client/list.ts';
import { explain } from '../../support/database/explain.ts';
import { writeRows } from '../../support/database/many-rows.ts';
import { recording } from '../../support/database/recording.ts';
import { select } from '../../support/database/sql.ts';

const AT = '2026-01-01 00:00:00.000';
const LONG = 'long '.repeat(3_000);

describe('reading in portions', () => {
  const database = useDatabase();
  let owner: number;
  beforeEach(async () => {
    owner = await newOwner(database());
  });

  const write = (table: string, count: number, make: (index: number) => Row) =>
    writeRows(database(), owner, { table, count }, make);
  const idsOf = async (table: string) =>
    (await select(database(), `SELECT id FROM ${table} WHERE owner_id = ? ORDER BY id`, [owner])).map(
      ({ id }) => Number(id),
    );

  /** A page, and the characters of the largest answer of the server. */
  async function read(resource: string, asked: Record<string, string>) {
    let most = 0;
    const execute: Session['execute'] = async (...of) => {
      const answer = await database().execute(...of);
      most = Math.max(most, JSON.stringify(answer).length);
      return answer;
    };
    const query = parseListQuery(resourceNamed(resource), owner, new Map(Object.entries(asked)));
    const page = JSON.parse(await readList(garageOf({ ...database(), execute }, owner), query));
    return { page, most };
  }

  it('gives each row once, also where thousands end at the same instant', async () => {
    const ends = (index: number) => (index < 6_500 ? '2026-05-04 10:00:00.000' : '2026-05-03 10:00:00.000');
    await write('absences', 9_200, (index) => ({ starts_at: AT, ends_at: ends(index) }));

    const { session, statements } = recording(database());
    const portions: number[][] = [];
    for await (const rows of inPortions<{ ends_at: string }>(
      garageOf(session, owner),
      {
        name: 'absences of the test',
        resource: resourceNamed('absence'),
        columns: ['ends_at'],
        by: 'ends_at',
        where: (query, mark) => query.where('t.starts_at', mark('at')),
      },
      { at: AT },
    ))
      portions.push(rows.map(({ id }) => id));

    const ids = await idsOf('absences');
    expect(portions.map(({ length }) => length)).to.deep.equal([4_000, 4_000, 1_200]);
    expect(portions.flat()).to.deep.equal([...ids.slice(6_500), ...ids.slice(0, 6_500)]);
    for (const [sql, values] of statements) {
      const [step] = await explain(database(), sql, values);
      expect(step).to.include({ key: 'absences__ends_at' });
      expect(step?.Extra).not.to.include('filesort');
    }
  });

  it('reads a page of long texts in small answers of the server', async () => {
    await write('contacts', 300, (index) => ({
      contact_kind: 1,
      last_name: 'de Boer',
      country_id: 1,
      language: 'nl',
      notes: `${999 - index} ${LONG}`,
    }));
    const asked = { page_size: '299', sort: 'notes' };

    const { page, most } = await read('contact', asked);
    const { page: rest } = await read('contact', { ...asked, cursor: page.next });

    const found: { id: number }[] = [...page.data, ...rest.data];
    expect(found.map(({ id }) => id)).to.deep.equal((await idsOf('contacts')).reverse());
    expect([page.has_more, rest.has_more]).to.deep.equal([true, false]);
    expect(page.data[7].notes).to.match(/^707 long /);
    expect(most).to.be.below(1_000_000);
  });

  it('reads long texts beside a record in small answers, in their order', async () => {
    await write('employees', 1, () => ({
      username: `portions${owner}`,
      first_name: 'Jan',
      last_name: 'Bos',
      role_kind: 2,
    }));
    const [employee_id = 0] = await idsOf('employees');
    await write('timeentries', 300, (index) => ({ employee_id, started_at: AT, notes: `${index} ${LONG}` }));

    const { page, most } = await read('employee', { expand: 'timeentry' });

    const entries: { id: number }[] = page.data[0].timeentry;
    expect(entries.map(({ id }) => id)).to.deep.equal(await idsOf('timeentries'));
    expect(most).to.be.below(1_000_000);
  });
});
