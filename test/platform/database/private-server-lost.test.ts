// A private server that dies under a service: the log tells it to an operator who reads warnings only.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Base, openBase } from '../../../src/platform/base.ts';
import { createLog } from '../../../src/platform/log.ts';
import type { Json } from '../../support/client/client.ts';
import { copyDatabase, QUICK_SERVER } from '../../support/database/private-server.ts';
import { testConfig } from '../../support/service/service.ts';
import { until } from '../../support/service/until.ts';

describe('the loss of the private database server', function () {
  this.timeout(120_000);
  let storage: string;
  let base: Base | undefined;
  beforeEach(async () => {
    storage = await mkdtemp(join(tmpdir(), 'forecourt-lost-'));
  });
  afterEach(async () => {
    await base?.close();
    await rm(storage, { recursive: true, force: true });
  });

  it('is a warning of the log, unlike its start', async () => {
    const config = testConfig(storage, { LOG_LEVEL: 'warn' });
    await copyDatabase(join(storage, 'database'));
    const lines: Json[] = [];
    const log = createLog(config, { write: (line) => void lines.push(JSON.parse(line)) });
    base = await openBase(config, log, { serverSettings: QUICK_SERVER });
    const before = [...lines];

    const name = await readFile(join(storage, 'database', 'running'), 'utf8');
    process.kill(Number.parseInt(name, 10), 'SIGKILL');
    const lost = await until(async () =>
      lines.find(({ msg }) => /lost, joining it again$/.test(String(msg))),
    );

    expect(before).to.deep.equal([]);
    expect(lost).to.include({ level: 40 });
  });
});
