// The command `forecourt listen`: shows the callbacks and events that a service on the same machine sends, while a
// developer writes a receiver. Its certificates stay in the storage: the service trusts them after a restart too.
import { X509Certificate } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { DAY_MS } from '../core/trade/time/duration.ts';
import type { Certificates } from './certificates.ts';
import { command, counted, optionalNumber, several, UsageError } from './command.ts';
import type { ReceivedCall } from './receiver.ts';

const PORT = 8443;
const OK = 204;
const LOOPBACK = '127.0.0.0/8,::1/128';
const FILES = ['ca', 'cert', 'key'] as const;
const HIGHEST_PORT = 65_535;

export const listen = command({
  words: 'listen',
  summary: 'Show the callbacks and events that a service on this machine sends',
  options: {
    port: optionalNumber('--port <port>', `where it listens on 127.0.0.1; default: ${PORT}`),
    secret: several(
      '--secret <secret...>',
      'the webhook secret of a key, or the whsec_… of a subscription; more are read from standard input',
    ),
    status: optionalNumber('--status <code>', `how it answers; default: ${OK}`),
    times: optionalNumber(
      '--times <n>',
      `answers the first n tries of each call by --status, and then ${OK}`,
    ),
  },
  example: 'listen --secret whsec_c2VjcmV0 --status 500 --times 2',
  goesOn: true,
  offline: true,
  handlesAbort: true,
  run: async (_base, { port = PORT, secret, status = OK, times }, _args, context) => {
    const { config, signal, print, input } = context;
    if (status < 200 || status > 599) throw new UsageError('--status must be 200 to 599');
    if (port > HIGHEST_PORT) throw new UsageError(`--port must be at most ${HIGHEST_PORT}`);
    const folder = resolve(config.storageDir, 'listen');
    const secrets = new Set(secret);
    const answers = { status, times: times ?? Number.POSITIVE_INFINITY };
    const { openReceiver } = await import('./receiver.ts');
    const certificates = await keptCertificates(folder);
    let calls = 0;
    const receiver = await openReceiver({ certificates, port, answers, secrets }, (call) => {
      calls += 1;
      print({ json: jsonOf(call), text: textOf(call) });
    });
    if (!signal.aborted) print(settingsOf(port, join(folder, 'ca.pem')));
    const typed = createInterface({ input: Readable.from(input) });
    typed.on('line', (line) => {
      if (line.trim() !== '') secrets.add(line.trim());
    });
    if (!signal.aborted) await new Promise((end) => signal.addEventListener('abort', end, { once: true }));
    typed.close();
    await receiver.close();
    return { json: { type: 'ended', calls }, text: counted(calls, 'call') };
  },
});

/** The certificates of an earlier time, or else new ones. */
async function keptCertificates(folder: string): Promise<Certificates> {
  const pathOf = (name: string) => join(folder, `${name}.pem`);
  const kept = await Promise.all(FILES.map((name) => readFile(pathOf(name), 'utf8').catch(() => undefined)));
  const [ca, cert, key] = kept;
  if (ca && cert && key && isValid(cert)) return { ca, cert, key };
  const { makeCertificates } = await import('./certificates.ts');
  const made = await makeCertificates();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of FILES) await writeFile(pathOf(name), made[name], { mode: 0o600 });
  return made;
}

function isValid(cert: string): boolean {
  try {
    return Date.parse(new X509Certificate(cert).validTo) > Date.now() + DAY_MS;
  } catch {
    return false;
  }
}

function settingsOf(port: number, authority: string) {
  const url = `https://localhost:${port}/`;
  const settings = { WEBHOOK_ALLOW: LOOPBACK, NODE_EXTRA_CA_CERTS: authority };
  const lines = Object.entries(settings).map(([name, value]) => `    ${name}=${value}`);
  const text = [
    'Start the service with these two settings:',
    ...lines,
    `Give it addresses that begin with ${url}`,
    'To check signatures, paste the webhook secret of the key, and the secret of each subscription. Ctrl-C ends.',
  ].join('\n');
  return { json: { type: 'listening', url, settings }, text };
}

const jsonOf = ({ nextTry, body, ...call }: ReceivedCall) => ({
  type: 'call',
  at: new Date().toISOString(),
  ...call,
  next_try_in: nextTry,
  ...(body === '' ? {} : { body }),
});

const VERDICTS: Readonly<Record<ReceivedCall['signature'], string>> = {
  right: 'signature right',
  wrong: 'signature WRONG',
  'too old': 'signature right, but more than 5 minutes old',
  unchecked: 'signature not checked: paste its secret',
};

function textOf({ kind, url, body, signature, status, attempt, nextTry }: ReceivedCall): string {
  const time = new Date().toTimeString().slice(0, 8);
  const next = nextTry === null ? '' : `, the next try comes in ${shown(nextTry)}`;
  const ending = status >= 400 && nextTry === null ? ', no other try comes' : next;
  return `${time}  ${kind}, try ${attempt}: ${kind === 'event' ? body : url}\n          ${VERDICTS[signature]}; answered ${status}${ending}`;
}

const UNITS = [
  [3600, 'h'],
  [60, 'min'],
  [1, 's'],
] as const;

/** `30 s`, `10 min`, `6 h`. */
function shown(seconds: number): string {
  const [size, unit] = UNITS.find(([size]) => seconds >= size) ?? [1, 's'];
  return `${seconds / size} ${unit}`;
}
