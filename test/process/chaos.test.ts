// The chaos scripts in their shortest form. `make chaos` runs them in full.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { database } from '../../drills/chaos/database.ts';
import { importing } from '../../drills/chaos/import.ts';
import { kill } from '../../drills/chaos/kill.ts';
import { mirror } from '../../drills/chaos/mirror.ts';
import { Report } from '../../drills/chaos/report.ts';
import { scale } from '../../drills/chaos/scale.ts';
import { soak } from '../../drills/chaos/soak.ts';

describe('a service', () => {
  let folder: string;
  let lines: string[];
  let report: Report;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forecourt-chaos-'));
    lines = [];
    report = new Report((line) => lines.push(line));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('that is killed during a backup and a document generation finishes each job once', async () => {
    await kill(report, folder, { rounds: 1, orders: 1_000, documents: 100, hurry: true });

    expect(report.wrong, lines.join('\n')).to.deep.equal([]);
  }).timeout(180_000);

  it('whose database goes away and comes back answers 503, recovers, and finishes its job', async () => {
    await database(report, folder, { orders: 1_000 });

    expect(report.wrong, lines.join('\n')).to.deep.equal([]);
  }).timeout(180_000);

  it('that is killed during imports loses no row and doubles none', async () => {
    await importing(report, folder, { rows: 6_000, kills: 1, lifeMs: 200, hurry: true });

    expect(report.wrong, lines.join('\n')).to.deep.equal([]);
  }).timeout(180_000);

  it('that is killed under writers has a feed that keeps a copy equal', async () => {
    await mirror(report, folder, { milliseconds: 4_000, writers: 4, kills: 1, held: 0.2 });

    expect(report.wrong, lines.join('\n')).to.deep.equal([]);
  }).timeout(180_000);

  it('is measured with more and more garages', async () => {
    await scale(report, folder, { garages: [2, 4], orders: 5, idleMs: 200, requests: 4, samples: 2 });

    expect(report.wrong, lines.join('\n')).to.deep.equal([]);
    expect(lines.find((line) => line.includes('GET one'))).to.match(
      /^\| GET one( \| [\d.]+ \/ [\d.]+ ms){2} \|$/,
    );
  }).timeout(180_000);

  it('loses no event and no invoice number under mixed work', async () => {
    await soak(report, folder, { minutes: 0.1, orders: 100 });

    expect(report.wrong, lines.join('\n')).to.deep.equal([]);
  }).timeout(180_000);
});
