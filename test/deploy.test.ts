// The files that an operator installs: the systemd units differ only where they must.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const DEPLOY = resolve(fileURLToPath(import.meta.url), '../../../deploy');
const UNITS = ['forecourt.service', 'forecourt@.service', 'forecourt-database.service'];

const settings = async (unit: string) =>
  (await readFile(resolve(DEPLOY, unit), 'utf8')).split('\n').filter((line) => /^\w+=/.test(line));

describe('the systemd units', () => {
  it('all have the limits and protections of the first one', async () => {
    const own = /^(Description|Type|ExecStart|Restart\w*|KillMode|TimeoutStop\w+|Wants|After)=/;
    const shared = (await settings('forecourt.service')).filter((line) => !own.test(line));

    for (const unit of UNITS) expect(await settings(unit), unit).to.include.members(shared);
    expect(shared).to.include('ProtectSystem=strict');
  });

  it('wait until the clock is set', async () => {
    for (const unit of UNITS)
      for (const name of ['Wants', 'After']) {
        const line = (await settings(unit)).find((one) => one.startsWith(`${name}=`));
        expect(line?.slice(name.length + 1).split(' '), `${name} of ${unit}`).to.include('time-sync.target');
      }
  });

  it('give a process more time to stop than it needs', async () => {
    const seconds = (lines: string[], name: RegExp) =>
      Number(lines.map((line) => name.exec(line)?.[1]).find((found) => found !== undefined) ?? 0);

    for (const unit of UNITS) {
      const lines = await settings(unit);
      const drain = seconds(lines, /^Environment=DRAIN_SECONDS=(\d+)$/);
      expect(seconds(lines, /^TimeoutStopSec=(\d+)$/), unit).to.be.above(drain + 20);
    }
  });
});
