// The certificates of a test run. Node reads NODE_EXTRA_CA_CERTS only at its start, so test/run.ts makes the
// certificates first, in the folder FORECOURT_TEST_CA.
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Certificates, LOCAL_NAMES, makeCertificates } from '../../../src/cli/certificates.ts';

export { makeCertificates };

/** A name in the certificate that no resolver knows: tests say what it resolves to. */
export const RECEIVER_NAME = 'receiver.test';

/** A test may set the clock to another year. */
const VALID = { from: new Date('2020-01-01'), until: new Date('2060-01-01') };

/** Makes the certificates and returns the environment in which mocha is to be started. */
export async function prepareCertificates(folder: string): Promise<Record<string, string>> {
  await writeCertificates(folder, [...LOCAL_NAMES, RECEIVER_NAME]);
  return { FORECOURT_TEST_CA: folder, NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') };
}

/** The folder with ca.pem, cert.pem and key.pem of this run. */
export function runCertificateFolder(): string {
  const folder = process.env.FORECOURT_TEST_CA;
  if (!folder) throw new Error('FORECOURT_TEST_CA is not set: start the tests by their launcher');
  return folder;
}

/** The certificates of this run. */
export function runCertificates(): Certificates {
  const folder = runCertificateFolder();
  const read = (name: string) => readFileSync(join(folder, `${name}.pem`), 'utf8');
  return { ca: read('ca'), cert: read('cert'), key: read('key') };
}

/**
 * Makes certificates and writes ca.pem, cert.pem and key.pem to a folder. A process trusts them if NODE_EXTRA_CA_CERTS
 * is the path of ca.pem when the process starts. Node reads the variable only then.
 */
export async function writeCertificates(folder: string, names: readonly string[]): Promise<void> {
  const certificates = await makeCertificates(names, VALID);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const [name, text] of Object.entries(certificates)) {
    await writeFile(join(folder, `${name}.pem`), text, { mode: 0o600 });
  }
}
