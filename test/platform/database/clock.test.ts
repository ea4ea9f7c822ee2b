// The signs of life of the service. After a jump of the clock nothing is removed for 24 hours of running, which all
// processes count together.
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import pino from 'pino';
import { checkClock, endWaiting, readClock, SignsOfLife } from '../../../src/platform/database/clock.ts';
import { expect } from '../../support/client/expect.ts';
import { openScratch, type Scratch } from '../../support/database/scratch-database.ts';
import { execute, select } from '../../support/database/sql.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const MIGRATION = fileURLToPath(new URL('../../../migrations/0055-clock.js', import.meta.url));

describe('the clock', () => {
  let scratch: Scratch;
  let lines: string[];
  before(async () => {
    scratch = await openScratch();
  });
  after(() => scratch.close());
  beforeEach(async () => {
    await execute(scratch.database, 'UPDATE clock SET beat = 0, seen_at = NULL, wait_ms = 0, reason = NULL');
    lines = [];
  });

  /** Moves the last sign of life by that many minutes: the clock seems to have gone the other way. */
  const moveSign = (minutes: number) =>
    execute(scratch.database, 'UPDATE clock SET seen_at = seen_at + INTERVAL ? MINUTE', [minutes]);
  const stored = async () => (await select(scratch.database, 'SELECT * FROM clock'))[0];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line).msg) });

  /** A process whose monotonic clock the test moves. */
  const newProcess = () => {
    let minutes = 0;
    const signs = new SignsOfLife(scratch.database, log, () => minutes * MINUTE_MS);
    return {
      signs,
      beatAt: async (at: number) => {
        minutes = at;
        await signs.beat();
      },
    };
  };
  const waitedMinutes = async () => {
    const { waitMs } = await readClock(scratch.database);
    return 24 * 60 - waitMs / MINUTE_MS;
  };

  it('of a new database is right', async () => {
    const state = await checkClock(scratch.database);

    await newProcess().beatAt(0);

    expect(state).to.include({ waitMs: 0, reason: null, lastSign: undefined });
    expect(await readClock(scratch.database)).to.include({ waitMs: 0, beat: 1 });
    expect(lines).to.deep.equal([]);
  });

  it('is in doubt after a silence of more than 7 days, or when it goes back by more than 5 minutes', async () => {
    const waits = async (minutes: number) => {
      await newProcess().beatAt(0);
      await moveSign(minutes);
      const { waitMs, reason } = await checkClock(scratch.database);
      await endWaiting(scratch.database);
      return waitMs === 24 * HOUR_MS ? reason?.split(/ from| between/)[0] : waitMs;
    };

    expect([
      await waits(-7 * 24 * 60 + 1),
      await waits(-7 * 24 * 60 - 1),
      await waits(4),
      await waits(6),
    ]).to.deep.equal([0, 'no sign of life', 0, 'the clock went back']);
  });

  it('is in doubt when it goes back by little, twice', async () => {
    const one = newProcess();
    await one.beatAt(0);
    await moveSign(4);
    await one.beatAt(1);
    const before = await waitedMinutes();

    await moveSign(4);
    await one.beatAt(2);

    expect(before).to.equal(24 * 60);
    expect(await waitedMinutes()).to.equal(0);
  });

  it('counts the minutes in which any process runs, each once', async () => {
    const [one, two] = [newProcess(), newProcess()];
    await one.beatAt(0);
    await two.beatAt(0.5);
    await moveSign(60);
    await one.beatAt(1);
    const begun = await waitedMinutes();
    const { beat } = await readClock(scratch.database);

    for (const minute of [1.5, 2.5, 3.5, 4.5]) {
      await two.beatAt(minute);
      await one.beatAt(minute + 0.5);
    }

    expect(begun).to.equal(0);
    expect(await waitedMinutes()).to.equal(4);
    expect(await readClock(scratch.database)).to.include({ beat: beat + 4 });
  });

  it('goes on counting after a process was killed, and after a stop', async () => {
    const [killed, other] = [newProcess(), newProcess()];
    await killed.beatAt(0);
    await moveSign(60);
    await killed.beatAt(1);
    await killed.beatAt(2);

    await other.beatAt(2.2);
    await other.beatAt(3.2);
    const before = await waitedMinutes();
    await other.signs.stop();
    const later = newProcess();
    await later.beatAt(100);
    await later.beatAt(101);

    expect(before).to.equal(2);
    expect(await waitedMinutes()).to.equal(3);
  });

  it('is trusted again after 24 hours of running, which the log tells', async () => {
    const one = newProcess();
    await one.beatAt(0);
    await moveSign(60);
    await one.beatAt(1);
    await execute(scratch.database, 'UPDATE clock SET wait_ms = 61000');

    await one.beatAt(2);
    const before = (await readClock(scratch.database)).waitMs;
    await one.beatAt(3);

    expect(before).to.equal(1_000);
    expect(await readClock(scratch.database)).to.include({ waitMs: 0, reason: null });
    expect(lines).to.have.length(2);
    expect(lines[0]).to.match(
      /^the clock went back from \S+Z to \S+Z: nothing is removed by its age for 24\.0 hours of running, or until `forecourt purge`$/,
    );
    expect(lines[1]).to.equal('the clock counts again: what is old is removed');
  });

  it('counts no longer than a process runs: a pause of the process is none', async () => {
    const one = newProcess();
    await one.beatAt(0);
    await moveSign(60);
    await one.beatAt(1);

    await one.beatAt(600);

    expect(await waitedMinutes()).to.equal(2);
  });

  it('is judged once by many processes at a time', async () => {
    await newProcess().beatAt(0);
    await moveSign(60);

    const states = await Promise.all(Array.from({ length: 20 }, () => checkClock(scratch.database)));

    expect(new Set(states.map(({ waitMs }) => waitMs))).to.deep.equal(new Set([24 * HOUR_MS]));
    expect(await readClock(scratch.database)).to.include({ beat: 2 });
  });

  it('has the newest stored instant for its first sign after an upgrade, and migrating again keeps it', async () => {
    const { up } = await import(pathToFileURL(join(MIGRATION)).href);
    const upgrade = async (at: string) => {
      const { knex } = scratch.database;
      await knex('changes').delete();
      await knex('changes').insert({
        owner_id: scratch.owners[0],
        seq: 1,
        resource: 'contact',
        record_id: 1,
        action: 1,
        version: 1,
        at,
      });
      await knex.schema.dropTable('clock');
      for (let time = 0; time < 2; time += 1) await up(knex);
      return (await checkClock(scratch.database)).waitMs;
    };
    const ago = (days: number) =>
      new Date(Date.now() - days * 24 * HOUR_MS).toISOString().slice(0, 23).replace('T', ' ');

    expect([await upgrade(ago(6)), await upgrade(ago(8))]).to.deep.equal([0, 24 * HOUR_MS]);
    expect(await stored()).to.include({ row: 1, beat: 1 });
  });
});
