// Which addresses a webhook may have: https, and publicly routable. Checked when a request comes in and again at each
// call, since a name may resolve to other addresses by then.
import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { parseWebhookUrl } from '../../core/trade/identity/webhook-url.ts';
import { type Lookup, systemLookup } from './lookup.ts';

/** The request waits for the look-up, and must be answered fast. */
const LOOKUP_MILLISECONDS = 400;

/**
 * Whether a webhook may be called at this address: https, no user or password, at most 2,000 characters, and publicly
 * routable, as are all addresses that the name resolves to. `allow`: CIDRs that count as public. A name that does not
 * resolve within `milliseconds` passes: the call checks the name again.
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

/**
 * The addresses of a host, all publicly routable; none if the name does not resolve before `signal`; undefined if any
 * of them is not publicly routable.
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
    // Never looked up (RFC 6761): a name server that gives another address is wrong or lying.
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
  return Promise.race([lookup(name, signal).catch(() => []), late]);
}

/** Whether an IP address is publicly routable, or in one of the CIDRs that count as public. */
export function isPublicAddress(address: string, allow: readonly string[]): boolean {
  const parsed = parseAddress(address);
  return parsed !== undefined && isAllowed(parsed, allow.map(parseRange));
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

function parseAddress(text: string): Address | undefined {
  const family = isIP(text);
  if (family === 0) return undefined;
  if (family === 4) return ipaddr.IPv4.parse(text);
  // ipaddr.js reads ::1.2.3.4 as ::ffff:1.2.3.4; URL writes every IPv6 address in hexadecimal.
  const [withoutZone] = text.split('%');
  return ipaddr.IPv6.parse(new URL(`https://[${withoutZone}]`).hostname.slice(1, -1));
}

const parseRange = (cidr: string): Range => ipaddr.parseCIDR(cidr);

const within = (address: Address, [first, bits]: Range) =>
  address.kind() === first.kind() && address.match(first, bits);

function isAllowed(address: Address, allow: Range[]): boolean {
  if (allow.some((range) => within(address, range))) return true;
  if (address instanceof ipaddr.IPv4) return address.range() === 'unicast';
  const carried = carriedAddress(address);
  if (carried) return isAllowed(carried, allow);
  // ipaddr.js also calls addresses unicast that were never assigned, such as ::/96.
  return within(address, GLOBAL_UNICAST) && address.range() === 'unicast';
}

const GLOBAL_UNICAST = parseRange('2000::/3');

/** IPv6 ranges that carry an IPv4 address, and the byte where that address begins: mapped, NAT64, 6to4. */
const CARRIERS: [range: Range, offset: number][] = [
  [parseRange('::ffff:0:0/96'), 12],
  [parseRange('64:ff9b::/96'), 12],
  [parseRange('2002::/16'), 2],
];

function carriedAddress(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  const carrier = CARRIERS.find(([range]) => within(address, range));
  return carrier && new ipaddr.IPv4(address.toByteArray().slice(carrier[1], carrier[1] + 4));
}
