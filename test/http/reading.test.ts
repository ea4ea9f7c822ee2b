// A read that a migration of another process undoes begins again.

import type { Session } from '../../src/core/model/statements/session.ts';
import type { Call } from '../../src/http/endpoint.ts';
import { reading, readingChunks } from '../../src/http/reading.ts';
import { newClient } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { select } from '../support/database/sql.ts';
import { database } from '../support/service/service.ts';
import { until } from '../support/service/until.ts';

const WAITING =
  "SELECT id FROM information_schema.processlist WHERE state LIKE 'Waiting for table metadata lock'";

describe('a snapshot that deadlocks over tables', () => {
  let call: Call;
  let reads: number;
  const others: Promise<void>[] = [];
  before(async () => {
    const { owner } = (await newClient()).garage;
    // The two parts that reading asks for.
    call = { services: { database: database() }, identity: { owner } } as Call;
  });
  beforeEach(() => {
    reads = 0;
  });
  afterEach(() => Promise.all(others.splice(0)));

  /** Holds one table and waits for the other, as a migration may. */
  async function lockBoth(): Promise<void> {
    const connection = await database().knex.transaction();
    await connection.raw('LOCK TABLES appointments WRITE, contacts WRITE');
    await connection.raw('UNLOCK TABLES');
    await connection.rollback();
  }

  async function readBoth(session: Session): Promise<string> {
    reads += 1;
    await select(session, 'SELECT id FROM contacts LIMIT 1');
    if (reads === 1) {
      others.push(lockBoth());
      await until(async () => (await select(database(), WAITING)).length > 0);
    }
    await select(session, 'SELECT id FROM appointments LIMIT 1');
    return 'read';
  }

  const { signal } = new AbortController();

  it('is read again', async () => {
    expect(await reading(call, true, readBoth, signal)).to.equal('read');

    expect(reads).to.equal(2);
  });

  it('is read again where nothing of the answer was sent', async () => {
    const chunks: string[] = [];
    const read = async function* (session: Session) {
      yield Buffer.from(await readBoth(session));
    };

    for await (const chunk of readingChunks(call, true, read, signal)) chunks.push(chunk.toString());

    expect(chunks).to.deep.equal(['read']);
    expect(reads).to.equal(2);
  });
});
