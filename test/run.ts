// Starts mocha with the certificate authority of the test receivers in NODE_EXTRA_CA_CERTS, which Node reads only when a
// process starts.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepareCertificates } from './support/certificates.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const mocha = createRequire(import.meta.url).resolve('mocha/bin/mocha.js');
const folder = await mkdtemp(join(tmpdir(), 'forecourt-ca-'));
try {
  const given = process.argv.slice(2);
  const files = given.some((word) => word.endsWith('.js')) ? [] : [here('./**/*.test.js')];
  const tests = [mocha, '--require', here('./support/service.js'), ...given, ...files];
  const child = spawn(process.execPath, given[0] === '--endpoints' ? [here('./endpoints.js')] : tests, {
    stdio: 'inherit',
    env: { ...process.env, DATABASE_URL: '', ...(await prepareCertificates(folder)) },
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  const [code] = await once(child, 'exit');
  process.exitCode = code ?? 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
