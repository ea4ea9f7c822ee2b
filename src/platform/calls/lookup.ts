// Resolves the name of a receiver: from the hosts file, then from the name servers, and last by the system's resolver,
// which also knows the names of a closed network. The system's resolver blocks a thread for each name, so a few dead
// names would make all others wait. The connections to databases, buckets and mail servers need such threads too.
import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { Slots } from './slots.ts';

/** All addresses of a name; rejects if the name has none. After `signal` nobody waits for them. */
export type Lookup = (name: string, signal?: AbortSignal) => Promise<LookupAddress[]>;

interface LookupOptions {
  /** Name servers; default: the system's own. */
  readonly servers?: readonly string[];
  readonly hostsFile?: string;
}

const TRY_MS = 2_000;
const TRIES = 2;
const HOSTS_FILE = '/etc/hosts';
/** With these answers of the name servers, the system's resolver is asked; it usually answers fast. */
const UNKNOWN = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);
/** A name server may answer our question and be silent when the system asks: its name takes one thread at most. */
const threads = new Slots(1);

export const lookupBy =
  ({ servers, hostsFile = HOSTS_FILE }: LookupOptions): Lookup =>
  async (name, signal) => {
    const known = await inHostsFile(hostsFile, name);
    if (known.length > 0) return known;
    const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
    if (servers) resolver.setServers(servers);
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = [...addresses(v4, 4), ...addresses(v6, 6)];
    if (found.length > 0) return found;
    const reasons = [v4, v6].map((answer) => (answer as PromiseRejectedResult).reason);
    const open = reasons.find(({ code }) => !UNKNOWN.has(code));
    if (open) throw open;
    return threads.run(async () => {
      signal?.throwIfAborted();
      return lookup(name, { all: true });
    });
  };

/** Resolves as the other programs of the machine do. */
export const systemLookup: Lookup = lookupBy({});

function addresses(answer: PromiseSettledResult<string[]>, family: number): LookupAddress[] {
  return answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];
}

async function inHostsFile(path: string, name: string): Promise<LookupAddress[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const wanted = name.toLowerCase().replace(/\.$/, '');
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/);
    return names.includes(wanted) && isIP(address) ? [{ address, family: isIP(address) }] : [];
  });
}
