// Gives each address at most a share of the connections, so that one caller can't keep out all others. An IPv6 /64 is
// one address, because one customer of a provider has all of it.
import type { Server } from 'node:http';
import ipaddr from 'ipaddr.js';

/** Closes each connection above `most` from one address at once, and calls `onRefused`. */
export function shareConnections(server: Server, most: number, onRefused: (address: string) => void): void {
  const open = new Map<string, number>();
  server.on('connection', (socket) => {
    // A caller that has already gone has no address.
    const { remoteAddress } = socket;
    if (remoteAddress === undefined) return;
    const address = networkOf(remoteAddress);
    const count = open.get(address) ?? 0;
    if (count >= most) {
      socket.destroy();
      onRefused(address);
      return;
    }
    open.set(address, count + 1);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
  });
}

/** The address of an IPv4 caller, or the /64 of an IPv6 caller. */
export function networkOf(text: string): string {
  // `process` also reads an IPv4 address that is written as ::ffff:192.0.2.1.
  const address = ipaddr.process(text);
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  const network = [...address.parts.slice(0, 4), 0, 0, 0, 0];
  return `${new ipaddr.IPv6(network)}/64`;
}
