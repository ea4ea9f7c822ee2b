// Limits the connections of the server and of each address, so that one caller can't keep out all others. An IPv6 /64
// is one address, because one customer of a provider has all of it. Not by Node's `maxConnections`: a process of a
// cluster that has reached it hands the connection to the others, and they hand it on without end.
import type { Server } from 'node:http';
import ipaddr from 'ipaddr.js';
import { networkOf } from '../../platform/auth/throttle.ts';

interface Limits {
  readonly maxConnections: number;
  readonly maxConnectionsOfAddress: number;
}

/** Closes each connection above a limit at once, and calls `onRefused`: with the address if this one has too many. */
export function limitConnections(
  server: Server,
  { maxConnections, maxConnectionsOfAddress }: Limits,
  onRefused: (address?: string) => void,
): void {
  const open = new Map<string, number>();
  let all = 0;
  server.on('connection', (socket) => {
    // A caller that has already gone has no address.
    const { remoteAddress } = socket;
    if (remoteAddress === undefined) return;
    const address = networkText(remoteAddress);
    const count = open.get(address) ?? 0;
    if (all >= maxConnections || count >= maxConnectionsOfAddress) {
      socket.destroy();
      onRefused(all >= maxConnections ? undefined : address);
      return;
    }
    all += 1;
    open.set(address, count + 1);
    socket.once('close', () => {
      all -= 1;
      const left = (open.get(address) ?? 1) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
  });
}

/** The address of an IPv4 caller, or the /64 of an IPv6 caller, as an operator writes it. */
export function networkText(address: string): string {
  const network = networkOf(address);
  return network.includes(':') ? `${ipaddr.parse(`${network}::`)}/64` : network;
}
