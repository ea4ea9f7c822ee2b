// A test that never ends. test/process/run.test.ts kills the runner of this file while a service, its database and a
// browser run.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchBrowser } from './browser.ts';
import { processEnvironment, startProcess } from './process.ts';

describe('an endless test', () => {
  it('never ends', async () => {
    await startProcess(processEnvironment(await mkdtemp(join(tmpdir(), 'forecourt-endless-'))));
    await launchBrowser();
    console.log('everything runs');
    await new Promise(() => {});
  }).timeout(0);
});
