// Which addresses a webhook may have: https, and nothing that is not publicly routable. Judged when a request
// comes in and again at each call, since a name may resolve to something else by then (contract, section 6).
import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { type Lookup, systemLookup } from './webhook-lookup.ts';

const MOST_CHARACTERS = 2_000;
/** The request waits for it, and is to be answered within milliseconds. */
const LOOKUP_MILLISECONDS = 400;

/**
 * Whether a webhook may be called at this address: https, no user or password, at most 2,000 characters, and
 * neither itself nor resolving to anything that is not publicly routable. `allow` are CIDRs that count as
 * public. A name that does not resolve, or not within `milliseconds`, passes: it is judged again at the call.
 */
export async function checkWebhookUrl(
  value: string,
  allow: readonly string[],
  lookup: Lookup = systemLookup,
  milliseconds: number = LOOKUP_MILLISECONDS,
): Promise<boolean> {
  const url = parseWebhookUrl(value);
  if (!url) return false;
  const addresses = await publicAddresses(url.hostname, allow, lookup, AbortSignal.timeout(milliseconds));
  return addresses !== undefined;
}

/** The address of a webhook, or undefined where its form is not allowed. Says nothing of where it leads. */
export function parseWebhookUrl(value: string): URL | undefined {
  // URL also reads spaces, line ends and backslashes, which other programs read differently.
  if (!/^https:\/\/[^\s\\\p{Cc}/][^\s\\\p{Cc}]*$/iu.test(value) || !URL.canParse(value)) return undefined;
  if (Array.from(value).length > MOST_CHARACTERS) return undefined;
  const url = new URL(value);
  return url.username === '' && url.password === '' ? url : undefined;
}

/**
 * What a URL's host stands for at this moment: addresses that may all be connected to, none where it does not
 * resolve before `signal`, or undefined where any of them is not publicly routable.
 */
export async function publicAddresses(
  hostname: string,
  allow: readonly string[],
  lookup: Lookup,
  signal: AbortSignal,
): Promise<LookupAddress[] | undefined> {
  const isPublic = ({ address }: LookupAddress) => isPublicAddress(address, allow);
  const literal = hostname.replace(/^\[|\]$/g, '');
  if (/(^|\.)localhost\.*$/.test(literal)) {
    // Never asked for (RFC 6761): a name server that says otherwise is wrong or lying.
    const addresses = LOOPBACK.filter(isPublic);
    return addresses.length > 0 ? addresses : undefined;
  }
  const family = isIP(literal);
  const addresses = family ? [{ address: literal, family }] : await resolve(literal, lookup, signal);
  return addresses.every(isPublic) ? addresses : undefined;
}

const LOOPBACK: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

async function resolve(name: string, lookup: Lookup, signal: AbortSignal): Promise<LookupAddress[]> {
  if (signal.aborted) return [];
  const late = new Promise<LookupAddress[]>((done) => {
    signal.addEventListener('abort', () => done([]), { once: true });
  });
  return Promise.race([lookup(name).catch(() => []), late]);
}

/** Whether an IP address is publicly routable, or within one of the CIDRs that count as if it were. */
export function isPublicAddress(address: string, allow: readonly string[]): boolean {
  const parsed = parseAddress(address);
  return parsed !== undefined && judge(parsed, allow.map(parseRange));
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

function parseAddress(text: string): Address | undefined {
  const family = isIP(text);
  if (family === 0) return undefined;
  if (family === 4) return ipaddr.IPv4.parse(text);
  // ipaddr.js takes ::1.2.3.4 for ::ffff:1.2.3.4; URL writes every IPv6 address in hexadecimal.
  const [withoutZone] = text.split('%');
  return ipaddr.IPv6.parse(new URL(`https://[${withoutZone}]`).hostname.slice(1, -1));
}

const parseRange = (cidr: string): Range => ipaddr.parseCIDR(cidr);

const within = (address: Address, [first, bits]: Range) =>
  address.kind() === first.kind() && address.match(first, bits);

function judge(address: Address, allow: Range[]): boolean {
  if (allow.some((range) => within(address, range))) return true;
  if (address instanceof ipaddr.IPv4) return address.range() === 'unicast';
  const carried = carriedAddress(address);
  if (carried) return judge(carried, allow);
  // ipaddr.js also calls unicast what was never given out, ::/96 among it.
  return within(address, GLOBAL_UNICAST) && address.range() === 'unicast';
}

const GLOBAL_UNICAST = parseRange('2000::/3');

/** IPv6 addresses that lead to an IPv4 address, and the byte at which that begins: mapped, NAT64, 6to4. */
const CARRIERS: [range: Range, offset: number][] = [
  [parseRange('::ffff:0:0/96'), 12],
  [parseRange('64:ff9b::/96'), 12],
  [parseRange('2002::/16'), 2],
];

function carriedAddress(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  const carrier = CARRIERS.find(([range]) => within(address, range));
  return carrier && new ipaddr.IPv4(address.toByteArray().slice(carrier[1], carrier[1] + 4));
}
