// The generated signing secret under STORAGE_DIR.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { openStorage, type Storage, signingSecret } from '../src/storage.ts';

// In rounds, and a few turns of the event loop apart: only some of them meet in the wrong moment.
const ROUNDS = 20;
const STARTS = Array.from({ length: 16 }, (_, turns) => turns);

describe('the generated signing secret', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forecourt-storage-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('is the same for processes that start together', async () => {
    for (let round = 1; round <= ROUNDS; round += 1) {
      const storage = await openStorage(join(folder, String(round)));

      const secrets = await Promise.all(STARTS.map((turns) => startAfter(turns, storage)));

      expect(new Set(secrets)).to.have.property('size', 1);
      expect(secrets[0]).to.match(/^[0-9a-f]{64}$/);
      const made = (await readdir(storage.directory)).filter((name) => name.startsWith('signing'));
      expect(made).to.deep.equal(['signing-secret']);
    }
  });
});

async function startAfter(turns: number, storage: Storage): Promise<string> {
  for (let turn = 0; turn < turns; turn += 1) await setImmediate();
  return signingSecret(storage, '');
}
