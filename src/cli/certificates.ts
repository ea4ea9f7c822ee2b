// Makes a certificate authority and a certificate for a receiver on this machine. The key of the authority is thrown
// away, so nobody can sign other certificates.
import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import { generate } from 'selfsigned';
import { DAY_MS } from '../core/trade/time/duration.ts';

/** PEM texts: the authority to trust, and the certificate and key of the server. */
export interface Certificates {
  ca: string;
  cert: string;
  key: string;
}

export const LOCAL_NAMES = ['localhost', '127.0.0.1', '::1'];

const yearFromYesterday = () => {
  const from = new Date(Date.now() - DAY_MS);
  return { from, until: new Date(from.getTime() + 365 * DAY_MS) };
};

/** Makes certificates for these names and addresses. */
export async function makeCertificates(
  names: readonly string[] = LOCAL_NAMES,
  { from, until } = yearFromYesterday(),
): Promise<Certificates> {
  const common = {
    keyType: 'ec' as const,
    algorithm: 'sha256',
    notBeforeDate: from,
    notAfterDate: until,
  };
  // A unique name, because clients confuse two authorities with the same name.
  const authority = await generate([{ name: 'commonName', value: `Forecourt ${randomUUID()}` }], {
    ...common,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  const altNames = names.map((name) =>
    isIP(name) ? { type: 7 as const, ip: name } : { type: 2 as const, value: name },
  );
  const server = await generate([{ name: 'commonName', value: 'localhost' }], {
    ...common,
    ca: { key: authority.private, cert: authority.cert },
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames },
    ],
  });
  return { ca: authority.cert, cert: server.cert, key: server.private };
}
